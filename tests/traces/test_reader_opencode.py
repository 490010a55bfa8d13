"""OpenCode: exports by their schema, and events as they were recorded."""

from __future__ import annotations

from typing import Any

from logged import calls, document, lines, real, results, roles, thoughts, traces, unpaired
from lre import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace

Node = dict[str, Any]


def part(kind: str, number: int = 0, **fields: object) -> Node:
    place = {"id": f"prt_{kind}{number}", "messageID": "msg_2", "sessionID": "ses_1"}
    return {**place, "type": kind, **fields}


def tool(call_id: str, status: str, **state: object) -> Node:
    told = {"status": status, "input": {"id": call_id}, "time": {"start": 1, "end": 9}, **state}
    return part("tool", callID=call_id, tool="look", state=told) | {"id": f"prt_{call_id}"}


def message(role: str, *parts: object, number: int = 1) -> Node:
    info = {"id": f"msg_{number}", "sessionID": "ses_1", "role": role, "time": {"created": 5}}
    return {"info": info, "parts": list(parts)}


ASKED = message("user", part("text", text="What is there?"))
STEPS = [
    part("step-start"),
    part("reasoning", text="Look first.", metadata={"anthropic": {"signature": "s=="}}),
    part("text", text="I look."),
    tool("c1", "completed", output="a box", title="look"),
    tool("c2", "error", error="no box"),
    part("step-finish", reason="tool-calls"),
    part("step-start", 1),
    part("text", 1, text="One box."),
    part("step-finish", 1, reason="stop"),
]
INFO = {"id": "ses_1", "title": "boxes", "directory": "/home/ada", "version": "1.14.20"}
EXPORT: Node = {
    "info": INFO,
    "messages": [ASKED, message("assistant", *STEPS, number=2)],
    "todos": [],
}


def only(value: object) -> Trace:
    (trace,) = traces(document(value))
    return trace


def events() -> list[Node]:
    """The same session, as its server tells it, with states that pass."""
    asked, answered = EXPORT["messages"]
    first = {**ASKED["parts"][0], "messageID": "msg_1"}
    streamed = {**STEPS[2], "text": ""}
    return [
        {"type": "server.connected", "properties": {}},
        {"type": "session.created", "properties": {"info": {**INFO, "title": "New"}}},
        {"type": "message.updated", "properties": {"info": asked["info"]}},
        {"type": "message.part.updated", "properties": {"part": first}},
        {"type": "message.updated", "properties": {"info": answered["info"]}},
        *({"type": "message.part.updated", "properties": {"part": one}} for one in STEPS[:2]),
        {"type": "message.part.updated", "properties": {"part": streamed}},
        {"type": "message.part.delta", "properties": {"sessionID": "ses_1", "delta": "I l"}},
        *({"type": "message.part.updated", "properties": {"part": one}} for one in STEPS[2:]),
        {"type": "session.updated", "properties": {"info": INFO}},
        {"type": "session.idle", "properties": {"sessionID": "ses_1"}},
    ]


class TestContract(ReaderContract):
    reader = "opencode"

    def sample(self) -> bytes:
        return document(EXPORT)


class TestContractOfEvents(ReaderContract):
    reader = "opencode"

    def sample(self) -> bytes:
        return lines(*events())


def test_every_step_is_a_turn_and_results_follow_their_calls() -> None:
    trace = only(EXPORT)
    assert roles(trace) == ["user", "assistant", "tool", "tool", "assistant"]
    assert [(one.text, one.is_error) for one in results(trace)] == [
        ("a box", False),
        ("no box", True),
    ]
    assert [(one.text, one.sealed) for one in thoughts(trace)] == [("Look first.", 3)]
    assert [entry["timestamp"] for entry in trace.messages] == [5, 5, 9, 9, 5]


def test_the_session_names_the_task_and_a_sub_session_has_its_parents() -> None:
    assert only(EXPORT).task == "ses_1"
    assert only({**EXPORT, "info": {**INFO, "parentID": "ses_0"}}).task == "ses_0"
    assert only(EXPORT["messages"]).task == "ses_1"


def test_events_give_what_the_export_gives() -> None:
    (trace,) = traces(lines(*events()))
    assert trace.messages == only(EXPORT).messages
    assert trace.meta["title"] == "boxes"
    assert trace.task == "ses_1"


def test_events_are_read_in_a_payload_and_from_a_plugin_alike() -> None:
    bare = traces(lines(*events()))[0].messages
    payloads = [{"directory": "/home/ada", "payload": one} for one in events()]
    hooks = [
        ["tool.definition", {"toolID": "look"}, {}],
        *(["event", {"event": e}] for e in events()),
    ]
    assert traces(lines(*payloads))[0].messages == bare
    assert traces(lines(*hooks))[0].messages == bare


def test_a_removed_message_or_part_is_gone() -> None:
    gone = {"type": "message.removed", "properties": {"sessionID": "ses_1", "messageID": "msg_1"}}
    lost = {"sessionID": "ses_1", "messageID": "msg_2", "partID": "prt_c2"}
    part_gone = {"type": "message.part.removed", "properties": lost}
    (trace,) = traces(lines(*events(), gone, part_gone))
    assert roles(trace) == ["assistant", "tool", "assistant"]
    assert [one.id for one in calls(trace)] == ["c1"]


def test_ids_that_say_nothing_are_paired_by_order() -> None:
    state = {"callID": "REDACTED"}
    steps = [{**one, **state} if one["type"] == "tool" else one for one in STEPS]
    trace = only({**EXPORT, "messages": [ASKED, message("assistant", *steps, number=2)]})
    assert [one.call_id for one in results(trace)] == ["REDACTED", "REDACTED"]
    assert unpaired(trace) == 0


def test_a_running_call_stays_open_and_what_the_model_never_saw_is_left_out() -> None:
    ignored = part("text", 3, text="only for the screen", ignored=True)
    answer = message("assistant", part("step-start"), ignored, tool("c1", "running"), number=2)
    trace = only({**EXPORT, "messages": [ASKED, answer]})
    assert roles(trace) == ["user", "assistant"]
    assert trace.messages[1]["content"] is None
    assert len(calls(trace)) == 1


def test_files_become_media() -> None:
    file = part("file", mime="image/png", url="data:image/png;base64,AAAA")
    seen = tool("c1", "completed", output="a picture", attachments=[file])
    asked = message("user", part("text", text="What is it?"), file)
    trace = only({**EXPORT, "messages": [asked, message("assistant", seen, number=2)]})
    assert trace.messages[0]["content"][1]["image_url"]["url"].startswith("data:image/png")
    assert [one.kind for one in results(trace)[0].media] == ["image"]


def test_what_is_no_message_or_part_is_reported_with_its_place() -> None:
    told: list[Skipped] = []
    broken = {**EXPORT, "messages": [ASKED, 7, message("assistant", 3)]}
    (trace,) = traces(document(broken), told)
    assert roles(trace) == ["user"]
    assert [one.where for one in told] == [
        "stream: messages[1]",
        "stream: messages[2].parts[0]",
    ]


def test_recorded_events_of_a_real_session_are_read() -> None:
    """A picture and a question, then reasoning and a reply: 47 records, of which 20 are hooks."""
    (path,) = real("langsmith", "*ses_images*")
    (trace,) = traces(path.read_bytes())
    assert roles(trace) == ["user", "assistant"]
    assert [block["type"] for block in trace.messages[0]["content"]] == ["text", "image_url"]
    assert [(len(one.text), one.sealed) for one in thoughts(trace)] == [(156, 64)]
    assert trace.messages[1]["content"].startswith("\n\nI cannot view images.")
    assert problems(trace.messages) == []
