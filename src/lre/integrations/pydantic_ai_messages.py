"""Pydantic AI's messages as entries of Anthropic Messages: both hold several results in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lre.errors import MissingExtraError

try:
    from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart
except ImportError as error:
    raise MissingExtraError("Pydantic AI", "pydantic-ai") from error

__all__ = ["Messages", "is_held"]

_HELD = {"system-prompt", "compaction", "instruction-baseline", "instruction-delta"}
_HELD |= {"model-settings-delta", "tool-availability-delta", "capability-load-delta"}
_TEXTS = {"text-content", "structured-content"}


class Messages:
    """Translates message by message, and part by part."""

    dialect: str | None = "anthropic"

    def read(self, message: ModelMessage) -> dict[str, Any]:
        """Write a message as an entry."""
        role = "assistant" if message.kind == "response" else "user"
        content = [block for part in message.parts for block in _blocks(part)]
        return {"role": role, "content": content, "held": any(map(_holds, message.parts))}

    def write(self, entry: dict[str, Any], message: ModelMessage | None) -> ModelMessage:
        """Copy a message with other texts."""
        if message is None:
            return ModelRequest([UserPromptPart(entry["content"])])
        blocks = iter(entry["content"])
        parts = [_with(part, [next(blocks) for _ in _blocks(part)]) for part in message.parts]
        return replace(message, parts=parts)


def is_held(entry: Mapping[str, Any]) -> bool:
    """Tell whether Pydantic AI reads from this message what holds from here on.

    Such as instructions that were changed, or which tools are there.

    >>> is_held({"role": "user", "content": [], "held": False})
    False
    """
    return bool(entry.get("held"))


def _holds(part: Any) -> bool:
    return part.part_kind in _HELD or bool(getattr(part, "tool_kind", None))


def _blocks(part: Any) -> list[dict[str, Any]]:
    match part.part_kind:
        case "text":
            return [{"type": "text", "text": part.content, "citations": part.citations}]
        case "thinking":
            return [{"type": "thinking", "thinking": part.content, "signature": part.signature}]
        case "tool-call" | "builtin-tool-call":
            call = {"id": part.tool_call_id, "name": part.tool_name, "input": part.args}
            return [{"type": "tool_use", **call}]
        case "tool-return":
            return [_result(part, "tool_result")]
        case "builtin-tool-return":
            return [_result(part, "server_tool_result")]  # as the provider knows it: never cut
        case "retry-prompt" if part.tool_name:  # what older versions answered a call with
            result = {"tool_use_id": part.tool_call_id, "content": str(part.content)}
            return [{"type": "retry_tool_result", **result, "is_error": True}]
        case "user-prompt" | "file":
            return [_shown(item) for item in _items(part)]
        case kind:  # feedback, changed instructions: counted, and never cut
            content = getattr(part, "content", None)
            return [{"type": kind, "text": content if isinstance(content, str) else ""}]


def _result(part: Any, kind: str) -> dict[str, Any]:
    result = {"tool_use_id": part.tool_call_id, "content": [_shown(item) for item in _items(part)]}
    return {"type": kind, **result, "is_error": part.outcome in ("failed", "retried")}


def _items(part: Any) -> list[Any]:
    """Give texts and files; data that a tool returned is text, as the model reads it."""
    if part.part_kind.endswith("tool-return"):
        return [*part.content_items(mode="str", wrap_if_error=False)]
    return [part.content] if _is_single(part.content) else [*part.content]


def _is_single(content: Any) -> bool:
    return not isinstance(content, list | tuple)


def _shown(item: Any) -> dict[str, Any]:
    """Show text as text, and a file by its price."""
    if isinstance(item, str):
        return {"type": "text", "text": item}
    kind = item.kind
    if kind in _TEXTS:
        return {"type": kind, "text": item.content}
    if kind == "cache-point":
        return {"type": kind, "text": ""}
    is_image = kind == "image-url" or (kind == "binary" and item.media_type.startswith("image/"))
    return {"type": "image" if is_image else "document"}


def _with(part: Any, blocks: list[dict[str, Any]]) -> Any:
    """Copy a part with other texts; without any, the part itself comes back."""
    if blocks == _blocks(part):
        return part
    if part.part_kind == "text":  # the id would stand for the text that the provider stored
        return replace(part, content=blocks[0]["text"], id=None)
    told = blocks[0]["content"] if part.part_kind == "tool-return" else blocks
    pairs = zip(_items(part), told, strict=True)
    items = [new["text"] if isinstance(old, str) else old for old, new in pairs]
    return replace(part, content=items[0] if _is_single(part.content) else items)
