"""A small session, a place for logs, and the command as a function."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lre.cli.main import cli

Entry = dict[str, Any]


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run `lre`; an exception that it does not turn into a line fails the test."""
    runner = CliRunner()

    def call(*args: str, stdin: bytes | None = None) -> Result:
        return runner.invoke(cli, args, input=stdin, catch_exceptions=False, prog_name="lre")

    return call


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., str]:
    """Write a value as JSON, or text or bytes as they are; the file's path."""

    def write(value: object, name: str = "log.json") -> str:
        path = tmp_path / name
        text = value if isinstance(value, str | bytes) else json.dumps(value)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


@pytest.fixture
def chat() -> list[Entry]:
    """Thirty-four messages of Chat Completions: system, task, sixteen calls with results."""
    steps = [message for number in range(16) for message in _step(number)]
    return [
        {"role": "system", "content": "You are a careful agent for airline bookings."},
        {"role": "user", "content": "Change my flight. Mein Name ist Jörg Müller, user_4711."},
        *steps,
    ]


def _step(number: int) -> list[Entry]:
    name, text = f"call_{number}", f"Reservation R{number:03}XQ, seat {number}C, 订单 {number}. "
    call = {"name": "look_up", "arguments": json.dumps({"id": f"R{number - 1:03}XQ"})}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": name, "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": name, "content": text * 12},
    ]
