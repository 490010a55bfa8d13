"""What Chat Completions rejects.

Source: OpenAI API reference, Chat Completions, messages; error texts of the API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lre.dialects.base import Block, block_types, blocks, json_text, kind_of
from lre.dialects.pairing import pairs
from lre.dialects.rules import Finding, Rules
from lre.messages import Message, ToolCall

__all__ = ["RULES", "SOURCES"]

_PAGE = "OpenAI API reference, Chat Completions, messages"
_ERROR = "OpenAI API error"
SOURCES: Mapping[str, str] = {
    "arguments-not-text": f"{_ERROR}: Invalid type for 'function.arguments': expected a string, "
    "but got an object instead",
    "call-without-result": f"{_ERROR}: An assistant message with 'tool_calls' must be followed by "
    "tool messages responding to each 'tool_call_id'",
    "calls-role": f"{_PAGE}: tool_calls is a field of assistant messages alone",
    "duplicate-call-id": f"{_ERROR}: Duplicate value for 'tool_call_id'",
    "empty-tool-calls": f"{_ERROR}: Invalid 'tool_calls': empty array. Expected an array with "
    "minimum length 1",
    "malformed-call": f"{_PAGE}: a call of an assistant message has id, type and function (name, "
    "arguments) or custom (name, input)",
    "missing-call-id": f"{_ERROR}: Missing required parameter: 'tool_calls[0].id'",
    "missing-tool-call-id": f"{_ERROR}: Missing parameter 'tool_call_id': messages with role "
    "'tool' must have a 'tool_call_id'",
    "no-content": f"{_ERROR}: Invalid value for 'content': expected a string, got null",
    "result-without-call": f"{_ERROR}: messages with role 'tool' must be a response to a "
    "preceeding message with 'tool_calls'",
    "unknown-part": f"{_PAGE}: the content parts are text, image_url, input_audio, file, refusal",
}
"""Where the provider says so."""

_PART_TYPES = {"text", "image_url", "input_audio", "file", "refusal"}
_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "refusal", "audio")


def _entries(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Find what is wrong with an entry wherever it stands."""
    for index, entries in enumerate(written):
        for entry in entries:
            for rule, text in (*_content(entry), *_calls(entry)):
                yield index, rule, text


def _content(entry: Block) -> Iterator[tuple[str, str]]:
    role, content = entry.get("role"), entry.get("content")
    if role == "tool" and not entry.get("tool_call_id"):
        yield "missing-tool-call-id", "a tool message names no call: set tool_call_id"
    replaced = role == "assistant" and any(entry.get(key) for key in _INSTEAD_OF_CONTENT)
    if (content is None or content == []) and not replaced:
        yield "no-content", "the message has no content: give text, or drop the message"
    unknown = block_types(content) - _PART_TYPES - {""}
    if unknown:
        names = ", ".join(sorted(unknown))
        yield "unknown-part", f"no content part is of type {names}: use text, image_url, …"


def _calls(entry: Block) -> Iterator[tuple[str, str]]:
    calls = [call for _, call in blocks(entry.get("tool_calls") or (), "tool_calls")]
    if entry.get("tool_calls") == []:
        yield "empty-tool-calls", "tool_calls is an empty list: leave the key out"
    if calls and entry.get("role") != "assistant":
        yield "calls-role", "tool_calls on another role: only the assistant makes calls"
    ids = [json_text(call.get("id")) for call in calls]
    if not all(ids):
        yield "missing-call-id", "a call has no id: give each call its own"
    if len(set(ids)) < len(ids):
        yield "duplicate-call-id", "two calls of one message share an id: give each its own"
    if not all(_body(call) for call in calls):
        yield "malformed-call", "a call is not {id, type, function: {name, arguments}}: wrap it so"
    if not all(_has_text(_body(call) or call) for call in calls):
        yield "arguments-not-text", "the arguments of a call are not text: write JSON"


def _body(call: Block) -> Block | None:
    kind = kind_of(call)
    body = call.get(kind) if kind in ("function", "custom") else None
    return body if isinstance(body, Mapping) else None


def _has_text(body: Block) -> bool:
    return isinstance(body.get("arguments", body.get("input")), str)


def _order(messages: Sequence[Message], _: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that all results stand right behind the assistant message that called for them."""
    heads: list[int] = []  # for each entry the last one up to it that is no result
    for index, message in enumerate(messages):
        heads.append(heads[-1] if heads and message.role == "tool" else index)
    answered: dict[int, set[str]] = {}
    for index, result, partner in pairs(messages):
        if partner is not None and partner == heads[index] and _assistant(messages[partner]):
            answered.setdefault(partner, set()).add(result.call_id)
        elif messages[index].role == "tool":
            what = f"the message before makes no call {result.call_id!r}"
            yield index, "result-without-call", f"{what}: move the result to its call, or drop it"
    for index, message in enumerate(messages):
        called = {part.id for part in message.parts if isinstance(part, ToolCall) and part.id}
        missing = ", ".join(sorted(called - answered.get(index, set())))
        if missing and _assistant(message):
            what = f"no tool message right after answers {missing}"
            yield index, "call-without-result", f"{what}: add it, or drop the call"


def _assistant(message: Message) -> bool:
    return message.role == "assistant"


RULES: tuple[Rules, ...] = (_entries, _order)
