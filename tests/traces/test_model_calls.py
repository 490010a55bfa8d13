"""Of requests that repeat one another the longest is read, with its reply and what tools gave."""

from __future__ import annotations

import dataclasses
from typing import Any

from lre.traces.model_calls import Request, sessions, tool_result

Entry = dict[str, Any]


def said(role: str, text: str, **more: object) -> Entry:
    return {"role": role, "content": text, **more}


SYSTEM, ASK, REPLY, AGAIN = (
    said("system", "It is noon."),
    said("user", "What is there?"),
    said("assistant", "A box."),
    said("user", "And in it?"),
)
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def sizes(*requests: Request, **more: Any) -> list[int]:
    return [len(trace.messages) for trace in sessions("otel", requests, **more)]


def test_a_request_that_a_later_one_continues_is_left_out() -> None:
    first = Request("f:1", [ASK], [REPLY])
    last = Request("f:2", [ASK, REPLY, AGAIN], [REPLY])
    assert sizes(first, last) == sizes(last, first) == [4]


def test_a_sub_agents_request_and_a_rewritten_history_stay() -> None:
    other = Request("f:2", [said("user", "Count boxes.")], [REPLY])
    rewritten = Request("f:3", [said("user", "Summary: a box."), AGAIN])
    assert sizes(Request("f:1", [ASK], [REPLY]), other, rewritten) == [2, 2, 2]


def test_a_new_system_prompt_does_not_make_a_new_session() -> None:
    later = said("system", "It is one.")
    assert sizes(Request("f:1", [SYSTEM, ASK]), Request("f:2", [later, ASK, REPLY, AGAIN])) == [4]


def test_a_mark_of_a_cache_that_moves_on_does_not_make_a_new_session() -> None:
    marked = {"type": "text", "text": ASK["content"], "cache_control": {"type": "ephemeral"}}
    first = Request("f:1", [said("user", "") | {"content": [marked]}])
    assert sizes(first, Request("f:2", [ASK, REPLY, AGAIN])) == [3]


def test_of_a_request_that_was_tried_again_the_last_is_read() -> None:
    failed, worked = Request("f:1", [ASK], time="1"), Request("f:2", [ASK], [REPLY], time="2")
    assert sizes(worked, failed) == [2]


def test_groups_do_not_continue_one_another() -> None:
    first, last = Request("f:1", [ASK], group="a"), Request("f:2", [ASK, REPLY], group="b")
    assert sizes(first, last) == [1, 2]


def test_a_span_around_spans_with_requests_is_left_out() -> None:
    outer = Request("f:1", [ASK], id="1", time="1")
    inner = Request("f:2", [said("user", "in other words")], id="3", time="2")
    assert sizes(outer, inner, parents={"1": "", "2": "1", "3": "2"}) == [1]
    assert sizes(outer, inner, parents={"1": "3", "2": "1", "3": "2"}) == []  # a loop of spans
    assert sizes(outer, inner) == [1, 1]


def test_sessions_of_a_group_have_one_task() -> None:
    found = [*sessions("otel", [Request("f", [ASK]), Request("f", [AGAIN])])]
    assert len({trace.task for trace in found}) == 1
    named = dataclasses.replace(Request("f", [ASK]), task="boxes")
    assert [trace.task for trace in sessions("otel", [named])] == ["boxes"]


def test_sessions_of_gemini_are_named_by_their_words() -> None:
    asked = [{"role": "user", "parts": [{"text": text}]} for text in ("one", "two", "one")]
    requests = [Request("f", [one], group=str(i)) for i, one in enumerate(asked)]
    first, second, third = (trace.task for trace in sessions("otel", requests))
    assert first == third != second


def test_what_tools_gave_stands_behind_the_last_reply_and_marks_errors() -> None:
    gave = tool_result({"gen_ai.tool.call.id": "c1"}, {"n": 1}, error=True)
    calling = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    returned = {"role": "tool", "tool_call_id": "c1", "content": '{"n": 1}'}
    (last,) = sessions("otel", [Request("f", [ASK], [calling])], results=gave)
    assert last.messages[2:] == [{**returned, "error": True}]
    (sent,) = sessions("otel", [Request("f", [ASK, calling, returned], [REPLY])], results=gave)
    assert sent.messages[2] == {**returned, "error": True}


def test_what_is_nested_without_end_is_read_in_no_time() -> None:
    deep: Any = "x"
    for _ in range(600):
        deep = [deep]
    assert sizes(Request("f", [{"role": "user", "content": deep}, REPLY])) == [2]
