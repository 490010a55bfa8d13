"""Blocks of Bedrock's Converse API, which Strands Agents logs: ``[{"toolUse": {…}}]``.

Source: Amazon Bedrock API reference, `ContentBlock`; checked by hand on spans of Strands Agents
1.62.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from lre.dialects.base import json_text
from lre.traces.entries import Entry
from lre.traces.turns import Turn, media

__all__ = ["entries", "is_content", "returned"]

_BLOCKS = {"text", "toolUse", "toolResult", "reasoningContent", "json"} | {
    *("image", "document", "video", "audio", "cachePoint", "guardContent", "citationsContent")
}


def is_content(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """Tell whether a value is a list of Converse's blocks, which have no type.

    >>> is_content([{"text": "Hi"}]), is_content([{"type": "text", "text": "Hi"}])
    (True, False)
    """
    return isinstance(value, list) and bool(value) and all(map(_is_block, value))


def _is_block(value: object) -> bool:
    return isinstance(value, dict) and len(value) == 1 and not _BLOCKS.isdisjoint(value)


def entries(role: str, content: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """Write a message as entries.

    >>> entries("tool", [{"toolResult": {"toolUseId": "c1", "content": [{"text": "42"}]}}])
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': '42'}]
    """
    turn = Turn(role)
    for block in content:
        for kind, body in block.items():
            _add(turn, kind, body)
    return turn.entries()


def returned(value: object) -> object:
    """Give what a tool returned as blocks with types; what is none of Converse's stays.

    >>> returned([{"json": {"n": 42}}]), returned("42")
    ([{'type': 'text', 'text': '{"n": 42}'}], '42')
    """
    if not is_content(value):
        return value
    return [_shown(kind, body) for block in value for kind, body in block.items()]


def _add(turn: Turn, kind: str, body: object) -> None:
    held = body if isinstance(body, dict) else {}
    match kind:
        case "text":
            turn.say(body)
        case "toolUse":
            turn.call(held.get("toolUseId"), held.get("name"), held.get("input"))
        case "toolResult":
            failed = held.get("status") == "error"
            turn.result(held.get("toolUseId"), returned(held.get("content")), error=failed)
        case "reasoningContent":
            told = held.get("reasoningText")
            thought = told if isinstance(told, dict) else {}
            turn.think(thought.get("text"), thought.get("signature"))
        case "cachePoint":
            pass
        case _:
            turn.show(_shown(kind, body))


def _shown(kind: str, body: object) -> Entry:
    """Write an image with its bytes as one; of all else, what it says."""
    source = body.get("source") if isinstance(body, dict) else None
    data = source.get("bytes") if isinstance(source, dict) else None
    if isinstance(body, dict) and kind == "image" and isinstance(data, str):
        mime = f"image/{json_text(body.get('format'))}"
        return media(mime, f"data:{mime};base64,{data}")
    return {"type": "text", "text": json_text(body)}
