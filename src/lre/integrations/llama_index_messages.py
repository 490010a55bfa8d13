"""LlamaIndex's messages and events, for all that is built on `llama-index-core`."""

from __future__ import annotations

from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitted
from lre.telemetry import facts

try:
    from llama_index.core.instrumentation import get_dispatcher
    from llama_index.core.instrumentation.events import BaseEvent
    from llama_index.core.llms import ChatMessage, TextBlock
except ImportError as error:
    raise MissingExtraError("LlamaIndex", "llama-index") from error

__all__ = ["EvictionEvent", "Messages", "tell"]

_ROLES = {"chatbot": "assistant", "model": "assistant"}
_MEDIA = {
    "image": {"type": "image_url"},
    "audio": {"type": "input_audio"},
    "document": {"type": "file"},
    "video": {"type": "file"},
}
_BESIDE = ("tool_call", "thinking", "cache")


class EvictionEvent(BaseEvent):  # type: ignore[misc]
    """What came of a request: `facts` are those of `lre.telemetry.facts`."""

    facts: dict[str, Any]

    @classmethod
    def class_name(cls) -> str:
        """Give the name that handlers know it by."""
        return "EvictionEvent"


def tell(fitted: Fitted[Any]) -> None:
    """Let LlamaIndex's instrumentation know."""
    if fitted.receipt:
        get_dispatcher(__name__).event(EvictionEvent(facts=facts(fitted.receipt)))


class Messages:
    """LlamaIndex's messages as entries of Chat Completions."""

    dialect: str | None = "openai-chat"

    def read(self, message: ChatMessage) -> dict[str, Any]:
        """Write a message as an entry; calls and thoughts among its blocks stand beside them."""
        role, beside = message.role.value, message.additional_kwargs
        calls = [_call(block) for block in message.blocks if block.block_type == "tool_call"]
        return {
            "role": _ROLES.get(role, role),
            "content": [_part(block) for block in message.blocks if _is_content(block)],
            "thinking_blocks": [_thought(b) for b in message.blocks if b.block_type == "thinking"],
            "tool_calls": calls or beside.get("tool_calls") or [],
            "tool_call_id": beside.get("tool_call_id") or "",
        }

    def write(self, entry: dict[str, Any], message: ChatMessage | None) -> ChatMessage:
        """Copy a message with other texts in its blocks."""
        if message is None:
            return ChatMessage(role="user", content=entry["content"])
        parts = iter(entry["content"])
        blocks = [
            _with(block, next(parts)) if _is_content(block) else block for block in message.blocks
        ]
        return message.model_copy(update={"blocks": blocks})


def _is_content(block: Any) -> bool:
    return block.block_type not in _BESIDE


def _part(block: Any) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    kind = block.block_type
    return _MEDIA.get(kind) or {"type": kind, "text": _text(block)}


def _text(block: Any) -> str:
    """Give what a citation says."""
    within = getattr(block, "cited_content", None) or getattr(block, "content", ())
    texts = within if isinstance(within, list) else [within]
    return "\n".join(one.text for one in texts if isinstance(one, TextBlock))


def _thought(block: Any) -> dict[str, Any]:
    signature = block.additional_information.get("signature")
    return {"thinking": block.content or "", "signature": signature}


def _call(block: Any) -> dict[str, Any]:
    function = {"name": block.tool_name, "arguments": block.tool_kwargs}
    return {"id": block.tool_call_id or "", "type": "function", "function": function}


def _with(block: Any, part: dict[str, Any]) -> Any:
    if isinstance(block, TextBlock) and part["text"] != block.text:
        return block.model_copy(update={"text": part["text"]})
    return block
