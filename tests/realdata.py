"""The real logs that some tests read: the folder `LRE_DATA`, or `../shared/data`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]

Session = tuple[str, list[dict[str, Any]]]


def _find() -> Path | None:
    path = Path(os.environ.get("LRE_DATA") or ROOT.parent / "shared" / "data")
    return path if path.is_dir() else None


DATA: Path | None = _find()


@cache
def sessions(collection: str) -> list[Session]:
    """Give every session of a collection such as ``"agent/tau2_bench"``: a name, its messages.

    Skips the test where the data are not there.
    """
    if DATA is None or not (DATA / collection).is_dir():
        pytest.skip(f"{collection} is not there: set LRE_DATA to the folder of the data")
    read = _READERS[collection]
    return [
        (f"{path.name}#{number}", messages)
        for path in sorted((DATA / collection).glob("*.json*"))
        for number, messages in enumerate(read(path.read_text(encoding="utf-8")))
        if messages
    ]


def _tau2_bench(text: str) -> Iterator[list[dict[str, Any]]]:
    log = json.loads(text)
    for simulation in log if isinstance(log, list) else log["simulations"]:
        yield simulation["messages"]


def _tau_bench(text: str) -> Iterator[list[dict[str, Any]]]:
    for task in json.loads(text):
        yield task["traj"]


def _mini_swe_agent(text: str) -> Iterator[list[dict[str, Any]]]:
    log = json.loads(text)
    messages = log if isinstance(log, list) else log["messages"]
    yield [message for message in messages if message["role"] != "exit"]


def _openai_http(text: str) -> Iterator[list[dict[str, Any]]]:
    for interaction in json.loads(text)["interactions"]:
        content = interaction["request"]["content"]
        yield content.get("messages") or content["input"]


def _anthropic_http(text: str) -> Iterator[list[dict[str, Any]]]:
    for line in text.splitlines():
        yield json.loads(line)["request"]["body"].get("messages", [])


_READERS: dict[str, Callable[[str], Iterator[list[dict[str, Any]]]]] = {
    "agent/tau2_bench": _tau2_bench,
    "agent/tau_bench": _tau_bench,
    "agent/mini_swe_agent": _mini_swe_agent,
    "formats/openai_http": _openai_http,
    "formats/anthropic_http": _anthropic_http,
}
