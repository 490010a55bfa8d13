"""What the Responses API rejects.

Source: OpenAI API reference, Responses, input; OpenAI guides, Conversation state; error texts
of the API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lre.dialects.base import Block, json_text, kind_of
from lre.dialects.pairing import pairs
from lre.dialects.rules import Finding, Rules
from lre.messages import Message, ToolCall

__all__ = ["RULES", "SOURCES"]

_PAGE = "OpenAI API reference, Responses, input"
_ERROR = "OpenAI API error"
SOURCES: Mapping[str, str] = {
    "call-without-output": f"{_ERROR}: No tool output found for function call",
    "duplicate-call-id": f"{_PAGE}: call_id is unique to the call",
    "duplicate-item": f"{_ERROR}: Duplicate item found with id. Remove duplicate items from your "
    "input and try again",
    "duplicate-output": f"{_PAGE}: an output is that of one call",
    "output-without-call": f"{_ERROR}: No tool call found for function call output with call_id",
    "reasoning-without-item": f"{_ERROR}: Item of type 'reasoning' was provided without its "
    "required following item",
}
"""Where the provider says so."""

_TO_ANSWER = {
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "computer_call",
    "apply_patch_call",
}


def _pairs(messages: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that calls and outputs name each other, the call first, neighbours or not."""
    answered: set[tuple[int, str]] = set()
    for index, result, partner in pairs(messages):
        if partner is None or result.call_id not in _ids(messages[partner]):
            what = f"no call {result.call_id!r} before this output"
            yield index, "output-without-call", f"{what}: drop it, or send previous_response_id"
        elif (partner, result.call_id) in answered:
            what = f"call {result.call_id!r} has an output already"
            yield index, "duplicate-output", f"{what}: keep one of them"
        else:
            answered.add((partner, result.call_id))
    for index, items in enumerate(written):
        for item in _calls(items):
            call_id = json_text(item.get("call_id") or item.get("id"))
            if (index, call_id) not in answered:
                what = f"no output for call {call_id!r}"
                yield index, "call-without-output", f"{what}: add it, or drop the call"


def _ids(message: Message) -> list[str]:
    return [part.id for part in message.parts if isinstance(part, ToolCall)]


def _calls(items: Sequence[Block]) -> Iterator[Block]:
    return (item for item in items if kind_of(item) in _TO_ANSWER)


def _reasoning(
    messages: Sequence[Message], written: Sequence[Sequence[Block]]
) -> Iterator[Finding]:
    """Check that reasoning comes right before the item that it led to."""
    for index, items in enumerate(written):
        follower = messages[index + 1] if index + 1 < len(messages) else None
        led_on = follower is not None and follower.role == "assistant"
        if kind_of(items[-1]) == "reasoning" and not led_on:
            what = "reasoning without the message or call it led to"
            yield index, "reasoning-without-item", f"{what}: keep both, or drop both"


def _repeats(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that every item comes once, and that every call has an id of its own."""
    items: set[str] = set()
    calls: set[str] = set()
    for index, entries in enumerate(written):
        for item in entries:
            name = json_text(item.get("id"))
            if name and name in items:
                yield index, "duplicate-item", f"item {name} comes twice: keep one of them"
            items.add(name)
        for call in _calls(entries):
            call_id = json_text(call.get("call_id"))
            if call_id and call_id in calls:
                yield index, "duplicate-call-id", f"two calls are {call_id}: give each its own id"
            calls.add(call_id)


RULES: tuple[Rules, ...] = (_pairs, _reasoning, _repeats)
