"""Anthropic Messages: content blocks, results in the user message that follows the call.

Prices of media are ceilings: an image 1,600 tokens (the largest that is not scaled down; its
price is width × height / 750), a document 5,000 (some three pages). The signature of a thinking
block holds the thoughts as well, encrypted: it is the block's sealed content.
Source: Anthropic API reference, Messages; Anthropic docs, Vision, PDF support, Thinking.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lre.dialects.base import (
    Block,
    Framing,
    Path,
    Problem,
    as_mapping,
    block_types,
    inner,
    json_text,
    kind_of,
    other_parts,
    read_parts,
    read_result,
    shown,
    unknown_role,
)
from lre.dialects.rules import anthropic, report
from lre.dialects.slots import child, text_slots
from lre.messages import Media, Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

__all__ = ["DOCUMENT_TOKENS", "IMAGE_TOKENS", "Anthropic"]

IMAGE_TOKENS: Final = 1600
DOCUMENT_TOKENS: Final = 5000

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_THINKING = {"thinking", "redacted_thinking"}
_OWN_BLOCKS = {"tool_use", "tool_result", "server_tool_use", "mcp_tool_use", *_THINKING}


class Anthropic:
    """The message list of the Messages API.

    A user entry of nothing but tool results has the role "tool". Framing is measured on logged
    prompts of claude-opus-4-6 and claude-sonnet-4-6 (docs/decisions/0002).
    """

    name = "anthropic"
    framing = Framing(message=4, call=35, result=35, reply=3)
    alternates = False

    def evidence(self, entry: Block) -> int:
        types = block_types(entry.get("content"))
        if types & {"tool_use", "tool_result"}:
            return 3
        if types & _OWN_BLOCKS or ("stop_reason" in entry and kind_of(entry) == "message"):
            return 2
        shows = types & {"image", "document"}
        return 2 if shows and any(inner(block, "source") for block in entry["content"]) else 0

    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        fields = as_mapping(entry, where)
        role = fields.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise unknown_role(role, where, _ROLES)
        parts = tuple(read_parts(fields.get("content"), f"{where}.content", _read_block))
        follows = previous is not None and previous.role == "assistant"
        if role == "user" and parts and all(isinstance(part, ToolResult) for part in parts):
            return Message("tool", parts, entry)
        return Message(_ROLES[role], parts, entry, continues=follows and role == "assistant")

    def slots(self, entry: object) -> list[Path]:
        return text_slots(child(entry, "content"), ("content",), holders=("tool_result",))

    def render(self, messages: Sequence[Message]) -> list[Any]:
        entries: list[Any] = []
        joins = False
        for message in messages:
            built = message.raw is None
            entry = _build(message) if built else message.raw
            if joins and built and message.role == "tool":
                entries[-1]["content"] += entry["content"]
            else:
                entries.append(entry)
            joins = built and message.role == "tool"
        return entries

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return report(self, messages, anthropic.RULES, anthropic.SOURCES)


def _read_block(block: Block, where: str) -> list[Part]:
    kind = kind_of(block)
    match kind:
        case "tool_use" | "server_tool_use" | "mcp_tool_use":
            given = (json_text(block.get(key)) for key in ("id", "name", "input"))
            return [ToolCall(*given)]
        case "thinking":
            text, signature = (json_text(block.get(key)) for key in ("thinking", "signature"))
            return [Reasoning(text, len(signature))]
        case "redacted_thinking":
            return [Reasoning("", len(json_text(block.get("data"))))]
        case "image":
            return [Media("image", IMAGE_TOKENS)]
        case "compaction":
            return [Text(json_text(block.get("content"))), Media(kind, 0)]
        case "document":
            return _read_document(block, where)
        case _ if kind.endswith("tool_result"):
            return [_read_outcome(block, where)]
        case _:
            return other_parts(block, DOCUMENT_TOKENS)


def _read_document(block: Block, where: str) -> list[Part]:
    """Plain text and content documents are read; what is encoded is priced by its length."""
    source = block.get("source")
    texts = (json_text(block.get(key)) for key in ("title", "context"))
    about: list[Part] = [Text(text) for text in texts if text]
    match inner(source, "type"):
        case "text":
            return [*about, Text(json_text(inner(source, "data")))]
        case "content":
            path = f"{where}.source.content"
            return [*about, *read_parts(inner(source, "content"), path, _read_block)]
        case _:
            encoded = json_text(inner(source, "data"))
            return [*about, Media("document", max(DOCUMENT_TOKENS, len(encoded) // 100))]


def _read_outcome(block: Block, where: str) -> ToolResult:
    content = block.get("content")
    failed = bool(block.get("is_error"))
    if isinstance(content, Mapping):  # server tools give one result or one error object
        failed = failed or "error" in kind_of(content)
        content = [content]
    parts = read_parts(content, f"{where}.content", _read_block)
    return read_result(block.get("tool_use_id"), parts, failed)


def _build(message: Message) -> dict[str, Any]:
    role = {"tool": "user", "developer": "system"}.get(message.role, message.role)
    if len(message.parts) == 1 and isinstance(message.parts[0], Text):
        return {"role": role, "content": message.parts[0].text}
    return {"role": role, "content": [_build_block(part) for part in message.parts] or ""}


def _build_block(part: Part) -> dict[str, Any]:
    match part:
        case ToolCall():
            given = _given(part.arguments)
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": given}
        case ToolResult():
            text = "\n".join(filter(None, [part.text, *map(shown, part.media)]))
            block = {"type": "tool_result", "tool_use_id": part.call_id, "content": text}
            return block | ({"is_error": True} if part.is_error else {})
        case Reasoning():
            return {"type": "thinking", "thinking": part.text}
        case _:
            return {"type": "text", "text": shown(part)}


def _given(arguments: str) -> dict[str, Any]:
    """Read arguments as the object that Anthropic wants; free text becomes its `input`."""
    try:
        value = json.loads(arguments)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"input": arguments}
