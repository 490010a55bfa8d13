"""Real logs are read without a skipped record, where the data are there."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lre.traces import Skipped, Trace, read

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("LRE_DATA") or ROOT.parent / "shared" / "data")


def traces(folder: str) -> list[Trace]:
    path = DATA / folder
    if not path.exists():
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
    assert len(found) == 50
    assert max(len(trace.messages) for trace in found) == 27
    assert sum(trace.system is not None for trace in found) == 32
    assert sum(trace.tools is not None for trace in found) == 3


def faults(found: list[Trace]) -> Counter[str]:
    return sum((Counter(trace.meta["faults"]) for trace in found), Counter())


def test_locomo_is_read_whole_and_its_faults_are_counted() -> None:
    """Of 2,815 references, 9 are no turn's id: 4 hold several ids, and 5 lead nowhere."""
    found = traces("locomo/locomo10.json")
    assert len(found) == 10
    assert sum(len(trace.messages) for trace in found) == 5882
    questions = [one for trace in found for one in trace.questions]
    assert len(questions) == 1986
    assert Counter(one.category for one in questions) == {
        "multi-hop": 282,
        "temporal": 321,
        "open-domain": 96,
        "single-hop": 841,
        "adversarial": 446,
    }
    assert {one.category for one in questions if not one.answer} == {"adversarial"}
    assert faults(found) == {
        "joined evidence": 4,
        "unresolved evidence": 5,
        "repeated evidence": 1,
        "integer answers": 6,
        "questions without evidence": 5,
    }


def evidence_sessions(trace: Trace) -> set[int]:
    return {trace.messages[i]["session"] for i in trace.questions[0].evidence}


LONGMEMEVAL = "longmemeval/longmemeval_s_cleaned.499of500.dedup.json.xz"


def test_longmemeval_is_read_whole_with_every_session_once_in_memory() -> None:
    found = traces(LONGMEMEVAL)
    assert len(found) == 499
    assert sum(trace.meta["abstention"] for trace in found) == 30
    assert all(trace.questions[0].evidence for trace in found)
    assert sum(len(evidence_sessions(trace)) for trace in found) == 946
    assert sum(len(trace.questions[0].evidence) for trace in found) == 1991
    assert sum(trace.messages[-1]["session"] + 1 for trace in found) == 23_806
    assert len({id(entry["content"]) for trace in found for entry in trace.messages}) < 200_000
    assert faults(found) == {"integer answers": 32, "repeated sessions": 13, "empty turns": 12}


def test_longmemeval_oracle_is_read_whole() -> None:
    found = traces("longmemeval/longmemeval_oracle.json.xz")
    assert len(found) == 500
    for trace in found:
        assert evidence_sessions(trace) == {entry["session"] for entry in trace.messages}
    assert sum(len(trace.questions[0].evidence) for trace in found) == 1993
    assert faults(found) == {"integer answers": 32}
