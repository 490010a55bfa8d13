"""Logs of a test's own: written as JSON or JSON Lines, and read; and real ones, where they are."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lre.dialects import parse
from lre.dialects.pairing import pairs
from lre.messages import Message, Reasoning, ToolCall, ToolResult
from lre.traces import Skipped, Trace, read
from realdata import DATA

__all__ = [
    "calls",
    "document",
    "lines",
    "real",
    "results",
    "roles",
    "thoughts",
    "traces",
    "unpaired",
]


def document(value: object) -> bytes:
    return json.dumps(value, indent=1).encode()


def lines(*values: object) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def traces(data: bytes, told: list[Skipped] | None = None) -> list[Trace]:
    """Read a log; whoever does not ask for its problems must have none."""
    problems: list[Skipped] = [] if told is None else told
    found = list(read(io.BytesIO(data), on_problem=problems.append))
    assert told is not None or problems == []
    return found


def real(folder: str, pattern: str = "*") -> list[Path]:
    """Give the files of a collection of real logs; skips the test where they are not there."""
    found = sorted((DATA / "formats" / folder).glob(pattern)) if DATA else []
    if not found:
        pytest.skip(f"formats/{folder} is not there: set LRE_DATA to the folder of the data")
    return found


def roles(trace: Trace) -> list[str]:
    return [entry.get("role", entry.get("type")) for entry in trace.messages]


def calls(trace: Trace) -> list[ToolCall]:
    return [part for part in _parts(trace) if isinstance(part, ToolCall)]


def results(trace: Trace) -> list[ToolResult]:
    return [part for part in _parts(trace) if isinstance(part, ToolResult)]


def thoughts(trace: Trace) -> list[Reasoning]:
    return [part for part in _parts(trace) if isinstance(part, Reasoning)]


def unpaired(trace: Trace) -> int:
    """Count the results whose call is nowhere before them."""
    return [caller for *_, caller in pairs(_messages(trace))].count(None)


def _messages(trace: Trace) -> list[Message]:
    return parse(trace.messages)[1]


def _parts(trace: Trace) -> Sequence[Any]:
    return [part for message in _messages(trace) for part in message.parts]
