"""A list shows the dialect it is in, and keeps to what it has proved."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import Message as Reply
from anthropic.types import TextBlock, Usage
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from lre.dialects import DIALECTS, Recogniser, get, parse, recognise
from lre.errors import MessageError, UnknownNameError

PLAIN = {"role": "user", "content": "Hi"}
CHAT: list[Any] = [
    {"role": "assistant", "content": None, "tool_calls": []},
    {"role": "assistant", "content": "x", "function_call": None},
    {"role": "tool", "tool_call_id": "a", "content": ""},
    {"role": "function", "name": "f", "content": ""},
    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
    {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]},
    ChatCompletionMessage(role="assistant", content="x", tool_calls=[]),
]
RESPONSES: list[Any] = [
    {"type": "message", "role": "user", "content": "x"},
    {"type": "message", "role": "assistant", "content": "x"},
    {"type": "function_call", "call_id": "a", "name": "f", "arguments": ""},
    {"type": "function_call_output", "call_id": "a", "output": ""},
    {"type": "reasoning", "summary": []},
    {"type": "item_reference", "id": "x"},
    {"role": "user", "content": [{"type": "input_text", "text": "x"}]},
    ResponseOutputMessage(
        id="m",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", text="x", annotations=[])],
    ),
]
ANTHROPIC: list[Any] = [
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]},
    {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]},
    {"role": "user", "content": [{"type": "image", "source": {"type": "url"}}]},
    {"role": "user", "content": [{"type": "document", "source": {"type": "text"}}]},
    Reply(
        id="m",
        type="message",
        role="assistant",
        model="claude",
        content=[TextBlock(type="text", text="x")],
        stop_reason="end_turn",
        usage=Usage(input_tokens=1, output_tokens=1),
    ),
]
PROOFS = [
    *(("openai-chat", entry) for entry in CHAT),
    *(("openai-responses", entry) for entry in RESPONSES),
    *(("anthropic", entry) for entry in ANTHROPIC),
]


@pytest.mark.parametrize(("name", "entry"), PROOFS)
def test_one_telling_entry_decides_for_the_list(name: str, entry: object) -> None:
    assert recognise([{"role": "system", "content": "x"}, PLAIN, entry, PLAIN]).name == name
    assert [d.name for d in DIALECTS.values() if d.evidence(_fields(entry)) >= 2] == [name]


def _fields(entry: Any) -> Any:
    return entry if isinstance(entry, dict) else entry.model_dump(exclude_none=True)


def test_a_list_without_a_hint_is_chat() -> None:
    assert recognise([]).name == recognise([PLAIN]).name == "openai-chat"
    assert {d.evidence(PLAIN) for d in DIALECTS.values()} == {0}


def test_the_first_proof_stands() -> None:
    recogniser = Recogniser()
    names = []
    for entry in (PLAIN, {"role": "developer", "content": "x"}, ANTHROPIC[0], CHAT[0]):
        recogniser.see(entry)
        names.append(recogniser.dialect.name)
    assert names == ["openai-chat", "openai-chat", "anthropic", "anthropic"]


def test_what_is_no_entry_proves_nothing() -> None:
    recogniser = Recogniser()
    recogniser.see(7)
    assert recogniser.dialect.name == "openai-chat"


@pytest.mark.parametrize("entries", ["text", b"bytes", {"role": "user"}, 7, None, {1, 2}])
def test_what_is_no_list_is_refused(entries: Any) -> None:
    with pytest.raises(MessageError, match="is no list of messages @ messages: pass"):
        parse(entries)


def test_a_dialect_is_taken_by_name_or_as_it_is() -> None:
    assert parse([PLAIN], "anthropic")[0] is parse([PLAIN], get("anthropic"))[0]
    assert parse((PLAIN,))[0] is get("openai-chat")


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse([PLAIN], "cohere")
    choices = "anthropic, openai-chat, openai-responses"
    assert str(caught.value) == f"unknown dialect 'cohere': choose from {choices}"


def test_calls_of_a_chat_outweigh_thinking_blocks_that_came_first() -> None:
    """As Mistral and LiteLLM write them."""
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    chat = [PLAIN, thought, {"role": "assistant", "tool_calls": [call]}]
    answer = {"role": "tool", "tool_call_id": "a", "content": "4"}
    assert recognise(chat[:2]).name == "anthropic"
    assert parse([*chat, answer])[0].name == "openai-chat"


@pytest.mark.parametrize(
    "block",
    [
        {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}},
        {"toolResult": {"toolUseId": "a", "content": [{"text": "4"}]}},
        {"type": "tool-call", "toolCallId": "a", "toolName": "f", "input": {}},
        {"functionCall": {"name": "f", "args": {}}},
    ],
)
def test_calls_of_another_api_are_refused_rather_than_torn(block: dict[str, Any]) -> None:
    with pytest.raises(MessageError, match=r"another API.* @ messages\[1\].content\[0\]"):
        parse([PLAIN, {"role": "assistant", "content": [block]}])


@pytest.mark.parametrize("arguments", [{("a", 1): 2}, "cycle"])
def test_what_json_cannot_hold_is_named_with_its_place(arguments: Any) -> None:
    if arguments == "cycle":
        arguments = {}
        arguments["self"] = arguments
    call = {"type": "tool_use", "id": "a", "name": "f", "input": arguments}
    with pytest.raises(MessageError, match=r"JSON.* @ messages\[1\]"):
        parse([PLAIN, {"role": "assistant", "content": [call]}])
