"""ATIF trajectories: steps with calls and their results, and those of subagents."""

from __future__ import annotations

import io
import json
from typing import Any

from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from reallogs import counts, logs

Step = dict[str, Any]


def call(name: str) -> dict[str, Any]:
    return {"tool_call_id": name, "function_name": "run", "arguments": {"keys": "ls\n"}}


def agent(*calls: str, results: list[dict[str, Any]] | None = None, **more: object) -> Step:
    seen = {} if results is None else {"observation": {"results": results}}
    called = {"tool_calls": [call(name) for name in calls]} if calls else {}
    return {"source": "agent", "message": "Look.", **called, **seen, **more}


USER = {"step_id": 1, "source": "user", "message": "Mend it, für Ada.", "timestamp": "2026-01-01"}
PAIRED = agent(
    "c1",
    "c2",
    results=[
        {"source_call_id": "c2", "content": "two"},
        {"source_call_id": "c1", "content": "one"},
    ],
)


def log(*steps: object, **more: object) -> dict[str, Any]:
    head = {"schema_version": "ATIF-v1.6", "session_id": "s1", "agent": {"name": "a"}}
    return {**head, "steps": [*steps], **more}


def traces(value: object, told: list[Skipped] | None = None) -> list[Trace]:
    data = io.BytesIO(json.dumps(value).encode())
    return list(
        read(data, strict=told is None, on_problem=told.append if told is not None else None)
    )


def returned(*steps: object) -> list[tuple[str, str]]:
    """Give the results of a session: the call, and what came back."""
    (trace,) = traces(log(*steps))
    results = [entry for entry in trace.messages if entry["role"] == "tool"]
    return [(entry["tool_call_id"], entry["content"]) for entry in results]


class TestContract(ReaderContract):
    reader = "atif"

    def sample(self) -> bytes:
        return json.dumps(log(USER, PAIRED, agent()), indent=1, ensure_ascii=False).encode()


class TestSubagents(ReaderContract):
    reader = "atif"
    sessions = 2

    def sample(self) -> bytes:
        return json.dumps(log(USER, PAIRED, subagent_trajectories=[log(USER, agent())])).encode()


def test_a_step_is_what_was_said_and_done_and_when() -> None:
    thinking = agent("c1", results=[], reasoning_content="Hm.", timestamp="2026-01-02")
    (trace,) = traces(log({"source": "system", "message": "Be kind."}, USER, thinking))
    system, user, reply = trace.messages
    assert (system["role"], user["role"]) == ("system", "user")
    assert user["timestamp"] == "2026-01-01"
    assert (reply["content"], reply["reasoning_content"]) == ("Look.", "Hm.")
    assert reply["tool_calls"][0]["function"] == {"name": "run", "arguments": '{"keys": "ls\\n"}'}
    assert reply["timestamp"] == "2026-01-02"


def test_results_go_to_the_calls_that_they_name() -> None:
    assert returned(USER, PAIRED) == [("c2", "two"), ("c1", "one")]


def test_results_without_a_name_go_to_the_calls_that_no_other_names() -> None:
    named = {"source_call_id": "c2", "content": "two"}
    step = agent("c1", "c2", "c3", results=[{"content": "one"}, named, {"content": "three"}])
    assert returned(USER, step) == [("c2", "two"), ("c1", "one"), ("c3", "three")]


def test_one_result_for_several_calls_answers_the_last() -> None:
    step = agent("c1", "c2", results=[{"content": "screen"}])
    assert returned(USER, step) == [("c1", ""), ("c2", "screen")]


def test_a_call_without_any_result_stays_open() -> None:
    assert returned(USER, agent("c1")) == []


def test_what_no_call_is_for_is_told_to_the_agent() -> None:
    more = agent("c1", results=[{"content": "one"}, {"content": "two"}])
    for step in (agent(results=[{"content": "two"}]), more):
        (trace,) = traces(log(USER, step))
        assert (trace.messages[-1]["role"], trace.messages[-1]["content"]) == ("user", "two")


def test_parts_of_a_message_stay_parts_where_one_is_an_image() -> None:
    text = {"type": "text", "text": "See."}
    image = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}
    (trace,) = traces(log({**USER, "message": [text]}, {**USER, "message": [text, image]}))
    plain, shown = (entry["content"] for entry in trace.messages)
    assert plain == "See."
    assert [part["type"] for part in shown] == ["text", "image_url"]


def test_a_subagent_is_a_session_of_the_same_task() -> None:
    other = {**USER, "message": "Sum it up."}
    embedded = log(USER, subagent_trajectories=[log(other, subagent_trajectories=[log(other)])])
    for value, where in (
        (embedded, "stream: subagent_trajectories[0].steps"),
        ({"parent": log(USER), "child": log(other)}, "stream: child.steps"),
        ([log(USER), log(other)], "stream: [1].steps"),
    ):
        found = traces(value)
        assert len({trace.task for trace in found}) == 1
        assert found[1].messages[0]["content"] == "Sum it up."
        assert found[1].meta["where"] == where


def test_a_bad_step_is_reported_with_its_path_and_the_rest_is_read() -> None:
    told: list[Skipped] = []
    (trace,) = traces(log(USER, {"source": "nobody"}, None, agent()), told)
    assert len(trace.messages) == 2
    assert [problem.where for problem in told] == ["stream: steps[1]", "stream: steps[2]"]


def test_real_trajectories_are_read_whole() -> None:
    found = logs("formats/atif")
    assert counts(found) == {
        "sessions": 5,
        "messages": (10 + 7) + (5 + 2) + (3 + 1) + 3 + (12 + 4),
        "calls": 14,
        "results": 14,
        "failed": 0,
        "orphans": 0,
    }
