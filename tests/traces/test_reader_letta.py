"""Letta agent files: approvals are calls, parallel results come apart, tools stand beside."""

from __future__ import annotations

from typing import Any

import pytest

from logged import calls, document, real, results, roles, thoughts, traces, unpaired
from lre import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped

Message = dict[str, Any]
TIME = "2026-01-01T00:00:00Z"


def message(role: str, *blocks: Message, **more: object) -> Message:
    return {"type": "message", "role": role, "content": list(blocks), "created_at": TIME, **more}


def text(words: str) -> Message:
    return {"type": "text", "text": words, "signature": None}


def call(call_id: str, **arguments: object) -> Message:
    function = {"name": "look", "arguments": document(arguments).decode()}
    return {"id": call_id, "type": "function", "function": function}


def came_back(call_id: str, words: str, status: str = "success") -> Message:
    return {"tool_call_id": call_id, "status": status, "func_response": words}


THOUGHT = {"type": "reasoning", "is_native": True, "reasoning": "Look first.", "signature": "s=="}
BOTH = [came_back("c1", "a box"), came_back("c2", "no box", "error")]
SESSION = [
    message("system", text("Be brief.")),
    message("user", text("What is there?")),
    message("approval", THOUGHT, text("I look."), tool_calls=[call("c1", id=7), call("c2", id=8)]),
    message("approval", approvals=BOTH),
    message("tool", tool_call_id="c1", tool_returns=BOTH),
    message("assistant", text("One box.")),
]


def file(*messages: object, **more: object) -> Message:
    tools = [
        {"id": "tool-0", "json_schema": {"name": "look", "parameters": {}}},
        {"id": "tool-1", "json_schema": {"name": "unused", "parameters": {}}},
    ]
    agent = {"name": "clerk", "agent_type": "letta_v1_agent", "tool_ids": ["tool-0"], **more}
    return {"agents": [{**agent, "messages": list(messages)}], "tools": tools, "groups": []}


class TestContract(ReaderContract):
    reader = "letta"

    def sample(self) -> bytes:
        return document(file(*SESSION))


def test_an_approval_with_calls_is_the_assistants_turn_and_one_without_is_left_out() -> None:
    (trace,) = traces(document(file(*SESSION)))
    assert roles(trace) == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert [one.arguments for one in calls(trace)] == ['{\n "id": 7\n}', '{\n "id": 8\n}']
    assert trace.messages[2]["content"] == "I look."


def test_parallel_results_come_apart_with_their_errors_and_times() -> None:
    (trace,) = traces(document(file(*SESSION)))
    assert [(one.call_id, one.text, one.is_error) for one in results(trace)] == [
        ("c1", "a box", False),
        ("c2", "no box", True),
    ]
    assert {entry["timestamp"] for entry in trace.messages} == {TIME}


def test_reasoning_keeps_its_seal() -> None:
    (trace,) = traces(document(file(*SESSION)))
    assert [(one.text, one.sealed) for one in thoughts(trace)] == [("Look first.", 3)]


def test_the_tools_are_those_of_the_agent() -> None:
    (trace,) = traces(document(file(*SESSION)))
    assert [one["function"]["name"] for one in trace.tools] == ["look"]
    assert trace.meta["agent"] == "clerk"


def test_an_older_file_is_one_agent_and_its_results_are_texts() -> None:
    returned = message("tool", text("a box"), tool_call_id="c1", tool_returns=[])
    messages = [message("user", text("Look!")), message("assistant", tool_calls=[call("c1")])]
    old = {"agent_type": "memgpt_agent", "in_context_message_indices": [0], "tools": []}
    (trace,) = traces(document({**old, "messages": [*messages, returned]}))
    assert [(one.call_id, one.text) for one in results(trace)] == [("c1", "a box")]
    assert trace.tools is None


def test_several_agents_are_several_sessions() -> None:
    one, two = file(*SESSION), file(message("user", text("Hi")))
    found = traces(document({**one, "agents": [*one["agents"], *two["agents"]]}))
    assert [trace.name for trace in found] == ["stream#0", "stream#1"]
    assert [trace.meta["where"] for trace in found] == ["stream: agents[0]", "stream: agents[1]"]


def test_what_is_no_message_is_reported_with_its_place() -> None:
    told: list[Skipped] = []
    (trace,) = traces(document(file(SESSION[1], 7, message("robot"))), told)
    assert roles(trace) == ["user"]
    assert [one.where for one in told] == [
        "stream: agents[0].messages[1]",
        "stream: agents[0].messages[2]",
    ]


@pytest.mark.parametrize(
    ("part", "size", "called", "came", "failed", "thought"),
    [("5860", 7, 2, 2, 0, 0), ("d25b", 20, 11, 8, 1, 5), ("e748", 4, 1, 1, 0, 0)],
)
def test_real_files_are_read_whole(
    part: str, size: int, called: int, came: int, failed: int, thought: int
) -> None:
    """`d25b` ends in three open calls, and eight results came in four messages for four others."""
    (path,) = real("letta", f"{part}*")
    (trace,) = traces(path.read_bytes())
    assert len(trace.messages) == size
    assert len(calls(trace)) == called
    assert [one.is_error for one in results(trace)].count(True) == failed
    assert (len(results(trace)), len(thoughts(trace))) == (came, thought)
    assert unpaired(trace) == 0
    assert {one.rule for one in problems(trace.messages)} == (
        {"call-without-result"} if part == "d25b" else set()
    )
