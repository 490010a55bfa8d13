"""Copilot CLI: events to messages, results behind their calls, compactions, subagents."""

from __future__ import annotations

import io
import itertools
import json
from typing import Any

import pytest

from lre.lint import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from realdata import DATA

Event = dict[str, Any]

_COUNT = itertools.count()
TIME = "2026-01-01T00:00:00Z"


def event(kind: str, agent: str = "", **data: object) -> Event:
    head = {"type": kind, "data": data, "id": f"e{next(_COUNT)}", "timestamp": TIME}
    return {**head, "parentId": None} | ({"agentId": agent} if agent else {})


def prompt(text: str) -> Event:
    return event("user.message", content=text, transformedContent=f"<now/>{text}", attachments=[])


def reply(text: str, *calls: str, thought: str = "") -> Event:
    requests = [
        {"toolCallId": call, "name": "bash", "arguments": {"command": "ls"}, "type": "function"}
        for call in calls
    ]
    return event("assistant.message", content=text, toolRequests=requests, reasoningText=thought)


def result(call: str, text: str) -> Event:
    found = {"content": text, "detailedContent": f"{text}, at length"}
    return event("tool.execution_complete", toolCallId=call, success=True, result=found)


START = event("session.start", sessionId="s-1", copilotVersion="1.0.68", selectedModel="gpt-5.4")
SYSTEM = event("system.message", role="system", content="You code, für Ada.")
SESSION = [
    START,
    event("hook.start", hookInvocationId="h1"),
    SYSTEM,
    prompt("List both."),
    event("assistant.turn_start", turnId="0"),
    reply("Looking.", "c1", "c2", thought="Two folders."),
    event("tool.execution_start", toolCallId="c1", toolName="bash", arguments={"command": "ls"}),
    result("c1", "a.py"),
    result("c2", "b.py"),
    reply("a.py and b.py"),
    event("session.shutdown", shutdownType="routine"),
]


def logged(*events: Event) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in events).encode()


def traces(*events: Event) -> list[Trace]:
    return list(read(io.BytesIO(logged(*events)), strict=True))


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in trace.messages]


class TestContract(ReaderContract):
    reader = "copilot_cli"

    def sample(self) -> bytes:
        return logged(*SESSION)


def test_events_become_messages_with_reasoning_and_times() -> None:
    (trace,) = traces(*SESSION)
    assert said(trace) == [
        ("system", "You code, für Ada."),
        ("user", "<now/>List both."),
        ("assistant", "Looking."),
        ("tool", "a.py"),
        ("tool", "b.py"),
        ("assistant", "a.py and b.py"),
    ]
    calls = trace.messages[2]["tool_calls"]
    assert [call["id"] for call in calls] == ["c1", "c2"]
    assert calls[0]["function"] == {"name": "bash", "arguments": '{"command": "ls"}'}
    assert trace.messages[2]["reasoning_content"] == "Two folders."
    assert {entry["timestamp"] for entry in trace.messages} == {TIME}
    assert not problems(trace.messages)
    assert (trace.task, trace.meta["model"]) == ("s-1", "gpt-5.4")


def test_a_prompt_between_call_and_result_comes_after_the_result() -> None:
    (trace,) = traces(START, prompt("Go"), reply("", "c1"), prompt("Faster"), result("c1", "a"))
    assert [entry["role"] for entry in trace.messages] == ["user", "assistant", "tool", "user"]


def test_a_failed_call_is_an_error() -> None:
    failed = event(
        "tool.execution_complete",
        toolCallId="c1",
        success=False,
        error={"message": "no such file", "code": "failure"},
    )
    (trace,) = traces(START, prompt("Go"), reply("", "c1"), failed)
    assert (trace.messages[-1]["content"], trace.messages[-1]["error"]) == ("no such file", True)


def test_reasoning_told_before_the_reply_goes_with_it() -> None:
    thought = event("assistant.reasoning", reasoningId="r1", content="Hm.")
    (trace,) = traces(START, prompt("Go"), thought, reply("Done"), reply("Really"))
    assert [entry.get("reasoning_content") for entry in trace.messages] == [None, "Hm.", None]


def test_a_compaction_begins_a_session_with_system_message_and_summary() -> None:
    failed = event("session.compaction_complete", success=False, error="no model")
    done = event("session.compaction_complete", success=True, summaryContent="Listed both.")
    before, after = traces(*SESSION, failed, done, prompt("More"), reply("Sure"))
    assert len(before.messages) == 6
    assert said(after)[:2] == [("system", "You code, für Ada."), ("user", "Listed both.")]
    assert said(after)[-1] == ("assistant", "Sure")
    assert before.task == after.task


def test_a_subagent_is_a_session_of_the_same_task() -> None:
    main, side = traces(
        START,
        prompt("Find it"),
        reply("", "c1"),
        event("user.message", agent="a1", content="You search"),
        event("assistant.message", parentToolCallId="c1", content="older form", toolRequests=[]),
        event("assistant.message", agent="a1", content="Here", toolRequests=[]),
        result("c1", "Here"),
    )[:2]
    assert [entry["role"] for entry in main.messages] == ["user", "assistant", "tool"]
    assert said(side) == [("user", "You search"), ("assistant", "Here")]
    assert (main.task, main.meta["agent"]) == (side.task, "")
    assert side.meta["agent"] == "a1"


def test_what_was_rewound_and_what_a_user_ran_past_the_model_is_left_out() -> None:
    taken_back = prompt("Bad idea")
    ran = event("tool.execution_complete", toolCallId="u1", success=True, isUserRequested=True)
    rewind = event("session.snapshot_rewind", upToEventId=taken_back["id"], eventsRemoved=2)
    (trace,) = traces(*SESSION, ran, taken_back, reply("Done"), rewind, prompt("Good idea"))
    assert said(trace)[-2:] == [("assistant", "a.py and b.py"), ("user", "<now/>Good idea")]


def test_a_repeated_system_message_and_an_empty_reply_say_nothing() -> None:
    again = event("system.message", role="system", content="You code, für Ada.")
    (trace,) = traces(START, SYSTEM, prompt("Go"), again, reply(""), reply("Done"))
    assert [entry["role"] for entry in trace.messages] == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (7, "stream:2"),
        ({"type": "user.message", "data": None}, "stream:2"),
        (event("user.message", content=7), "stream:2: data.content"),
        (event("assistant.message", content="", toolRequests=7), "stream:2: data.toolRequests"),
        (event("assistant.message", content="", toolRequests=[7]), "stream:2: data.toolRequests"),
    ],
)
def test_what_is_no_event_is_reported_and_skipped(bad: Any, place: str) -> None:
    told: list[Skipped] = []
    (trace,) = read(io.BytesIO(logged(START, bad, *SESSION[1:])), on_problem=told.append)
    assert len(trace.messages) == 6
    assert [problem.where for problem in told] == [place]


def test_real_sessions_are_read_whole() -> None:
    """Both hold one prompt; the reply of one is empty (counted over the raw lines)."""
    if DATA is None or not (DATA / "formats/copilot_cli").is_dir():
        pytest.skip("formats/copilot_cli is not there: set LRE_DATA to the folder of the data")
    found = list(read(DATA / "formats/copilot_cli", strict=True))
    roles = [[entry["role"] for entry in trace.messages] for trace in found]
    assert roles == [["system", "user", "assistant"], ["system", "user"]]
    assert found[0].messages[-1]["content"] == "PASS"
    assert all(trace.messages[1]["content"].startswith("<current_datetime>") for trace in found)
    assert not any(problems(trace.messages) for trace in found)


def test_sessions_that_were_joined_are_taken_apart() -> None:
    other = event("session.start", sessionId="s-2")
    found = traces(START, prompt("One?"), START, prompt("Two?"), other, prompt("Three?"))
    assert [(one.task, len(one.messages)) for one in found] == [("s-1", 2), ("s-2", 1)]
