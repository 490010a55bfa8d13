"""Bedrock Converse: what its blocks are read as, and how results are written."""

from __future__ import annotations

from typing import Any

import pytest

from lre import evict
from lre.dialects import parse
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult


def read(*entries: object) -> list[Message]:
    return parse(entries, "bedrock")[1]


def parts(*blocks: object, role: str = "assistant") -> tuple[Part, ...]:
    [message] = read({"role": role, "content": list(blocks)})
    return message.parts


def result(*content: object, **beside: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": "t", "content": list(content), **beside}}


def test_calls_have_their_input_as_json() -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "find", "input": {"name": "Zoë"}}}
    assert parts({"text": "Let me look."}, use) == (
        Text("Let me look."),
        ToolCall("t", "find", '{"name": "Zoë"}'),
    )


def test_a_result_holds_text_json_and_images_or_nothing() -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}
    full = result({"text": "see"}, {"json": {"seats": 4}}, image, status="error")
    assert parts(full, result(), role="user") == (
        ToolResult("t", 'see\n{"seats": 4}', is_error=True, media=(Media("image", 1600),)),
        ToolResult("t", ""),
    )


def test_an_entry_of_results_only_has_the_role_tool() -> None:
    point = {"cachePoint": {"type": "default"}}
    alone, mixed = read(
        {"role": "user", "content": [result({"text": "4"}), point]},
        {"role": "user", "content": [result({"text": "4"}), {"text": "Hurry."}]},
    )
    assert [alone.role, mixed.role] == ["tool", "user"]
    assert len(alone.parts) == 1


def test_reasoning_keeps_its_text_and_the_size_of_what_is_sealed() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "6 × 7", "signature": "s" * 64}}}
    sealed = {"reasoningContent": {"redactedContent": b"x" * 75}}
    assert parts(thought, sealed) == (Reasoning("6 × 7", 64), Reasoning("", 100))


def test_documents_are_text_where_they_are_text_and_priced_where_not() -> None:
    def document(**source: object) -> dict[str, Any]:
        return {"document": {"name": "a", "format": "pdf", "source": source}}

    assert parts(
        document(text="Dear Sir"),
        document(content=[{"text": "Dear"}, {"text": "Madam"}]),
        document(bytes=b"x" * 750_000),
        document(s3Location={"uri": "s3://b/a"}),
        role="user",
    ) == (
        Text("Dear Sir"),
        *(Text("Dear"), Text("Madam")),
        *(Media("document", 10_000), Media("document", 5000)),
    )


@pytest.mark.parametrize(("kind", "price"), [("image", 1600), ("video", 17_280), ("audio", 600)])
def test_media_have_a_price(kind: str, price: int) -> None:
    assert parts({kind: {"source": {"bytes": b"x"}}}, role="user") == (Media(kind, price),)


def test_text_with_more_around_it_is_read_and_never_cut() -> None:
    entry = {
        "role": "user",
        "content": [
            {"guardContent": {"text": {"text": "Guard me", "qualifiers": ["query"]}}},
            {"citationsContent": {"content": [{"text": "It is so."}], "citations": [{}]}},
            {"searchResult": {"title": "T", "source": "s3://b", "content": [{"text": "Found"}]}},
        ],
    }
    texts = ("Guard me", "It is so.", "T", "s3://b", "Found")
    dialect, [message] = parse([entry])
    assert message.parts == tuple(map(Text, texts))
    assert dialect.slots(entry) == []


def test_a_block_that_nobody_knows_is_read_as_json() -> None:
    assert parts({"hologram": {"id": 7}}) == (Text('{"hologram": {"id": 7}}'),)


def test_what_the_user_says_belongs_to_the_assistant_s_message_before_it() -> None:
    roles = ["user", "assistant", "user", "user", "assistant", "system", "user"]
    messages = read(*({"role": role, "content": [{"text": "x"}]} for role in roles))
    flags = [message.continues for message in messages]
    assert flags == [False, False, True, False, False, False, False]


def test_a_conversation_of_words_still_takes_turns_once_some_went() -> None:
    roles = ["user", "assistant"] * 12
    messages = [
        {"role": role, "content": [{"text": f"Ticket T-{i}00{i} is open, {i} days by now."}]}
        for i, role in enumerate(roles)
    ]
    result = evict(messages, budget="50%", recent=2)
    assert 2 < len(result.messages) < len(messages)
    assert [m["role"] for m in result.messages] == roles[: len(result.messages)]


@pytest.mark.parametrize("role", ["tool", "developer", None])
def test_an_unknown_role_lists_the_roles(role: object) -> None:
    with pytest.raises(MessageError, match=r"role.* @ messages\[0\]\.role: use one of user, assi"):
        read({"role": role, "content": [{"text": "Hi"}]})


def test_results_in_a_row_are_written_as_one_user_message() -> None:
    dialect, _ = parse([], "bedrock")
    kept = {"role": "user", "content": [{"text": "Hi"}]}
    messages = [
        *read(kept),
        Message("assistant", (ToolCall("a", "ls", '{"p": "."}'), ToolCall("b", "run", "make"))),
        Message("tool", (ToolResult("a", "1"),)),
        Message("tool", (ToolResult("b", "2", is_error=True),)),
        Message("user", (Text("Thanks"),)),
    ]
    user, calls, results, thanks = dialect.render(messages)
    assert user is kept
    assert [block["toolUse"]["input"] for block in calls["content"]] == [
        {"p": "."},
        {"input": "make"},
    ]
    assert results == {
        "role": "user",
        "content": [
            {"toolResult": {"toolUseId": "a", "content": [{"text": "1"}]}},
            {"toolResult": {"toolUseId": "b", "content": [{"text": "2"}], "status": "error"}},
        ],
    }
    assert thanks == {"role": "user", "content": [{"text": "Thanks"}]}
