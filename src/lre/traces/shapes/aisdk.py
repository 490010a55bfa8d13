"""The Vercel AI SDK: messages whose blocks are ``tool-call`` and ``tool-result``, and its replies.

Source: AI SDK reference, `ModelMessage` (version 5; version 4 has `args` and `result`), and its
telemetry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lre.dialects.base import block_types, kind_of
from lre.traces.entries import Entry
from lre.traces.turns import Turn, media

__all__ = ["calls", "read"]

_OWN = {"tool-call", "tool-result", "image", "file", "reasoning"}
_ROLES = ("system", "user", "assistant", "tool")


def read(message: Mapping[str, Any]) -> list[Entry] | None:
    """Write a message with blocks of the SDK's own, or a reply ``{text, toolCalls}``.

    >>> came_back = {"toolCallId": "c1", "output": {"type": "text", "value": "4"}}
    >>> read({"role": "tool", "content": [{"type": "tool-result", **came_back}]})
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': '4'}]
    """
    content, made = message.get("content"), message.get("toolCalls")
    if isinstance(made, list) and "role" not in message:
        turn = Turn("assistant")
        turn.think(message.get("reasoningText"))
        turn.say(message.get("text"))
        return _with_calls(turn, made)
    if message.get("role") not in _ROLES or not _is_own(content):
        return None
    turn = Turn(message["role"])
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping):
            _add(turn, block)
    return turn.entries()


def calls(value: Sequence[Any]) -> list[Entry]:
    """Write a list of nothing but calls, as the telemetry logs a reply; [] for any other list.

    >>> calls([{"toolCallId": "c1", "toolName": "look", "input": "{}"}])[0]["role"]
    'assistant'
    """
    if not all(isinstance(one, dict) and "toolName" in one for one in value):
        return []
    return _with_calls(Turn("assistant"), value)


def _with_calls(turn: Turn, made: Sequence[Any]) -> list[Entry]:
    for call in made:
        if isinstance(call, dict):
            turn.call(call.get("toolCallId"), call.get("toolName"), _input(call))
    return turn.entries()


def _is_own(content: object) -> bool:
    """Tell blocks of the SDK from those of a provider, whose images and files lie deeper."""
    types = block_types(content) & _OWN
    blocks = content if isinstance(content, list) else []
    wrapped = any(isinstance(one, Mapping) and ("source" in one or "file" in one) for one in blocks)
    return bool(types & {"tool-call", "tool-result"}) or bool(types and not wrapped)


def _add(turn: Turn, block: Mapping[str, Any]) -> None:
    match kind_of(block):
        case "text":
            turn.say(block.get("text"))
        case "reasoning":
            turn.think(block.get("text"), block.get("signature"))
        case "tool-call":
            turn.call(block.get("toolCallId"), block.get("toolName"), _input(block))
        case "tool-result":
            output, failed = _output(block)
            turn.result(block.get("toolCallId"), output, error=failed)
        case "image" | "file":
            kind = block.get("mediaType") or block.get("mimeType") or kind_of(block)
            turn.show(media(kind, block.get("image", block.get("data"))))
        case _:
            turn.show(block)


def _input(call: Mapping[str, Any]) -> object:
    return call.get("input", call.get("args"))


def _output(block: Mapping[str, Any]) -> tuple[object, bool]:
    """Give what came back, and whether it is an error."""
    output = block.get("output", block.get("result"))
    kind = kind_of(output)
    if isinstance(output, dict) and kind in ("text", "json", "error-text", "error-json", "content"):
        return output.get("value"), kind.startswith("error")
    return output, bool(block.get("isError"))
