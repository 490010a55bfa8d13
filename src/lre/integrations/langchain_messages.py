"""LangChain's messages, tools and events, for all that is built on `langchain-core`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from lre.dialects.base import json_text
from lre.errors import MissingExtraError
from lre.integrations.base import Fitted
from lre.telemetry import facts

try:
    from langchain_core.callbacks import adispatch_custom_event, dispatch_custom_event
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
    from langchain_core.utils.function_calling import convert_to_openai_tool
except ImportError as error:
    raise MissingExtraError("LangChain", "langchain") from error

__all__ = ["EVENT", "Messages", "atell", "plain_tools", "tell"]

EVENT = "lre.receipt"
"""The name of the custom event of every receipt."""

_ROLES = {"human": "user", "ai": "assistant"}
_MEDIA = {"image": "image_url", "audio": "input_audio", "document": "file", "video": "file"}
_CALLS = {"tool_use", "tool_call", "tool_call_chunk", "invalid_tool_call", "function_call"}
_THOUGHTS = {"thinking", "redacted_thinking", "reasoning"}
_NOTHING = {"type": "text", "text": ""}


class Messages:
    """Translates messages of LangChain to entries of Chat Completions."""

    dialect: str | None = "openai-chat"

    def read(self, message: AnyMessage) -> dict[str, Any]:
        """Write a message as an entry; calls and thoughts in its content stand beside it."""
        kind = message.type.removesuffix("MessageChunk").lower()
        role = getattr(message, "role", _ROLES.get(kind, kind))
        content = message.content
        blocks = content if isinstance(content, list) else []
        entry = {"role": role, "content": [_shown(block) for block in blocks] or content}
        if isinstance(message, AIMessage):
            entry["tool_calls"] = [
                _call(call) for call in (*message.tool_calls, *message.invalid_tool_calls)
            ]
            entry["thinking_blocks"] = [_thought(b) for b in blocks if _kind(b) in _THOUGHTS]
        if isinstance(message, ToolMessage):
            entry |= {"tool_call_id": message.tool_call_id, "error": message.status == "error"}
        return entry

    def write(self, entry: dict[str, Any], message: AnyMessage | None) -> AnyMessage:
        """Copy a message with other texts."""
        content = entry["content"]
        if message is None:
            return HumanMessage(content)
        if isinstance(content, list):
            pairs = zip(message.content, content, strict=True)
            content = [old if _shown(old) == new else new for old, new in pairs]
        return message.model_copy(update={"content": content})


def tell(fitted: Fitted[AnyMessage]) -> None:
    """Dispatch a receipt as a custom event of the run."""
    if fitted.receipt:
        with contextlib.suppress(Exception):  # such as: there is no run
            dispatch_custom_event(EVENT, facts(fitted.receipt))


async def atell(fitted: Fitted[AnyMessage]) -> None:
    """Dispatch a receipt from async code."""
    if fitted.receipt:
        with contextlib.suppress(Exception):
            await adispatch_custom_event(EVENT, facts(fitted.receipt))


def plain_tools(tools: Sequence[Any] | None) -> list[dict[str, Any]] | None:
    """Write tools as providers are told of them; None where there are none that can be."""
    with contextlib.suppress(Exception):
        return [convert_to_openai_tool(tool) for tool in tools or ()] or None
    return None


def _kind(block: Any) -> str:
    return str(block.get("type", "")) if isinstance(block, dict) else ""


def _shown(block: Any) -> Any:
    """Give the block itself if it is text, and something of the same price if not."""
    kind = _kind(block)
    if kind in _MEDIA:
        return {"type": _MEDIA[kind]}
    return _NOTHING if kind in _CALLS | _THOUGHTS else block


def _thought(block: dict[str, Any]) -> dict[str, str]:
    """Read a thought as Anthropic, the Responses API or LangChain itself writes it."""
    block = {**block, **(block.get("extras") or {})}
    said = _first(block, "thinking", "reasoning", "summary")
    return {"text": said, "data": _first(block, "signature", "data", "encrypted_content")}


def _first(block: dict[str, Any], *keys: str) -> str:
    return json_text(next((block[key] for key in keys if block.get(key)), None))


def _call(call: Any) -> dict[str, Any]:
    function = {"name": call.get("name") or "", "arguments": call.get("args")}
    return {"id": call.get("id") or "", "type": "function", "function": function}
