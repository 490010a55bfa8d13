"""Langfuse: generations of many SDKs, in traces, pages and lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from logged import calls, document, lines, real, results, roles, thoughts, traces, unpaired
from lre import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped

Node = dict[str, Any]

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ASK = {"role": "user", "content": "What is there?"}
CALLING = {"role": "assistant", "content": "", "tool_calls": [CALL]}
RETURNED = {"role": "tool", "tool_call_id": "c1", "content": "a box"}
REPLY = {"role": "assistant", "content": "One box."}


def observation(number: int, given: object, output: object, kind: str = "GENERATION") -> Node:
    return {
        "id": f"o{number}",
        "traceId": "t1",
        "parentObservationId": "o0" if number else None,
        "type": kind,
        "level": "DEFAULT",
        "startTime": f"2026-01-01T00:00:0{number}Z",
        "input": json.dumps(given),
        "output": json.dumps(output),
        "model": "m-1",
    }


OBSERVATIONS = [
    observation(2, [ASK, CALLING, RETURNED], REPLY),  # the page sorts them anyhow
    observation(0, {"messages": [ASK]}, None, "SPAN"),
    observation(1, [ASK], CALLING),
]


def trace(*observations: object, **more: object) -> Node:
    return {"trace": {"id": "t1", "name": "agent", **more}, "observations": list(observations)}


class TestContract(ReaderContract):
    reader = "langfuse"

    def sample(self) -> bytes:
        return document(trace(*OBSERVATIONS))


class TestContractOfLines(ReaderContract):
    reader = "langfuse"
    sessions = 2

    def sample(self) -> bytes:
        return lines(trace(*OBSERVATIONS), trace(*OBSERVATIONS, sessionId="s"))


def test_the_last_generation_and_its_reply_are_the_session() -> None:
    (found,) = traces(document(trace(*OBSERVATIONS)))
    assert found.messages == [ASK, CALLING, RETURNED, REPLY]
    assert (found.meta["model"], found.meta["time"]) == ("m-1", "2026-01-01T00:00:02Z")


@pytest.mark.parametrize(
    "log",
    [
        document({"id": "t1", "sessionId": None, "observations": OBSERVATIONS}),
        document([trace(*OBSERVATIONS)]),
        document({"data": OBSERVATIONS, "meta": {"page": 1}}),
        document({"trace": {"id": "t1", "observations": OBSERVATIONS}}),
        lines(*OBSERVATIONS),
    ],
    ids=["the API", "a list", "a page", "inside", "lines"],
)
def test_exports_of_all_kinds_give_the_same(log: bytes) -> None:
    assert [one.messages for one in traces(log)] == [[ASK, CALLING, RETURNED, REPLY]]


def test_the_snake_case_of_exports_to_a_bucket_is_read() -> None:
    keys = {"parentObservationId": "parent_observation_id", "traceId": "trace_id"}
    snake = [{keys.get(key, key): value for key, value in one.items()} for one in OBSERVATIONS]
    assert [one.messages for one in traces(lines(*snake))] == [[ASK, CALLING, RETURNED, REPLY]]


def test_traces_of_a_session_are_one_task_and_continue_one_another() -> None:
    later = observation(3, [ASK, CALLING, RETURNED, REPLY, ASK], REPLY)
    found = traces(lines(trace(*OBSERVATIONS, sessionId="s"), trace(later, sessionId="s")))
    assert [(one.task, len(one.messages)) for one in found] == [("s", 6)]


def test_definitions_of_tools_among_the_messages_are_tools() -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {}}}
    given = [ASK, {"role": "tool", "content": tool}]
    (found,) = traces(document(trace(observation(1, given, REPLY))))
    assert found.messages == [ASK, REPLY]
    assert found.tools == [tool]


def test_what_a_tool_gave_to_the_last_call_is_its_result_and_an_error_is_one() -> None:
    about = {"attributes": {"ai.toolCall.id": "c1"}}
    gave = {**observation(3, {}, "no box", "TOOL"), "metadata": json.dumps(about), "level": "ERROR"}
    (found,) = traces(document(trace(observation(1, [ASK], CALLING), gave)))
    assert [(one.text, one.is_error) for one in results(found)] == [("no box", True)]


def test_a_generation_without_messages_is_reported_with_its_place() -> None:
    told: list[Skipped] = []
    log = trace(7, observation(1, None, "Hello"), *OBSERVATIONS[:1])
    (found,) = traces(document(log), told)
    assert len(found.messages) == 4
    assert [one.where for one in told] == [
        "stream: observations[0]",
        "stream: observations[1].input",
    ]


def test_messages_as_the_page_shows_them_keep_the_inputs_dialect() -> None:
    """The reply's calls become blocks again where the input has Anthropic's blocks."""
    used = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "a box"}
    sent = [ASK, {"role": "assistant", "content": [used]}, {"role": "user", "content": [result]}]
    call = {"id": "c2", "name": "look", "arguments": '{"id": 2}', "type": "function"}
    reply = {"role": "assistant", "type": "message", "content": "Again.", "tool_calls": [call]}
    thought = {"type": "thinking", "content": "Look again.", "signature": "s=="}

    def shown(*messages: object) -> Node:
        return {"success": True, "data": list(messages)}

    (found,) = traces(
        document({"o1": {"input": shown(*sent), "output": shown({**reply, "thinking": [thought]})}})
    )
    assert [block["type"] for block in found.messages[3]["content"]] == [
        *("thinking", "text", "tool_use"),
    ]
    assert [one.arguments for one in calls(found)] == ["{}", '{"id": 2}']
    assert [(one.text, one.sealed) for one in thoughts(found)] == [("Look again.", 3)]


REAL = {
    "1a89": (["system", "user", "assistant"], 0, 0),
    "bd6c": (["system", "user", "assistant"], 0, 0),
    "1bc1": (["user", "user", "assistant", "tool", "assistant"], 1, 1),
    "62b3": (["user", "function_call", "function_call_output", "assistant"], 1, 1),
    "6581": (["user", "model"], 0, 0),
    "9439": (["user", "assistant", "tool"], 1, 1),
}


@pytest.mark.parametrize("part", REAL)
def test_real_traces_give_one_session_each(part: str) -> None:
    (path,) = real("langfuse", f"{part}*")
    (found,) = traces(path.read_bytes())
    expected, called, came = REAL[part]
    assert roles(found) == expected
    assert (len(calls(found)), len(results(found)), unpaired(found)) == (called, came, 0)
    assert problems(found.messages) == []


def test_real_traces_keep_system_and_tools_apart() -> None:
    by_part = {
        path.name[:4]: traces(path.read_bytes())[0] for path in real("langfuse", "*trace.json")
    }
    assert {part for part, one in by_part.items() if one.tools} == {"1bc1", "62b3", "9439"}
    assert by_part["62b3"].system == "You are a helpful agent."
    assert by_part["1a89"].task == "session_abc"


def test_real_messages_of_the_page_give_the_conversations_that_go_on() -> None:
    """Six observations: two begin others; one of the four left ends in three open calls."""
    (path,) = real("langfuse", "5a23*")
    found = traces(path.read_bytes())
    assert [len(one.messages) for one in found] == [4, 2, 4, 4]
    assert [len(calls(one)) for one in found] == [2, 0, 4, 3]
    assert [{rule.rule for rule in problems(one.messages)} for one in found] == [
        *(set(), set(), {"use-without-result"}, set()),
    ]
