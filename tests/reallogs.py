"""What the readers make of the real logs; a test that asks for them is skipped where they lack."""

from __future__ import annotations

import pytest

from lre import dialects
from lre.dialects.pairing import pairs
from lre.messages import ToolCall, ToolResult
from lre.traces import Skipped, Trace, read
from realdata import DATA

__all__ = ["counts", "logs"]


def logs(folder: str) -> list[Trace]:
    """Read a folder of logs without a single problem."""
    if DATA is None or not (DATA / folder).exists():
        pytest.skip(f"{folder} is not there: set LRE_DATA to the folder of the data")
    told: list[Skipped] = []
    found = list(read(DATA / folder, on_problem=told.append))
    assert told == []
    return found


def counts(traces: list[Trace]) -> dict[str, int]:
    """Count sessions, messages, calls, results, failed results, and results without a call."""
    parsed = [dialects.parse(trace.messages)[1] for trace in traces]
    parts = [part for messages in parsed for message in messages for part in message.parts]
    results = [part for part in parts if isinstance(part, ToolResult)]
    return {
        "sessions": len(traces),
        "messages": sum(map(len, parsed)),
        "calls": sum(isinstance(part, ToolCall) for part in parts),
        "results": len(results),
        "failed": sum(part.is_error for part in results),
        "orphans": sum(caller is None for messages in parsed for *_, caller in pairs(messages)),
    }
