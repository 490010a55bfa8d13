"""Anthropic Messages: what its blocks are read as, and how results are written."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import Message as Reply

from lre.dialects import parse
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult


def read(*entries: object) -> list[Message]:
    return parse(entries, "anthropic")[1]


def parts(role: str, *blocks: object) -> tuple[Part, ...]:
    [message] = read({"role": role, "content": list(blocks)})
    return message.parts


def test_content_may_be_plain_text() -> None:
    assert read({"role": "user", "content": "Hi"}) == [Message("user", (Text("Hi"),))]


def test_thinking_keeps_its_text_and_the_size_of_what_is_sealed() -> None:
    thinking = {"type": "thinking", "thinking": "6 × 7", "signature": "s" * 64}
    sealed = {"type": "redacted_thinking", "data": "x" * 99}
    assert parts("assistant", thinking, sealed) == (Reasoning("6 × 7", 64), Reasoning("", 99))


@pytest.mark.parametrize("kind", ["tool_use", "server_tool_use", "mcp_tool_use"])
def test_calls_have_their_input_as_json(kind: str) -> None:
    call = {"type": kind, "id": "t", "name": "find", "input": {"name": "Zoë"}}
    assert parts("assistant", call) == (ToolCall("t", "find", '{"name": "Zoë"}'),)


def test_an_entry_of_results_only_has_the_role_tool() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "out", "is_error": True}
    [alone] = read({"role": "user", "content": [result]})
    assert alone == Message("tool", (ToolResult("t", "out", is_error=True),))
    [mixed] = read({"role": "user", "content": [result, {"type": "text", "text": "stop"}]})
    assert mixed.role == "user"


def test_a_result_may_hold_text_and_images_or_nothing() -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    text = {"type": "text", "text": "see"}
    full = {"type": "tool_result", "tool_use_id": "t", "content": [text, image]}
    empty = {"type": "tool_result", "tool_use_id": "u"}
    assert parts("user", full, empty) == (
        ToolResult("t", "see", media=(Media("image", 1600),)),
        ToolResult("u", ""),
    )


def test_results_of_server_tools_stay_with_the_assistant() -> None:
    use = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
    hit = {"type": "web_search_result", "title": "X", "encrypted_content": "Eq" * 2000}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [hit]}
    failed = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    error = {"type": "web_search_tool_result", "tool_use_id": "s", "content": failed}
    [message] = read({"role": "assistant", "content": [use, found]})
    assert message.role == "assistant"
    text = '{"type": "web_search_result", "title": "X"}'
    assert message.parts[1] == ToolResult("s", text, media=(Media("web_search_result", 1000),))
    [result] = parts("assistant", error)
    assert isinstance(result, ToolResult)
    assert result.is_error


def test_documents_are_text_where_they_are_text_and_priced_where_not() -> None:
    pdf = {"type": "document", "source": {"type": "base64", "data": "JVBERi0" * 500}}
    plain = {"type": "document", "source": {"type": "text", "data": "Dear Sir"}}
    listed = {"type": "document", "source": {"type": "content", "content": "Dear Madam"}}
    assert parts("user", pdf, plain, listed) == (
        Media("document", 5000),
        Text("Dear Sir"),
        Text("Dear Madam"),
    )


def test_unknown_blocks_are_read_by_their_text_or_as_json() -> None:
    upload = {"type": "container_upload", "file_id": "f"}
    assert parts("user", upload, {"type": "note", "text": "hm"}) == (
        Text('{"type": "container_upload", "file_id": "f"}'),
        Text("hm"),
    )


def test_consecutive_assistant_entries_are_one_turn() -> None:
    roles = ["user", "assistant", "assistant", "user", "user", "assistant"]
    messages = read(*({"role": role, "content": "x"} for role in roles))
    assert [message.continues for message in messages] == [False, False, True, False, False, False]


def test_sdk_objects_are_read_whole_and_as_blocks() -> None:
    reply: Any = Reply.model_validate(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "sig"},
                {"type": "tool_use", "id": "t", "name": "ls", "input": {}},
            ],
        }
    )
    expected = (Reasoning("hm", 3), ToolCall("t", "ls", "{}"))
    whole, in_blocks = read(reply), read({"role": "assistant", "content": reply.content})
    assert [whole[0].parts, in_blocks[0].parts] == [expected, expected]
    assert whole[0].raw is reply


def test_an_unknown_role_lists_the_roles() -> None:
    with pytest.raises(MessageError) as caught:
        read({"role": "developer", "content": "Hi"})
    expected = "unknown role 'developer' @ messages[0].role: use one of user, assistant, system"
    assert str(caught.value) == expected


def test_results_in_a_row_are_written_as_one_user_message() -> None:
    dialect, _ = parse([], "anthropic")
    kept = {"role": "user", "content": "Hi"}
    messages = [
        *read(kept),
        Message("assistant", (ToolCall("a", "ls", '{"p": "."}'), ToolCall("b", "run", "make"))),
        Message("tool", (ToolResult("a", "1"),)),
        Message("tool", (ToolResult("b", "2", is_error=True),)),
        Message("user", (Text("Thanks"),)),
    ]
    user, calls, results, thanks = dialect.render(messages)
    assert user is kept
    assert [block["input"] for block in calls["content"]] == [{"p": "."}, {"input": "make"}]
    assert results == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "1"},
            {"type": "tool_result", "tool_use_id": "b", "content": "2", "is_error": True},
        ],
    }
    assert thanks == {"role": "user", "content": "Thanks"}
