"""LangChain's messages: dumped (``{"lc": 1, "id": […, "HumanMessage"], "kwargs"}``) and plain.

Source: `langchain_core.messages` and `langchain_core.load.dump`, version 1.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lre.dialects.base import kind_of
from lre.traces.entries import Entry
from lre.traces.turns import Turn

__all__ = ["is_message", "read"]

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "tool",
}
_CALLS = ("tool_use", "tool_call", "function_call", "input_json_delta", "invalid_tool_call")


def is_message(value: object) -> bool:
    """Tell whether a value is a message of LangChain's.

    >>> is_message({"type": "human", "content": "Hi"}), is_message({"role": "user"})
    (True, False)
    """
    return isinstance(value, Mapping) and _fields(value) is not None


def read(message: Mapping[str, Any]) -> list[Entry] | None:
    """Write a message; calls that could not be parsed are calls too.

    >>> read({"type": "tool", "content": "gone", "tool_call_id": "c1", "status": "error"})
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': 'gone', 'error': True}]
    """
    fields = _fields(message)
    if fields is None:
        return None
    kind, body = fields
    turn, content = Turn(_ROLES[kind]), body.get("content")
    if _ROLES[kind] == "tool":
        turn.result(body.get("tool_call_id"), content, error=body.get("status") == "error")
        return turn.entries()
    more = body.get("additional_kwargs")
    beside = more if isinstance(more, dict) else {}
    turn.think(beside.get("reasoning_content"))
    for block in content if isinstance(content, list) else [content]:
        _say(turn, block)
    _call(turn, body, beside)
    return turn.entries()


def _fields(message: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """Give the kind and the fields; in a dump the kind is the class (``AIMessageChunk``)."""
    names, fields = message.get("id"), message.get("kwargs")
    if message.get("lc") == 1 and isinstance(names, list) and names and isinstance(fields, dict):
        kind = str(names[-1]).removesuffix("Chunk").removesuffix("Message").lower()
        return (kind, fields) if kind in _ROLES else None
    wrapped = message.get("data")
    body = wrapped if "content" not in message and isinstance(wrapped, dict) else message
    kind = kind_of(message).removesuffix("MessageChunk").lower()
    if "role" in message or kind not in _ROLES or "content" not in body:
        return None
    return kind, body


def _say(turn: Turn, block: object) -> None:
    if not isinstance(block, dict):
        turn.say(block)
        return
    kind = kind_of(block)
    if kind in ("thinking", "reasoning", "redacted_thinking"):
        text = block.get("thinking") or block.get("reasoning") or block.get("text")
        turn.think(text, block.get("signature") or block.get("data"))
    elif kind == "text":
        turn.say(block.get("text"))
    elif kind and kind not in _CALLS:  # they repeat `tool_calls`
        turn.show(block)


def _call(turn: Turn, body: Mapping[str, Any], beside: Mapping[str, Any]) -> None:
    calls = [*_listed(body.get("tool_calls")), *_listed(body.get("invalid_tool_calls"))]
    for call in calls:
        turn.call(call.get("id"), call.get("name"), call.get("args"))
    for call in [] if calls else _listed(beside.get("tool_calls")):
        function = call.get("function")
        named = function if isinstance(function, dict) else {}
        turn.call(call.get("id"), named.get("name"), named.get("arguments"))


def _listed(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
