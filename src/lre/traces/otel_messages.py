"""The messages of one span: as attributes, as indexed attributes, or as events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lre.dialects.base import json_text
from lre.traces.entries import Entry
from lre.traces.otel_spans import Span
from lre.traces.shapes import converse, decoded, spoken
from lre.traces.turns import Turn, as_content

__all__ = ["Conversation", "conversation"]

_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
_SYSTEM, _TOOLS = "gen_ai.system_instructions", "gen_ai.tool.definitions"
_PROMPT, _REPLY = "gen_ai.prompt", "gen_ai.completion"
_INDEXED = re.compile(r"(gen_ai\.prompt|gen_ai\.completion)\.([0-9]{1,6})\.(.+)")
_PACKED = ("message", "tool_calls")
_CALL = re.compile(r"tool_calls\.([0-9]{1,6})\.(id|name|arguments)")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a model was sent and answered."""

    sent: list[Entry]
    reply: list[Entry]
    system: Any = None
    tools: Any = None


def conversation(span: Span) -> Conversation | None:
    """Read the messages of a span; None where it holds none, or those of a tool.

    >>> told = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi"}
    >>> conversation(Span("1", attributes=told)).sent
    [{'role': 'user', 'content': 'Hi'}]
    """
    held = dict(span.attributes)
    if held.get("gen_ai.operation.name") == "execute_tool":
        return None  # Strands logs a tool's input and output as messages
    for name, fields in span.events:  # ``gen_ai.client.inference.operation.details``, and older
        held |= {key: fields[key] for key in (_INPUT, _OUTPUT, _SYSTEM, _TOOLS) if key in fields}
        held |= {key: fields[key] for key in (_PROMPT, _REPLY) if key in fields and "gen" in name}
    for sent, reply in (
        (spoken(held.get(_INPUT), "user"), spoken(held.get(_OUTPUT), "assistant")),
        (_indexed(held, _PROMPT), _indexed(held, _REPLY)),
        _events(span),
        (spoken(held.get(_PROMPT), "user"), spoken(held.get(_REPLY), "assistant")),
    ):
        if sent:
            return Conversation(sent, reply, _system(held), _tools(held))
    return Conversation([], []) if held.get(_INPUT) or held.get(_PROMPT) else None


def _system(held: Mapping[str, Any]) -> Any:
    """Give the instructions as content: their parts have ``content`` for a text."""
    parts = decoded(held.get(_SYSTEM))
    if not isinstance(parts, list):
        return parts or None
    turn = Turn("system")
    for part in parts:
        turn.say(part.get("content") if isinstance(part, dict) else part)
    entries = turn.entries()
    return as_content(entries[0]["content"]) if entries else None


def _tools(held: Mapping[str, Any]) -> Any:
    tools = decoded(held.get(_TOOLS))
    return [decoded(one) for one in tools] if isinstance(tools, list) and tools else tools or None


def _events(span: Span) -> tuple[list[Entry], list[Entry]]:
    """Read ``gen_ai.user.message`` and its like; ``gen_ai.choice`` is the reply."""
    told = [(name, _opened(fields)) for name, fields in span.events if name.startswith("gen_ai.")]
    said = [{**fields, "event.name": name} for name, fields in told if name.endswith(".message")]
    chosen = [{**fields, "event.name": name} for name, fields in told if name == "gen_ai.choice"]
    return spoken(said, "user"), spoken(chosen[:1], "assistant")


def _opened(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Undo JSON in what an attribute can only hold as text."""
    opened = {key: decoded(fields[key]) for key in _PACKED if key in fields}
    content = decoded(fields.get("content"))
    blocks = {"content": content} if converse.is_content(content) else {}
    return {**fields, **opened, **blocks}


def _indexed(held: Mapping[str, Any], prefix: str) -> list[Entry]:
    """Read ``gen_ai.prompt.0.role``, ``….tool_calls.0.name`` and their like, in order."""
    messages: dict[int, dict[str, Any]] = {}
    for key, value in held.items():
        found = _INDEXED.fullmatch(key)
        if found and found[1] == prefix:
            messages.setdefault(int(found[2]), {})[found[3]] = value
    return [entry for i in sorted(messages) for entry in _message(messages[i], prefix)]


def _message(fields: Mapping[str, Any], prefix: str) -> list[Entry]:
    role = fields.get("role") or ("assistant" if prefix == _REPLY else "user")
    turn, content = Turn(json_text(role)), decoded(fields.get("content"))
    if role == "tool":
        turn.result(fields.get("tool_call_id"), content)
        return turn.entries()
    turn.think(fields.get("reasoning_content"))
    for block in _blocks(content):
        turn.show(block) if isinstance(block, dict) else turn.say(block)
    for call in _calls(fields):
        turn.call(call.get("id"), call.get("name"), call.get("arguments"))
    return turn.entries()


def _blocks(content: object) -> Iterable[object]:
    whole = as_content(content)
    return whole if isinstance(whole, list) else [whole]


def _calls(fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    calls: dict[int, dict[str, Any]] = {}
    for key, value in fields.items():
        if found := _CALL.fullmatch(key):
            calls.setdefault(int(found[1]), {})[found[2]] = value
    yield from (calls[i] for i in sorted(calls))
