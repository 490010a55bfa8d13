"""OpenHands events: replies with their results, and logs that link them by cause."""

from __future__ import annotations

import io
import json
from typing import Any

from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from reallogs import counts, logs

Event = dict[str, Any]


def asked(call_id: str, name: str = "execute_bash") -> Event:
    function = {"name": name, "arguments": '{"command": "ls"}'}
    return {"id": call_id, "type": "function", "function": function}


def reply(name: str, *calls: Event) -> Event:
    message = {"role": "assistant", "content": "Look.", "tool_calls": [*calls]}
    return {"id": name, "choices": [{"message": message}]}


def event(number: int, source: str, **more: object) -> Event:
    return {"id": number, "timestamp": f"2026-01-01T00:00:0{number}", "source": source, **more}


def acted(number: int, call_id: str, response: Event, action: str = "run") -> Event:
    told = {"tool_call_id": call_id, "model_response": response}
    return event(number, "agent", action=action, args={}, tool_call_metadata=told)


def observed(number: int, call_id: str, content: str, code: int = 0, kind: str = "run") -> Event:
    framed = {"exit_code": code, "prefix": "[older] ", "suffix": "\n[done]"}
    told = {"tool_call_id": call_id}
    extras = {"metadata": framed}
    given = {"observation": kind, "content": content, "extras": extras, "cause": number - 1}
    return event(number, "agent", tool_call_metadata=told, **given)


SYSTEM = event(0, "agent", action="system", args={"content": "Be careful.", "tools": [{"x": 1}]})
TASK = event(1, "user", action="message", args={"content": "Mend it, für Ada.", "image_urls": None})
RECALL = event(2, "user", action="recall", args={"query": "Mend it"})
KNOWN = {"microagent_knowledge": [{"name": "git", "content": "Never push to main."}]}
RECALLED = event(
    3, "environment", cause=2, observation="recall", content="Added context", extras=KNOWN
)
STATE = event(4, "environment", observation="agent_state_changed", content="", extras={})
BOTH = reply("r1", asked("c1"), asked("c2"))
RUN = [SYSTEM, TASK, RECALL, RECALLED, STATE]
RUN += [acted(5, "c1", BOTH), observed(6, "c1", "a.py"), acted(7, "c2", BOTH)]
RUN += [observed(8, "c2", "no such file", code=1)]


def traces(*events: object, told: list[Skipped] | None = None, **more: object) -> list[Trace]:
    data = io.BytesIO(json.dumps({"history": [*events], **more}).encode())
    return list(
        read(data, strict=told is None, on_problem=told.append if told is not None else None)
    )


class TestEvaluation(ReaderContract):
    reader = "openhands"
    sessions = 2

    def sample(self) -> bytes:
        runs = ({"instance_id": name, "history": RUN, "error": None} for name in ("a__b-1", "c"))
        return "".join(json.dumps(run) + "\n" for run in runs).encode()


class TestTrajectory(ReaderContract):
    reader = "openhands"

    def sample(self) -> bytes:
        return json.dumps(RUN, ensure_ascii=False).encode()


def test_a_reply_comes_once_with_all_its_results() -> None:
    (trace,) = traces(*RUN, instance_id="a__b-1")
    system, task, recalled, both, first, second = trace.messages
    assert (system["role"], system["content"]) == ("system", "Be careful.")
    assert (task["role"], task["content"]) == ("user", "Mend it, für Ada.")
    assert (recalled["role"], recalled["content"]) == ("user", "Never push to main.")
    assert [call["id"] for call in both["tool_calls"]] == ["c1", "c2"]
    assert (first["tool_call_id"], first["content"]) == ("c1", "[older] a.py\n[done]")
    assert (second["tool_call_id"], second["error"]) == ("c2", True)
    assert (trace.task, trace.tools) == ("a__b-1", [{"x": 1}])
    assert both["timestamp"] == "2026-01-01T00:00:05"


def test_a_command_that_still_runs_has_not_failed() -> None:
    (trace,) = traces(
        TASK, acted(2, "c1", reply("r", asked("c1"))), observed(3, "c1", "…", code=-1)
    )
    assert "error" not in trace.messages[-1]


def test_an_edit_that_says_error_has_failed() -> None:
    edited = observed(3, "c1", "ERROR:\nno replacement", kind="edit") | {"extras": {}}
    (trace,) = traces(TASK, acted(2, "c1", reply("r", asked("c1"))), edited)
    assert trace.messages[-1]["error"] is True


def test_what_a_call_gives_later_is_told_as_by_a_user() -> None:
    call, late = acted(2, "c1", reply("r", asked("c1"))), observed(4, "c1", "more")
    (trace,) = traces(TASK, call, observed(3, "c1", "some"), late)
    assert [entry["role"] for entry in trace.messages[2:]] == ["tool", "user"]


def test_an_error_of_no_call_is_told_as_by_a_user() -> None:
    (trace,) = traces(TASK, event(2, "agent", observation="error", content="bad parameter"))
    assert trace.messages[-1]["role"] == "user"
    assert trace.messages[-1]["content"] == "bad parameter"


def test_without_the_models_reply_cause_links_results_to_calls() -> None:
    args = {"command": "ls", "thought": "Look."}
    pair = [
        event(2, "agent", action="run", args=args),
        event(3, "agent", observation="run", content="a.py", cause=2, extras={"exit_code": 2}),
    ]
    for events in ([TASK, *pair], [[TASK, STATE], pair]):
        (trace,) = traces(*events)
        _, call, result = trace.messages
        assert call["content"] == "Look."
        assert call["tool_calls"][0]["function"] == {
            "name": "run",
            "arguments": '{"command": "ls"}',
        }
        assert result["tool_call_id"] == call["tool_calls"][0]["id"]
        assert result["error"] is True


def test_what_the_user_ran_is_said_by_the_user() -> None:
    ran = event(2, "user", action="run", args={"command": "make"})
    seen = event(3, "agent", observation="run", content="ok", cause=2, extras={})
    (trace,) = traces(TASK, ran, seen)
    assert [(entry["role"], entry["content"]) for entry in trace.messages[1:]] == [
        ("user", "make"),
        ("user", "ok"),
    ]


def test_a_picture_of_the_user_is_shown() -> None:
    args = {"content": "See this.", "image_urls": ["data:image/png;base64,AAAA"]}
    (trace,) = traces(event(1, "user", action="message", args=args))
    assert [part["type"] for part in trace.messages[0]["content"]] == ["text", "image_url"]


def test_a_last_call_without_a_result_stays_open() -> None:
    finished = acted(2, "c1", reply("r", asked("c1", "finish")), action="finish")
    (trace,) = traces(TASK, finished)
    assert trace.messages[-1]["tool_calls"][0]["function"]["name"] == "finish"


def test_what_is_no_event_is_reported_with_its_place() -> None:
    told: list[Skipped] = []
    (trace,) = traces(SYSTEM, 7, TASK, told=told)
    assert len(trace.messages) == 2
    assert [problem.where for problem in told] == ["stream: event 1"]


def test_real_events_are_read_whole() -> None:
    """Three runs: 105 replies; two finish with a call that has no result."""
    found = logs("formats/openhands_events")
    assert counts(found) == {
        "sessions": 3,
        "messages": 48 + 68 + 101,
        "calls": 23 + 33 + 49,
        "results": 22 + 32 + 49,
        "failed": (5 + 1) + (2 + 11) + (12 + 12),
        "orphans": 0,
    }
    assert [trace.task.rpartition("-")[2] for trace in found] == ["4595", "4593", "4588"]
