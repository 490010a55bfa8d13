"""Real logs are read without a skipped record, where the data are there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lre.traces import Skipped, Trace, read

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("LRE_DATA") or ROOT.parent / "shared" / "data")


def traces(folder: str) -> list[Trace]:
    path = DATA / folder
    if not path.is_dir():
        pytest.skip(f"{folder} is not there: set LRE_DATA to the folder of the data")
    problems: list[Skipped] = []
    found = list(read(path, on_problem=problems.append))
    assert problems == []
    return found


def test_tau2_bench_is_read_whole() -> None:
    """The files hold 1,077 simulations, two of them without a message: 1,075 traces."""
    found = traces("agent/tau2_bench")
    assert len(found) == 1075
    assert sum(len(trace.messages) for trace in found) == 30_496
    assert {"airline", "retail", "telecom", "medical_triage"} == {
        trace.meta["domain"] for trace in found if "domain" in trace.meta
    }


def test_tau_bench_is_read_whole() -> None:
    assert len({trace.task for trace in traces("agent/tau_bench")}) == 115


def test_mini_swe_agent_is_read_whole_without_its_exits() -> None:
    found = traces("agent/mini_swe_agent")
    assert len(found) == 128
    roles = {message["role"] for trace in found for message in trace.messages}
    assert roles == {"system", "user", "assistant", "tool"}


def test_openai_http_logs_are_read_whole() -> None:
    assert [len(trace.messages) for trace in traces("formats/openai_http")] == [2] * 8


def test_anthropic_http_logs_are_read_with_system_and_tools() -> None:
    found = traces("formats/anthropic_http")
    assert len(found) == 64
    assert max(len(trace.messages) for trace in found) == 27
    assert sum(trace.system is not None for trace in found) > 40
    assert sum(trace.tools is not None for trace in found) == 17
