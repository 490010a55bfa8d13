"""Trajectories of tau-bench, tau2-bench and mini-swe-agent: message lists that have a name."""

from __future__ import annotations

import io
import json
from typing import Any, ClassVar

from lre.testing.readers import ReaderContract
from lre.traces import Trace, read
from reallogs import counts, logs

CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "find my order, it is für Ada"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "W12"},
]


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def traces(value: object) -> list[Trace]:
    return list(read(io.BytesIO(dumped(value)), strict=True))


class TestTauBench(ReaderContract):
    reader = "tau_bench"
    sessions = 2
    RUNS: ClassVar = [{"task_id": task, "traj": CHAT, "reward": 1.0} for task in (0, 7)]

    def sample(self) -> bytes:
        return dumped(self.RUNS)


class TestTau2Bench(ReaderContract):
    reader = "tau2_bench"
    RUN: ClassVar = {"id": "x", "task_id": "3", "messages": CHAT, "termination_reason": "user_stop"}

    def sample(self) -> bytes:
        return dumped({"info": {}, "tasks": [], "simulations": [self.RUN]})


class TestTau2BenchList(ReaderContract):
    reader = "tau2_bench"

    def sample(self) -> bytes:
        return dumped([TestTau2Bench.RUN])


class TestMiniSWEAgent(ReaderContract):
    reader = "mini_swe_agent"
    RUN: ClassVar = {
        "info": {"exit_status": "Submitted", "mini_version": "1.0.0"},
        "messages": [*CHAT, {"role": "exit", "content": "diff"}],
        "instance_id": "a__b-1",
    }

    def sample(self) -> bytes:
        return dumped(self.RUN)


def test_the_format_of_a_trajectory_is_enough_to_know_it() -> None:
    (trace,) = traces({"messages": CHAT, "trajectory_format": "mini-swe-agent-1.1"})
    assert trace.meta["reader"] == "mini_swe_agent"


def test_the_exit_of_a_trajectory_is_left_out() -> None:
    (trace,) = traces(TestMiniSWEAgent.RUN)
    assert (trace.messages, trace.task) == (CHAT, "a__b-1")


def test_real_tau_bench_runs_are_read_whole() -> None:
    found = logs("agent/tau_bench")
    assert {trace.meta["reader"] for trace in found} == {"tau_bench"}
    assert counts(found) == {
        "sessions": 115,
        "messages": 3804,
        "calls": 932,
        "results": 932,
        "failed": 0,
        "orphans": 0,
    }


def test_real_tau2_bench_simulations_are_read_whole() -> None:
    found = logs("agent/tau2_bench")
    assert {trace.meta["reader"] for trace in found} == {"tau2_bench"}
    assert counts(found) == {
        "sessions": 1075,
        "messages": 30_496,
        "calls": 9871,
        "results": 9871,
        "failed": 272,
        "orphans": 0,
    }


def test_real_mini_swe_agent_trajectories_are_read_whole() -> None:
    """Two of the 128 files are bare lists of messages, which `lists` reads."""
    found = logs("agent/mini_swe_agent")
    own = [trace for trace in found if trace.meta["reader"] == "mini_swe_agent"]
    assert [trace.meta["reader"] for trace in found if trace not in own] == ["lists"] * 2
    assert counts(own) == {
        "sessions": 126,
        "messages": 19_989,
        "calls": 9929,
        "results": 9808,
        "failed": 999,
        "orphans": 0,
    }
