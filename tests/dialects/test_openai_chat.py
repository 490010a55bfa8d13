"""Chat Completions: what its entries, and the logs' variants of them, are read as."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from lre.dialects import parse
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult


def one(entry: object) -> Message:
    [message] = parse([entry], "openai-chat")[1]
    assert message.raw is entry
    return message


def parts(**entry: Any) -> tuple[Part, ...]:
    return one({"role": "assistant", **entry}).parts


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
def test_text_is_one_part(role: str) -> None:
    message = one({"role": role, "content": "Hello"})
    assert (message.role, message.parts) == (role, (Text("Hello"),))
    assert not message.continues


@pytest.mark.parametrize("content", [None, "", []])
def test_nothing_is_no_part(content: object) -> None:
    assert parts(content=content) == ()


def test_calls_are_read_in_order_after_the_text() -> None:
    calls = [
        {"id": "a", "type": "function", "function": {"name": "ls", "arguments": '{"p": "."}'}},
        {"id": "b", "type": "custom", "custom": {"name": "run", "input": "make all"}},
        {"id": "c", "name": "find", "arguments": {"name": "Zoë"}, "requestor": "assistant"},
    ]
    assert parts(content="Let me look", tool_calls=calls) == (
        Text("Let me look"),
        ToolCall("a", "ls", '{"p": "."}'),
        ToolCall("b", "run", "make all"),
        ToolCall("c", "find", '{"name": "Zoë"}'),
    )


def test_users_call_tools_too() -> None:
    call = {"id": "u1", "name": "toggle_wifi", "arguments": {}, "requestor": "user"}
    message = one({"role": "user", "content": None, "tool_calls": [call]})
    assert (message.role, message.parts) == ("user", (ToolCall("u1", "toggle_wifi", "{}"),))


def test_a_legacy_function_call_has_no_id() -> None:
    call = {"name": "ls", "arguments": "{}"}
    assert parts(content=None, function_call=call) == (ToolCall("", "ls", "{}"),)
    answer = one({"role": "function", "name": "ls", "content": "a.py"})
    assert (answer.role, answer.parts) == ("tool", (ToolResult("", "a.py"),))


@pytest.mark.parametrize(
    ("extra", "failed"),
    [
        ({}, False),
        ({"error": False}, False),
        ({"error": True}, True),
        ({"status": "error"}, True),
        ({"status": "success"}, False),
        ({"extra": {"returncode": 0}}, False),
        ({"extra": {"returncode": 127}}, True),
        ({"extra": None}, False),
    ],
)
def test_failed_results_are_told_by_the_marks_of_their_log(
    extra: dict[str, Any], failed: bool
) -> None:
    message = one({"role": "tool", "tool_call_id": "a", "content": "out", **extra})
    assert message.parts == (ToolResult("a", "out", is_error=failed),)


def test_tau2_repeats_the_id_of_the_call_as_id() -> None:
    assert one({"role": "tool", "id": "a", "content": None}).parts == (ToolResult("a", ""),)


def test_a_result_keeps_its_texts_and_prices_its_images() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}]
    message = one({"role": "tool", "tool_call_id": "a", "content": content})
    assert message.parts == (ToolResult("a", "one\ntwo", media=(Media("image", 1536),)),)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_comes_first(field: str) -> None:
    assert parts(content="42", **{field: "6 × 7"}) == (Reasoning("6 × 7"), Text("42"))
    assert parts(content="42", **{field: None}) == (Text("42"),)


def test_media_have_flat_prices_and_encoded_data_are_never_text() -> None:
    data = "iVBORw0KGgo" * 1000
    content = [
        {"type": "image_url", "image_url": {"url": data, "detail": "low"}},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}},
        {"type": "file", "file": {"file_data": data}},
        {"type": "hologram", "payload": {"frames": [data]}, "name": "cat"},
    ]
    assert parts(content=content) == (
        Media("image", 85),
        Media("image", 1536),
        Media("audio", 600),
        Media("file", 5000),
        Text('{"type": "hologram", "name": "cat"}'),
        Media("hologram", 2750),
    )


def test_unknown_parts_are_read_by_their_text_or_as_json() -> None:
    content = ["plain", {"type": "note", "text": "hm"}, {"type": "place", "lat": 48.2}]
    texts = (Text("plain"), Text("hm"), Text('{"type": "place", "lat": 48.2}'))
    assert parts(content=content) == texts


def test_a_refusal_and_a_spoken_answer_are_content_too() -> None:
    assert parts(content=None, refusal="I cannot") == (Text("I cannot"),)
    assert parts(content=[{"type": "refusal", "refusal": "No"}]) == (Text("No"),)
    assert parts(content=None, audio={"id": "audio_1"}) == (Media("audio", 600),)


def test_sdk_objects_are_read_like_dicts() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    reply = ChatCompletionMessage.model_validate({"role": "assistant", "tool_calls": [call]})
    assert one(reply).parts == (ToolCall("a", "ls", "{}"),)
    assert reply.tool_calls is not None
    mixed = {"role": "assistant", "content": None, "tool_calls": reply.tool_calls}
    assert one(mixed).parts == (ToolCall("a", "ls", "{}"),)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {"role": "robot", "content": "Hi"},
            "unknown role 'robot' @ messages[0].role: use one of system, developer, user, "
            "assistant, tool, function",
        ),
        (
            {"content": "Hi"},
            "no role @ messages[0].role: use one of system, developer, user, "
            "assistant, tool, function",
        ),
        (
            {"role": "user", "content": 7},
            "content is 7 @ messages[0].content: give text or a list of parts",
        ),
        (
            {"role": "user", "content": [7]},
            "7 is no message @ messages[0].content[0]: give a mapping with a role, or the SDK's "
            "own object",
        ),
        (
            7,
            "7 is no message @ messages[0]: give a mapping with a role, or the SDK's own object",
        ),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(entry: object, message: str) -> None:
    with pytest.raises(MessageError) as caught:
        one(entry)
    assert str(caught.value) == message


def test_one_message_with_several_results_is_written_as_several_entries() -> None:
    dialect, _ = parse([], "openai-chat")
    both = Message("tool", (ToolResult("a", "1"), ToolResult("b", "2")))
    assert dialect.render([both]) == [
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
    ]


def test_what_was_read_is_handed_back_untouched() -> None:
    entries = [{"role": "user", "content": "Hi", "name": "ada"}, {"role": "tool", "id": "x"}]
    dialect, messages = parse(entries, "openai-chat")
    assert all(map(lambda a, b: a is b, dialect.render(messages), entries))


def test_contents_of_gemini_are_refused_rather_than_read_as_empty() -> None:
    with pytest.raises(MessageError, match=r"parts instead of content.* @ messages\[0\]"):
        parse([{"role": "user", "parts": [{"text": "Hello"}]}], "openai-chat")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"reasoning_content": "Hm."}, [Reasoning("Hm.")]),
        ({"reasoning_content": "Hm.", "reasoning": "Hm."}, [Reasoning("Hm.")]),
        (
            {
                "reasoning_content": "Hm.",
                "thinking_blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "abcd"}],
            },
            [Reasoning("Hm.", 4)],
        ),
        (
            {"reasoning_details": [{"text": "Hm."}, {"type": "reasoning.encrypted", "data": "ab"}]},
            [Reasoning("Hm."), Reasoning("", 2)],
        ),
        ({"reasoning_content": [{"text": "Hm."}]}, [Reasoning("Hm.")]),
        ({"reasoning": None}, []),
    ],
)
def test_reasoning_is_read_once_wherever_it_stands(
    fields: dict[str, Any], expected: list[Part]
) -> None:
    _, [message] = parse([{"role": "assistant", "content": None, **fields}], "openai-chat")
    assert list(message.parts) == expected


def test_long_sounds_and_files_cost_more() -> None:
    sound = {"type": "input_audio", "input_audio": {"data": "A" * 4_000_000, "format": "mp3"}}
    file = {"type": "file", "file": {"file_data": "A" * 2_000_000}}
    _, [message] = parse([{"role": "user", "content": [sound, file]}], "openai-chat")
    assert message.parts == (Media("audio", 2000), Media("file", 20_000))
