"""OpenTelemetry spans: OTLP and console, attributes, indexed attributes and events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from logged import calls, document, lines, results, roles, thoughts, traces
from lre.testing.readers import ReaderContract
from lre.traces import Skipped

Node = dict[str, Any]


def part(kind: str, **fields: object) -> Node:
    return {"type": kind, **fields}


CALL = part("tool_call", id="c1", name="look", arguments={"id": 7})
THOUGHT = part("reasoning", content="Look first.")
ASK = {"role": "user", "parts": [part("text", content="What is there?")]}
CALLING = {"role": "assistant", "parts": [THOUGHT, CALL], "finish_reason": "tool_call"}
RETURNED = {"role": "tool", "parts": [part("tool_call_response", id="c1", response="a box")]}
REPLY = {"role": "assistant", "parts": [part("text", content="One box.")], "finish_reason": "stop"}
LAST = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m-1",
    "gen_ai.system_instructions": json.dumps([part("text", content="Be brief.")]),
    "gen_ai.input.messages": json.dumps([ASK, CALLING, RETURNED]),
    "gen_ai.output.messages": json.dumps([REPLY]),
    "gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "look"}]),
}
FIRST = {
    "gen_ai.input.messages": json.dumps([ASK]),
    "gen_ai.output.messages": json.dumps([CALLING]),
}


def typed(value: object) -> Node:
    """Write a value as OTLP does."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(one) for one in value]}}
    if isinstance(value, dict):
        return {
            "kvlistValue": {"values": [{"key": k, "value": typed(v)} for k, v in value.items()]}
        }
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"stringValue": value}


def pairs(attributes: Node) -> list[Node]:
    return [{"key": key, "value": typed(value)} for key, value in attributes.items()]


def span(number: int, attributes: Node, *events: Node, parent: int = 0, **more: object) -> Node:
    ids = {"traceId": "aa", "spanId": f"b{number}", "parentSpanId": f"b{parent}" if parent else ""}
    told = [{**one, "attributes": pairs(one["attributes"])} for one in events]
    time = {"startTimeUnixNano": f"179600000000000000{number}"}
    return {**ids, **time, "name": "chat", "attributes": pairs(attributes), "events": told, **more}


def otlp(*spans: object) -> Node:
    resource = {"attributes": pairs({"service.name": "agent"})}
    return {
        "resourceSpans": [
            {"resource": resource, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}
        ]
    }


def console(number: int, attributes: Node, *events: Node) -> Node:
    context = {"trace_id": "0xaa", "span_id": f"0xb{number}", "trace_state": "[]"}
    return {
        "name": "chat",
        "context": context,
        "parent_id": None,
        "start_time": f"2026-01-01T00:00:0{number}Z",
        "status": {"status_code": "UNSET"},
        "attributes": attributes,
        "events": list(events),
    }


ROLES = ["user", "assistant", "tool", "assistant"]


class TestContract(ReaderContract):
    reader = "otel"

    def sample(self) -> bytes:
        return document(otlp(span(1, FIRST), span(2, LAST)))


class TestContractOfLines(ReaderContract):
    reader = "otel"

    def sample(self) -> bytes:
        return lines(otlp(span(2, LAST)), otlp(span(3, {"http.url": "https://example.org"})))


@pytest.mark.parametrize(
    "log",
    [
        document(otlp(span(1, FIRST), span(2, LAST))),
        lines(otlp(span(2, LAST)), otlp(span(1, FIRST))),
        document([console(1, FIRST), console(2, LAST)]),
        document(console(1, FIRST)) + b"\n" + document(console(2, LAST)),
        lines(console(1, FIRST), console(2, LAST)),
        json.dumps(otlp(span(1, FIRST), span(2, LAST)))
        .replace("resourceSpans", "resource_spans")
        .replace("scopeSpans", "scope_spans")
        .encode(),
    ],
    ids=["OTLP", "lines", "a list", "console", "console lines", "snake case"],
)
def test_the_last_span_is_the_session_however_it_was_exported(log: bytes) -> None:
    (found,) = traces(log)
    assert roles(found) == ROLES
    assert [one.arguments for one in calls(found)] == ['{"id": 7}']
    assert [(one.call_id, one.text) for one in results(found)] == [("c1", "a box")]
    assert [one.text for one in thoughts(found)] == ["Look first."]
    assert (found.system, found.meta["model"]) == ("Be brief.", "m-1")
    assert found.tools == [{"type": "function", "name": "look"}]


def test_attributes_may_hold_messages_as_values() -> None:
    plain = {key: json.loads(value) for key, value in FIRST.items()}
    (found,) = traces(document(otlp(span(1, plain))))
    assert roles(found) == ROLES[:2]
    assert [one.arguments for one in calls(found)] == ['{"id": 7}']


def test_indexed_attributes_are_read_in_their_order() -> None:
    told = {
        "gen_ai.prompt.10.role": "tool",
        "gen_ai.prompt.10.content": "a box",
        "gen_ai.prompt.10.tool_call_id": "c1",
        "gen_ai.prompt.9.role": "assistant",
        "gen_ai.prompt.9.tool_calls.0.id": "c1",
        "gen_ai.prompt.9.tool_calls.0.name": "look",
        "gen_ai.prompt.9.tool_calls.0.arguments": '{"id": 7}',
        "gen_ai.prompt.2.role": "user",
        "gen_ai.prompt.2.content": "What is there?",
        "gen_ai.completion.0.content": "One box.",
        "gen_ai.completion.0.finish_reason": "stop",
    }
    (found,) = traces(document(console(1, told)))
    assert roles(found) == ROLES
    assert [one.text for one in results(found)] == ["a box"]


def event(name: str, **fields: object) -> Node:
    return {"name": name, "attributes": fields}


EVENTS = [
    event("gen_ai.system.message", content="Be brief."),
    event("gen_ai.user.message", content="What is there?"),
    event("gen_ai.choice", index=0, message='{"role": "assistant", "content": "One box."}'),
]


def test_events_of_a_span_are_its_messages() -> None:
    (found,) = traces(document(console(1, {"gen_ai.operation.name": "chat"}, *EVENTS)))
    assert roles(found) == ["system", "user", "assistant"]
    assert found.messages[-1]["content"] == "One box."


def test_events_that_were_logged_belong_to_their_span() -> None:
    bodies = [{"eventName": one["name"], "body": typed(one["attributes"])} for one in EVENTS]
    logs = [{"spanId": "b1", "attributes": [], **one} for one in bodies]
    logged = {"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]}
    (found,) = traces(lines(otlp(span(1, {"gen_ai.operation.name": "chat"})), logged))
    assert roles(found) == ["system", "user", "assistant"]


def test_the_event_with_details_holds_the_messages() -> None:
    details = event("gen_ai.client.inference.operation.details", **FIRST)
    (found,) = traces(document(otlp(span(1, {}, details))))
    assert roles(found) == ROLES[:2]


def test_a_conversation_is_a_task_across_traces() -> None:
    about = {"gen_ai.conversation.id": "k-1"}
    first, last = span(1, {**FIRST, **about}), span(2, {**LAST, **about}, traceId="ab")
    assert [(one.task, roles(one)) for one in traces(document(otlp(first, last)))] == [
        ("k-1", ROLES)
    ]


def test_a_tools_span_tells_the_last_result_and_its_error() -> None:
    gave = {"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": '{"box": null}'}
    failed = span(2, gave, status={"code": "STATUS_CODE_ERROR"})
    (found,) = traces(document(otlp(span(1, FIRST), failed)))
    assert [(one.text, one.is_error) for one in results(found)] == [('{"box": null}', True)]


def test_an_agents_span_around_its_requests_is_not_read_again() -> None:
    whole = {"gen_ai.input.messages": json.dumps([ASK, ASK])}
    found = traces(document(otlp(span(1, whole), span(2, LAST, parent=1))))
    assert [roles(one) for one in found] == [ROLES]


def test_spans_of_other_things_are_passed_over_and_unknown_messages_reported() -> None:
    told: list[Skipped] = []
    other = span(1, {"db.statement": "select 1"})
    strange = span(3, {"gen_ai.input.messages": json.dumps([{"role": "robot", "parts": []}])})
    found = traces(lines(otlp(other), otlp(span(2, LAST)), otlp(strange), 7), told)
    assert [roles(one) for one in found] == [ROLES]
    assert [(one.where, one.what) for one in told] == [
        ("stream:4", "no spans or logs of OpenTelemetry: skipped"),
        ("stream:3", "span b3: no messages that are known: skipped"),
    ]


ASKED = event("gen_ai.user.message", content='[{"text": "What is there?"}]')
CHOSEN = event("gen_ai.choice", message='[{"toolUse": {"toolUseId": "c1", "name": "look"}}]')
GAVE = '[{"toolResult": {"toolUseId": "c1", "status": "error", "content": [{"json": {"n": 1}}]}}]'
HANDED = event("gen_ai.assistant.message", content=CHOSEN["attributes"]["message"])
SAID = event("gen_ai.choice", message='[{"text": "One box."}]')


def test_events_of_strands_hold_blocks_of_converse() -> None:
    told = [ASKED, HANDED, event("gen_ai.tool.message", content=GAVE), SAID]
    (found,) = traces(lines(console(1, {}, ASKED, CHOSEN), console(2, {}, *told)))
    assert roles(found) == ROLES
    assert [(one.id, one.name) for one in calls(found)] == [("c1", "look")]
    assert [(one.text, one.is_error) for one in results(found)] == [('{"n": 1}', True)]
    assert found.messages[-1]["content"] == "One box."


def test_a_users_json_is_no_block_of_converse() -> None:
    asked = event("gen_ai.user.message", content='[{"text":  "a", "n": 1}]')
    (found,) = traces(document(console(1, {}, asked)))
    assert found.messages[0]["content"] == '[{"text":  "a", "n": 1}]'


def test_what_a_tool_was_given_is_no_session() -> None:
    given = event("gen_ai.tool.message", role="tool", content='{"id": 7}', id="c1")
    tool = console(2, {"gen_ai.operation.name": "execute_tool"}, given)
    assert [roles(one) for one in traces(lines(console(1, FIRST), tool))] == [ROLES[:2]]
