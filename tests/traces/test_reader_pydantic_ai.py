"""Pydantic AI histories: parts of requests and responses, in the shape the package writes."""

from __future__ import annotations

from typing import Any

from logged import calls, document, lines, results, roles, thoughts, traces
from lre.dialects import parse
from lre.messages import Media
from lre.testing.readers import ReaderContract
from lre.traces import Skipped

Part = dict[str, Any]
TIME = "2026-01-01T00:00:00Z"


def part(kind: str, **fields: object) -> Part:
    return {**fields, "timestamp": TIME, "part_kind": kind}


def request(*parts: object, **more: object) -> dict[str, Any]:
    return {"parts": list(parts), "kind": "request", "instructions": "Be brief.", **more}


def response(*parts: object) -> dict[str, Any]:
    return {"parts": list(parts), "kind": "response", "model_name": "m-1", "timestamp": TIME}


def call(call_id: str, args: object) -> Part:
    return part("tool-call", tool_name="look", args=args, tool_call_id=call_id)


def returned(call_id: str, content: object, **more: object) -> Part:
    return part("tool-return", tool_name="look", content=content, tool_call_id=call_id, **more)


ASKED = request(
    part("system-prompt", content="You are a clerk."), part("user-prompt", content="What is it?")
)
THOUGHT = part("thinking", content="Look first.", signature="s==")
HISTORY = [
    ASKED,
    response(THOUGHT, part("text", content="I look."), call("c1", {"id": 7}), call("c2", "{}")),
    request(returned("c1", {"box": 7}), returned("c2", "no id", outcome="retried")),
    response(part("text", content="A box.")),
]


class TestContract(ReaderContract):
    reader = "pydantic_ai"

    def sample(self) -> bytes:
        return document(HISTORY)


class TestContractOfLines(ReaderContract):
    reader = "pydantic_ai"

    def sample(self) -> bytes:
        return lines(*HISTORY)


def test_each_part_of_a_request_is_an_entry_and_a_response_is_one_turn() -> None:
    (trace,) = traces(document(HISTORY))
    assert roles(trace) == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert [one.arguments for one in calls(trace)] == ['{"id": 7}', "{}"]
    assert [(one.text, one.is_error) for one in results(trace)] == [
        ('{"box": 7}', False),
        ("no id", True),
    ]
    assert [(one.text, one.sealed) for one in thoughts(trace)] == [("Look first.", 3)]
    assert trace.messages[3]["timestamp"] == TIME


def test_the_instructions_are_the_system_prompt() -> None:
    (trace,) = traces(document(HISTORY))
    assert (trace.system, trace.meta["model"]) == ("Be brief.", "m-1")


def test_a_retry_of_a_call_is_its_failed_result_and_any_other_is_said_by_the_user() -> None:
    again = part("retry-prompt", content="no such box", tool_name="look", tool_call_id="c1")
    answer = part("retry-prompt", content=[{"msg": "no number"}], tool_name=None)
    history = [ASKED, response(call("c1", {})), request(again), request(answer)]
    (trace,) = traces(document(history))
    assert [(one.text, one.is_error) for one in results(trace)] == [("no such box", True)]
    assert trace.messages[-1]["content"] == '{"msg": "no number"}'
    assert roles(trace)[-1] == "user"


def test_media_become_blocks_and_cost_what_media_cost() -> None:
    image = {"url": "https://example.org/a.png", "kind": "image-url"}
    sound = {"data": "AAAA", "media_type": "audio/wav", "kind": "binary"}
    asked = request(part("user-prompt", content=["What is it?", image, sound]))
    shown = request(returned("c1", ["seen", {**image, "media_type": "image/png"}]))
    (trace,) = traces(document([asked, response(call("c1", None)), shown]))
    messages = parse(trace.messages)[1]
    assert [one.kind for one in messages[0].parts if isinstance(one, Media)] == ["image", "audio"]
    assert [one.kind for one in results(trace)[0].media] == ["image"]
    assert trace.messages[0]["content"][2]["input_audio"] == {"data": "AAAA", "format": "wav"}


def test_what_the_provider_ran_itself_is_a_call_with_its_result() -> None:
    ran = part("builtin-tool-call", tool_name="search", args={"q": "box"}, tool_call_id="b1")
    found = part("builtin-tool-return", tool_name="search", content="two", tool_call_id="b1")
    (trace,) = traces(document([ASKED, response(ran, found, part("text", content="Two."))]))
    assert [(one.call_id, one.text) for one in results(trace)] == [("b1", "two")]


def test_of_histories_that_continue_one_another_the_longest_is_read() -> None:
    other = [request(part("user-prompt", content="Something else?"))]
    found = traces(lines(HISTORY[:2], HISTORY, other))
    assert [len(trace.messages) for trace in found] == [6, 1]


def test_a_conversation_is_a_task() -> None:
    (trace,) = traces(document([{**one, "conversation_id": "k-1"} for one in HISTORY]))
    assert trace.task == "k-1"


def test_what_is_no_message_is_reported_with_its_place() -> None:
    told: list[Skipped] = []
    (trace,) = traces(document([*HISTORY[:1], {"kind": "request"}, response(3)]), told)
    assert roles(trace) == ["system", "user"]
    assert [one.where for one in told] == ["stream: [1]", "stream: [2].parts[0]"]
