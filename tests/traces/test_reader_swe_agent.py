"""SWE-agent trajectories: what each agent was sent, its calls, and steps without a history."""

from __future__ import annotations

import io
import json
from typing import Any

from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from reallogs import counts, logs

SYSTEM = {"role": "system", "content": "Work in the shell.", "agent": "main"}
DEMO = {"role": "user", "content": "Here is how.", "agent": "main", "is_demo": True}
ISSUE = {"role": "user", "content": "Rounding is off, für Ada.", "agent": "main"}
CALL = {
    "role": "assistant",
    "content": "Look.",
    "thought": "Look.",
    "action": "ls",
    "agent": "main",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}],
}
SEEN = {"role": "tool", "content": "a.py", "agent": "main", "tool_call_ids": ["c1"]}
HISTORY: list[dict[str, Any]] = [SYSTEM, DEMO, ISSUE, CALL, SEEN]
STEP = {"action": "ls", "observation": "a.py", "response": "Look: ls", "thought": "Look."}


def traces(value: object, told: list[Skipped] | None = None) -> list[Trace]:
    data = io.BytesIO(json.dumps(value, ensure_ascii=False).encode())
    return list(
        read(data, strict=told is None, on_problem=told.append if told is not None else None)
    )


def log(*history: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"history": [*history], "trajectory": [STEP], "environment": "main", **more}


class TestContract(ReaderContract):
    reader = "swe_agent"

    def sample(self) -> bytes:
        return json.dumps(log(*HISTORY, info={"exit_status": "submitted"}), indent=1).encode()


class TestAttempts(ReaderContract):
    reader = "swe_agent"
    sessions = 2

    def sample(self) -> bytes:
        attempts = [log(*HISTORY), log(*HISTORY[:4], SEEN | {"content": "b.py"})]
        return json.dumps({"attempts": attempts, **attempts[1]}).encode()


def test_a_result_names_its_call_and_the_rest_stays_as_it_is() -> None:
    (trace,) = traces(log(*HISTORY, info={"exit_status": "submitted"}))
    assert trace.messages == [*HISTORY[:-1], {**SEEN, "tool_call_id": "c1"}]
    assert trace.meta["exit_status"] == "submitted"
    assert trace.meta["environment"] == "main"


def test_the_demonstration_does_not_name_the_task() -> None:
    (first,) = traces(log(SYSTEM, DEMO, ISSUE))
    (second,) = traces(log(SYSTEM, DEMO, {**ISSUE, "content": "Another issue."}))
    (without,) = traces(log(SYSTEM, ISSUE))
    assert first.task == without.task != second.task


def test_each_agent_is_a_session_of_what_it_was_sent() -> None:
    told = {"role": "user", "content": "Sum it up.", "agent": "summarizer"}
    main, other = traces(log(SYSTEM, told, ISSUE))
    assert (main.messages, other.messages) == ([SYSTEM, ISSUE], [told])
    assert (main.meta["agent"], other.meta["agent"]) == ("main", "summarizer")


def test_a_demonstration_under_another_name_was_never_sent() -> None:
    foreign = {**DEMO, "agent": "primary"}
    (trace,) = traces(log(SYSTEM, foreign, ISSUE))
    assert trace.messages == [SYSTEM, ISSUE]


def test_without_a_history_the_steps_are_read() -> None:
    (trace,) = traces({"trajectory": [{**STEP, "query": [SYSTEM, ISSUE]}, {**STEP, "query": [7]}]})
    said = [(entry["role"], entry["content"]) for entry in trace.messages]
    assert said[:2] == [("system", SYSTEM["content"]), ("user", ISSUE["content"])]
    assert said[2:] == [("assistant", "Look: ls"), ("user", "a.py")] * 2


def test_a_bad_entry_is_reported_with_its_path_and_the_rest_is_read() -> None:
    told: list[Skipped] = []
    (trace,) = traces(log(SYSTEM, {"content": "nobody's"}, ISSUE), told)
    assert trace.messages == [SYSTEM, ISSUE]
    assert [problem.where for problem in told] == ["stream: history[1]"]


def test_real_trajectories_are_read_whole() -> None:
    """One ends with an open call, to submit; 21 different issues are worked on."""
    found = logs("agent/swe_agent")
    assert counts(found) == {
        "sessions": 25,
        "messages": 551,
        "calls": 40,
        "results": 39,
        "failed": 0,
        "orphans": 0,
    }
    assert len({trace.task for trace in found}) == 21
