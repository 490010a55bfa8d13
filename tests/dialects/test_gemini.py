"""Gemini: what its parts are read as, and how calls without ids find their responses."""

from __future__ import annotations

from typing import Any

import pydantic
import pytest
from pydantic.alias_generators import to_camel

from lre import evict
from lre.dialects import parse, recognise
from lre.dialects.pairing import pairs
from lre.dialects.slots import with_texts
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult


def read(*entries: object) -> list[Message]:
    return parse(entries, "gemini")[1]


def parts(*held: object, role: str = "model") -> tuple[Part, ...]:
    [message] = read({"role": role, "parts": list(held)})
    return message.parts


def call(name: str = "look", **args: object) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}


def reply(response: object, name: str = "look", **beside: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": response, **beside}}


def test_roles_are_those_of_gemini_and_nobody_else() -> None:
    said = [{"text": "Hi"}]
    roles = [
        m.role for m in read({"role": "user", "parts": said}, {"role": "model", "parts": said})
    ]
    assert roles == ["user", "assistant"]
    assert read({"parts": said})[0].role == "user"
    with pytest.raises(MessageError) as caught:
        read({"role": "assistant", "parts": said})
    expected = "unknown role 'assistant' @ messages[0].role: use one of user, model, function"
    assert str(caught.value) == expected


def test_plain_text_may_stand_for_parts_as_in_the_first_sdk() -> None:
    assert parts("Hi", role="user") == (Text("Hi"),)
    assert read({"role": "user", "parts": "Hi"})[0].parts == (Text("Hi"),)


@pytest.mark.parametrize("snake", [False, True])
def test_parts_are_read_in_both_spellings(snake: bool) -> None:
    signature = {"thought_signature": b"s" * 30} if snake else {"thoughtSignature": "s" * 40}
    called = {"id": "c1", "name": "find", "args": {"name": "Zoë"}}
    held = {"function_call" if snake else "functionCall": called, **signature}
    blob = {"mime_type" if snake else "mimeType": "image/png", "data": "AAAA"}
    image = {"inline_data" if snake else "inlineData": blob}
    assert parts(held, image) == (
        Reasoning("", 40),
        ToolCall("c1", "find", '{"name": "Zoë"}'),
        Media("image", 1120),
    )


def test_thoughts_are_reasoning_and_a_signature_stays_with_its_part() -> None:
    thought = {"text": "6 × 7", "thought": True, "thoughtSignature": "abcd"}
    signed = {"text": "42", "thoughtSignature": "abc"}
    assert parts(thought, signed) == (Reasoning("6 × 7", 4), Reasoning("", 3), Text("42"))


def test_a_response_is_its_text_and_the_rest_of_it_as_json() -> None:
    responses = (
        reply({"output": "one\ntwo", "seconds": 2}),
        reply({"city": "Zürich"}, id="c2"),
        reply({"error": "no such city"}),
        reply({"result": "4", "error": None}),
        reply({}),
    )
    texts = [(p.text, p.is_error) for p in parts(*responses) if isinstance(p, ToolResult)]
    assert texts == [
        ('one\ntwo\n{"seconds": 2}', False),
        ('{"city": "Zürich"}', False),
        ("no such city", True),
        ("4", False),
        ("", False),
    ]


def test_a_response_may_hold_media() -> None:
    image = {"inlineData": {"mimeType": "image/jpeg", "data": "AAAA"}}
    [result] = parts(reply({"output": "see"}, parts=[image]), role="user")
    assert result == ToolResult("", "see", media=(Media("image", 1120),))


def test_an_entry_of_responses_only_has_the_role_tool() -> None:
    answer = reply({"output": "4"})
    alone, mixed, of_old = read(
        {"role": "user", "parts": [answer]},
        {"role": "user", "parts": [answer, {"text": "Hurry."}]},
        {"role": "function", "parts": [answer]},
    )
    assert [alone.role, mixed.role, of_old.role] == ["tool", "user", "tool"]


@pytest.mark.parametrize(
    ("mime", "data", "expected"),
    [
        ("image/png", "A" * 99_999, Media("image", 1120)),
        ("audio/mpeg", "A" * 6_800_000, Media("audio", 10_000)),
        ("video/mp4", "", Media("video", 15_780)),
        ("application/pdf", "A" * 500_000, Media("document", 5000)),
        ("text/csv", "", Media("document", 1680)),
    ],
)
def test_media_are_priced_by_their_kind_and_length(mime: str, data: str, expected: Media) -> None:
    assert parts({"inlineData": {"mimeType": mime, "data": data}}, role="user") == (expected,)
    linked = parts({"fileData": {"mimeType": mime, "fileUri": "gs://b/a"}}, role="user")
    assert linked == parts({"inlineData": {"mimeType": mime, "data": ""}}, role="user")


def test_code_that_the_provider_ran_is_a_call_with_its_outcome() -> None:
    ran = {"executableCode": {"language": "PYTHON", "code": "print(6 * 7)"}}
    done = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42\n"}}
    failed = {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "oops", "id": "x"}}
    code = ToolCall("code_execution", "code_execution", "print(6 * 7)")
    expected = (code, ToolResult("code_execution", "42\n"), ToolResult("x", "oops", is_error=True))
    assert parts(ran, done, failed) == expected


def test_a_part_that_nobody_knows_is_read_as_json() -> None:
    assert parts({"hologram": {"id": 7}}) == (Text('{"hologram": {"id": 7}}'),)


def test_parallel_calls_without_ids_are_answered_by_the_next_entry() -> None:
    """An older call that was interrupted takes none of the responses."""
    messages = read(
        {"role": "user", "parts": [{"text": "Go"}]},
        {"role": "model", "parts": [call("stop")]},
        {"role": "user", "parts": [{"text": "No, look around."}]},
        {"role": "model", "parts": [call("look", at="a"), call("find", at="b")]},
        {"role": "user", "parts": [reply({"output": "1"}), reply({"output": "2"}, "find")]},
    )
    assert [(index, partner) for index, _, partner in pairs(messages)] == [(4, 3), (4, 3)]


def test_what_the_user_says_belongs_to_the_model_s_entry_before_it() -> None:
    roles = ["user", "model", "user", "user", "model", "model"]
    messages = read(*({"role": role, "parts": [{"text": "x"}]} for role in roles))
    assert [m.continues for m in messages] == [False, False, True, False, False, True]


def test_steps_without_ids_go_whole() -> None:
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Sum all files up."}]}]
    for number in range(8):
        contents.append({"role": "model", "parts": [call(path=f"{number}.md"), call(path="a.md")]})
        told = reply({"output": f"file {number} says W237815{number} " * 9})
        contents.append({"role": "user", "parts": [told, told]})
    result = evict(contents, budget="40%", recent=1)
    assert result.dialect == "gemini"
    assert 3 <= len(result.messages) < len(contents)
    assert [entry["role"] for entry in result.messages[1::2]] == ["model"] * (
        len(result.messages) // 2
    )


class _Model(pydantic.BaseModel):
    """As the models of google-genai are: snake_case, camelCase as an alias, bytes."""

    model_config = pydantic.ConfigDict(alias_generator=to_camel, populate_by_name=True)


class FunctionResponse(_Model):
    name: str | None = None
    response: dict[str, Any] | None = None


class SdkPart(_Model):
    text: str | None = None
    thought_signature: bytes | None = None
    function_response: FunctionResponse | None = None


class Content(_Model):
    role: str | None = None
    parts: list[SdkPart] | None = None


def test_sdk_objects_are_read_recognised_and_cut_as_what_they_are() -> None:
    told = FunctionResponse(name="look", response={"output": "a long story"})
    content = Content(role="user", parts=[SdkPart(function_response=told), SdkPart(text="Go on.")])
    dialect, [message] = parse([content])
    assert (dialect.name, message.raw) == ("gemini", content)
    assert message.parts == (ToolResult("", "a long story"), Text("Go on."))
    first, second = dialect.slots(content)
    assert first == ("parts", 0, "function_response", "response", "output")
    cut: Any = with_texts(content, {first: "short", second: "Go."})
    assert isinstance(cut, Content)
    assert read(cut)[0].parts == (ToolResult("", "short"), Text("Go."))
    assert content.parts is not None
    assert content.parts[0].function_response is told


def test_sdk_parts_within_a_dict_are_read_and_recognised() -> None:
    signed = SdkPart(text="Hi", thought_signature=b"abc")
    entry = {"role": "model", "parts": [signed]}
    assert recognise([entry]).name == "gemini"
    assert read(entry)[0].parts == (Reasoning("", 4), Text("Hi"))


def test_responses_are_written_with_the_name_of_their_call() -> None:
    dialect, _ = parse([], "gemini")
    messages = [
        Message("user", (Text("Go"),)),
        Message("assistant", (ToolCall("a", "ls", '{"p": "."}'), ToolCall("", "run", "make"))),
        Message("tool", (ToolResult("a", "1"),)),
        Message("tool", (ToolResult("", "2", is_error=True),)),
    ]
    assert dialect.render(messages) == [
        {"role": "user", "parts": [{"text": "Go"}]},
        {
            "role": "model",
            "parts": [
                {"functionCall": {"id": "a", "name": "ls", "args": {"p": "."}}},
                {"functionCall": {"name": "run", "args": {"input": "make"}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "a", "name": "ls", "response": {"output": "1"}}},
                {"functionResponse": {"name": "run", "response": {"error": "2"}}},
            ],
        },
    ]
