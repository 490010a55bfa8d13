"""OpenTelemetry's GenAI messages: ``{role, parts: [{type, …}]}``, and the older events.

Source: OpenTelemetry semantic conventions, GenAI input and output messages (JSON schemas) and
GenAI events (up to version 1.36); Pydantic AI, which writes `result` instead of `response`; and
Strands Agents, whose events and results hold Converse's blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lre.dialects.base import json_text, kind_of
from lre.traces.entries import Entry
from lre.traces.shapes import converse
from lre.traces.turns import Turn, media

__all__ = ["read"]

_ROLES = {
    **{role: role for role in ("system", "developer", "user", "assistant", "tool")},
    "model": "assistant",
    "human": "user",
    "ai": "assistant",
}
_EVENT = "event.name"


def read(message: Mapping[str, Any]) -> list[Entry] | None:
    """Write a message whose parts have types, or the message of an event.

    >>> part = {"type": "tool_call_response", "id": "c1", "response": {"n": 1}}
    >>> read({"role": "tool", "parts": [part]})
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': '{"n": 1}'}]
    >>> read({"event.name": "gen_ai.user.message", "content": "Hi"})
    [{'role': 'user', 'content': 'Hi'}]
    """
    event = message.get(_EVENT)
    if isinstance(event, str) and event.startswith("gen_ai."):
        return _event(event, message)
    role, parts = message.get("role"), message.get("parts")
    if not isinstance(role, str) or role not in _ROLES or not isinstance(parts, list):
        return None
    if not all(map(kind_of, parts)):
        return None
    turn = Turn(_ROLES[role])
    for part in parts:
        _add(turn, part)
    return turn.entries()


def _add(turn: Turn, part: Mapping[str, Any]) -> None:
    match kind_of(part):
        case "text":
            turn.say(part.get("content", part.get("text")))
        case "reasoning" | "thinking":
            turn.think(part.get("content"), part.get("signature"))
        case "tool_call" | "function_call" | "server_tool_call":
            given = part.get("arguments", part.get("server_tool_call"))
            turn.call(part.get("id"), part.get("name"), given)
        case "tool_call_response" | "server_tool_call_response":
            other = part.get("result", part.get("server_tool_call_response"))
            turn.result(part.get("id"), converse.returned(part.get("response", other)))
        case _:
            turn.show(_shown(part))


def _shown(part: Mapping[str, Any]) -> Entry:
    """Write media (blob, uri, and Pydantic AI's own) as a block; any other part stays itself."""
    kind = part.get("mime_type") or part.get("media_type") or part.get("modality")
    place = part.get("uri", part.get("url"))
    if isinstance(place, str):
        return media(kind or kind_of(part).partition("-")[0], place)
    data = part.get("content", part.get("data"))
    if kind and isinstance(data, str):
        return media(kind, f"data:{kind};base64,{data}")
    return dict(part)


def _event(event: str, body: Mapping[str, Any]) -> list[Entry] | None:
    """Write the message of an event, which names the role (``gen_ai.user.message``)."""
    inner = body.get("message")
    fields = inner if event == "gen_ai.choice" and isinstance(inner, dict) else body
    named = "assistant" if event == "gen_ai.choice" else event.split(".")[1]
    role = fields.get("role") or named
    if not isinstance(role, str) or role not in _ROLES:
        return None
    if isinstance(fields.get("parts"), list):
        return read({"role": role, "parts": fields["parts"]})
    content = inner if isinstance(inner, list) else fields.get("content")
    if converse.is_content(content):
        return converse.entries(_ROLES[role], content)
    turn = Turn(_ROLES[role])
    if role == "tool":
        turn.result(fields.get("id"), fields.get("content"))
        return turn.entries()
    turn.say(fields.get("content"))
    calls = fields.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            turn.call(call.get("id"), function.get("name"), json_text(function.get("arguments")))
    return turn.entries()
