"""LlamaIndex: messages with ``blocks`` that have a ``block_type``.

Source: `llama_index.core.base.llms.types`, versions 0.12 to 0.14.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lre.traces.entries import Entry
from lre.traces.turns import Turn, media

__all__ = ["read"]

_ROLES = {
    **{role: role for role in ("system", "developer", "user", "assistant", "tool")},
    "function": "tool",
    "model": "assistant",
    "chatbot": "assistant",
}


def read(message: Mapping[str, Any]) -> list[Entry] | None:
    """Write a message with blocks; the id of a result's call stands in `additional_kwargs`.

    >>> read({"role": "user", "blocks": [{"block_type": "text", "text": "Hi"}]})
    [{'role': 'user', 'content': 'Hi'}]
    """
    role, blocks = message.get("role"), message.get("blocks")
    if not isinstance(role, str) or role not in _ROLES or not isinstance(blocks, list):
        return None
    known = [one for one in blocks if isinstance(one, Mapping)]
    found = message.get("additional_kwargs")
    more = found if isinstance(found, dict) else {}
    turn = Turn(_ROLES[role])
    if _ROLES[role] == "tool":
        texts = [{"type": "text", "text": one.get("text")} for one in known if "text" in one]
        turn.result(more.get("tool_call_id"), texts)
        return turn.entries()
    for block in known:
        _add(turn, block)
    if not any(block.get("block_type") == "tool_call" for block in known):
        _older_calls(turn, more.get("tool_calls"))
    return turn.entries()


def _add(turn: Turn, block: Mapping[str, Any]) -> None:
    kind = block.get("block_type")
    if kind == "text":
        turn.say(block.get("text"))
    elif kind == "thinking":
        about = block.get("additional_information")
        turn.think(block.get("content"), about.get("signature") if isinstance(about, dict) else "")
    elif kind == "tool_call":
        turn.call(block.get("tool_call_id"), block.get("tool_name"), block.get("tool_kwargs"))
    elif isinstance(kind, str) and isinstance(block.get("url"), str):
        turn.show(media(block.get(f"{kind}_mimetype") or kind, block["url"]))
    elif isinstance(kind, str) and isinstance(block.get(kind), str):
        mime = block.get(f"{kind}_mimetype") or kind
        turn.show(media(mime, f"data:{mime};base64,{block[kind]}"))


def _older_calls(turn: Turn, made: object) -> None:
    for call in made if isinstance(made, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            turn.call(call.get("id"), function.get("name"), function.get("arguments"))
