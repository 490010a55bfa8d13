"""What generateContent rejects, by the models of today (Gemini 2.5 and 3).

What a user says is tied to the model's entry before it, so neighbours may be judged.
Source: Gemini API docs, Function calling, Thought signatures; error texts of the Gemini API and
of Vertex AI.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lre.dialects.base import Block, blocks
from lre.dialects.gemini_parts import data_of
from lre.dialects.objects import field
from lre.dialects.rules import Finding, Rules, begins_with_user
from lre.messages import Message

__all__ = ["RULES", "SOURCES"]

_ERROR = "Gemini API error"
SOURCES: Mapping[str, str] = {
    "call-after-model": f"{_ERROR}: Please ensure that function call turn comes immediately after "
    "a user turn or after a function response turn",
    "call-unsigned": f"{_ERROR}: Function call is missing a thought_signature in functionCall "
    "parts (Gemini 3; Gemini API docs, Thought signatures)",
    "empty-parts": f"{_ERROR}: contents.parts must not be empty",
    "empty-text": "Vertex AI error: Unable to submit request because it has an empty text "
    "parameter. Add a value to the parameter and try again",
    "first-not-user": "Google Gen AI SDK error: First content should be with role 'user', got "
    "model; Gemini API error: Please ensure that multiturn requests alternate between user and "
    "model",
    "missing-name": f"{_ERROR}: function_response.name: Name cannot be empty",
    "not-an-object": f"{_ERROR}: Invalid value at 'function_response.response' "
    "(type.googleapis.com/google.protobuf.Struct)",
    "part-data": f"{_ERROR}: required oneof field 'data' must have one initialized field; oneof "
    "field 'data' is already set",
    "part-role": "Gemini API reference, Part: the model predicts functionCall, and gets "
    "functionResponse back from the user",
    "response-count": f"{_ERROR}: Please ensure that the number of function response parts is "
    "equal to the number of function call parts of the function call turn",
    "response-without-call": f"{_ERROR}: Please ensure that function response turn comes "
    "immediately after a function call turn",
}
"""Where the provider says so."""

_ONLY_ON = {"functionCall": "model", "functionResponse": "user"}
_OBJECTS = {"functionCall": "args", "functionResponse": "response"}


def _parts(entry: Block) -> list[Block]:
    content = entry.get("parts") or ()
    return [part for _, part in blocks([content] if isinstance(content, str) else content, "parts")]


def _entries(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Find what is wrong with an entry wherever it stands."""
    for index, [entry] in enumerate(written):
        parts = _parts(entry)
        if not parts:
            yield index, "empty-parts", "the entry has no parts: drop it, or give it text"
        for part in parts:
            for rule, text in (*_data(part), *_function(part, entry.get("role"))):
                yield index, rule, text


def _data(part: Block) -> Iterator[tuple[str, str]]:
    held = data_of(part)
    if len(held) != 1:
        what = f"a part holds {' and '.join(held) or 'nothing'}"
        yield "part-data", f"{what}: a part is exactly one thing"
    if held == ["text"] and part["text"] == "" and not field(part, "thoughtSignature"):
        yield "empty-text", "a text is empty: leave the part out"


def _function(part: Block, role: object) -> Iterator[tuple[str, str]]:
    for name in data_of(part):
        if name not in _ONLY_ON:
            continue
        body = field(part, name)
        if (role == "model") != (_ONLY_ON[name] == "model"):
            yield "part-role", f"a {name} on role {role}: move it to {_ONLY_ON[name]}"
        if not field(body, "name"):
            yield "missing-name", f"a {name} has no name: give it that of the function"
        if not isinstance(field(body, _OBJECTS[name]) or {}, Mapping):
            what = f"the {_OBJECTS[name]} of a {name} is no object"
            yield "not-an-object", f"{what}: wrap it in one"


def _order(messages: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that calls follow the user, and all their responses follow right behind them."""
    calls, responses = _counts(messages, written)
    for index, message in enumerate(messages):
        follows = index > 0 and messages[index - 1].role == "assistant"
        answered = responses[index + 1] if index + 1 < len(messages) else 0
        if calls[index] and follows:
            what = "calls right after another entry of the model's"
            yield index, "call-after-model", f"{what}: make one entry of both"
        if calls[index] and answered != calls[index]:
            what = f"{calls[index]} calls, and {answered} responses in the next entry"
            yield index, "response-count", f"{what}: give one for each, or drop the calls"
        if responses[index] and message.role != "assistant" and not calls[index - 1] * follows:
            what = "the entry before makes no calls"
            yield index, "response-without-call", f"{what}: move the responses, or drop them"


def _counts(
    messages: Sequence[Message], written: Sequence[Sequence[Block]]
) -> tuple[list[int], list[int]]:
    """Count the calls of the model's and the responses of the user's in each entry."""
    calls, responses = [], []
    for message, [entry] in zip(messages, written, strict=True):
        held = [name for part in _parts(entry) for name in data_of(part)]
        by_model = message.role == "assistant"
        calls.append(held.count("functionCall") if by_model else 0)
        responses.append(0 if by_model else held.count("functionResponse"))
    return calls, responses


def _end(messages: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that the calls which the list ends with are signed, if anything in it is.

    Only these are sure to belong to the current turn, and older models sign nothing.
    """
    calls, responses = _counts(messages, written)
    last = len(messages) - 1
    place = last - 1 if last > 0 and responses[last] else last
    signed = any(field(part, "thoughtSignature") for [entry] in written for part in _parts(entry))
    if last < 0 or not calls[place] or not signed:
        return
    first = next(part for part in _parts(written[place][0]) if "functionCall" in data_of(part))
    if not field(first, "thoughtSignature"):
        what = "the first call has lost its thought signature"
        yield place, "call-unsigned", f"{what}: send the part as it came"


RULES: tuple[Rules, ...] = (begins_with_user, _entries, _order, _end)
