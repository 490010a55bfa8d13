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
GEMINI: list[Any] = [
    {"role": "model", "parts": []},
    {"role": "user", "parts": [{"text": "x"}]},
    {"role": "user", "parts": ["x"]},
    {"parts": [{"text": "x"}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
    {"role": "user", "parts": [{"inline_data": {"mime_type": "image/png", "data": b"x"}}]},
    {"role": "function", "parts": [{"function_response": {"name": "f"}}]},
]
BEDROCK: list[Any] = [
    {"role": "user", "content": [{"text": "x"}]},
    {"role": "user", "content": [{"image": {"format": "png"}}, {"text": "x"}]},
    {"role": "user", "content": [{"text": "x"}, {"cachePoint": {"type": "default"}}]},
    {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": []}}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "f"}}]},
    {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "x"}}}]},
]
PROOFS = [
    *(("openai-chat", entry) for entry in CHAT),
    *(("openai-responses", entry) for entry in RESPONSES),
    *(("anthropic", entry) for entry in ANTHROPIC),
    *(("gemini", entry) for entry in GEMINI),
    *(("bedrock", entry) for entry in BEDROCK),
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


@pytest.mark.parametrize(
    "entry",
    [
        {"role": "user", "parts": [{"type": "text", "text": "x"}]},
        {"role": "user", "parts": [{"kind": "text", "text": "x"}]},
        {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]},
        {"role": "user", "content": [{"type": "text", "text": "x"}, {"text": "x"}]},
        {"role": "user", "content": []},
    ],
)
def test_parts_and_blocks_of_others_are_no_hint(entry: dict[str, Any]) -> None:
    assert {d.evidence(entry) for d in DIALECTS.values()} == {0}


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse([PLAIN], "cohere")
    choices = "anthropic, bedrock, gemini, openai-chat, openai-responses"
    assert str(caught.value) == f"unknown dialect 'cohere': choose from {choices}"


def test_calls_of_a_chat_outweigh_thinking_blocks_that_came_first() -> None:
    """As Mistral and LiteLLM write them."""
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    chat = [PLAIN, thought, {"role": "assistant", "tool_calls": [call]}]
    answer = {"role": "tool", "tool_call_id": "a", "content": "4"}
    assert recognise(chat[:2]).name == "anthropic"
    assert parse([*chat, answer])[0].name == "openai-chat"


OF_ANOTHER: list[tuple[str, dict[str, Any]]] = [
    ("openai-chat", {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}),
    ("anthropic", {"toolResult": {"toolUseId": "a", "content": [{"text": "4"}]}}),
    ("openai-chat", {"functionCall": {"name": "f", "args": {}}}),
    ("openai-chat", {"type": "tool-call", "toolCallId": "a", "toolName": "f", "input": {}}),
    ("bedrock", {"type": "tool_use", "id": "a", "name": "f", "input": {}}),
]


@pytest.mark.parametrize(("dialect", "block"), OF_ANOTHER)
def test_calls_of_another_api_are_refused_rather_than_torn(
    dialect: str, block: dict[str, Any]
) -> None:
    first = {"role": "user", "content": []}
    with pytest.raises(MessageError, match=r"another API.* @ messages\[1\].content\[0\]: name"):
        parse([first, {"role": "assistant", "content": [block]}], dialect)


@pytest.mark.parametrize(
    ("dialect", "entry", "what"),
    [
        ("gemini", PLAIN, "content instead of parts"),
        ("gemini", RESPONSES[2], "no role"),
        ("gemini", {"role": "user", "parts": [{"type": "tool-look"}]}, "another API"),
        ("bedrock", PLAIN, "content is text"),
        ("bedrock", {"role": "tool", "tool_call_id": "a", "content": "x"}, "unknown role 'tool'"),
        ("openai-chat", GEMINI[1], "parts instead of content"),
    ],
)
def test_a_list_in_another_dialect_than_the_one_named_is_refused(
    dialect: str, entry: object, what: str
) -> None:
    with pytest.raises(MessageError, match=what):
        parse([entry], dialect)


@pytest.mark.parametrize("arguments", [{("a", 1): 2}, "cycle"])
def test_what_json_cannot_hold_is_named_with_its_place(arguments: Any) -> None:
    if arguments == "cycle":
        arguments = {}
        arguments["self"] = arguments
    call = {"type": "tool_use", "id": "a", "name": "f", "input": arguments}
    with pytest.raises(MessageError, match=r"JSON.* @ messages\[1\]"):
        parse([PLAIN, {"role": "assistant", "content": [call]}])
