"""OpenAI Responses: a flat list of items (messages, calls, outputs, reasoning).

All items of one response stand or fall together: encrypted reasoning is of no use without the
item behind it, nor that item without its reasoning. So every item of the assistant's that
directly follows another one continues its turn.
Source: OpenAI API reference, Responses, input; OpenAI guides, Conversation state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
from lre.dialects.openai_chat import FILE_TOKENS, audio_tokens, file_tokens, image_tokens
from lre.dialects.rules import openai_responses, report
from lre.dialects.slots import child, text_slots
from lre.messages import Media, Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

__all__ = ["OpenAIResponses"]

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
}

# Calls that the caller answers with an item of its own: type → where their input stands.
_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "computer_call": "action",
    "apply_patch_call": "operation",
    "tool_search_call": "arguments",
    "program": "code",
    "mcp_approval_request": "arguments",
}
# Calls that the provider runs itself, the outcome within the item: type → (input, outcome).
_SERVER_CALLS = {
    "web_search_call": ("action", "results"),
    "file_search_call": ("queries", "results"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("revised_prompt", "result"),
    "mcp_call": ("arguments", "output"),
}
_OUTPUTS = {
    **dict.fromkeys((f"{call}_output" for call in _CALLS), "output"),
    "tool_search_output": "tools",
    "program_output": "result",
    "mcp_approval_response": "approve",
}
_OWN_TYPES = {
    *_CALLS,
    *_SERVER_CALLS,
    *_OUTPUTS,
    "reasoning",
    "item_reference",
    "compaction",
    "mcp_list_tools",
}
_OWN_PARTS = {"input_text", "output_text", "input_image", "input_file"}


class OpenAIResponses:
    """The input list of the Responses API; framing as measured for Chat Completions."""

    name = "openai-responses"
    framing = Framing(message=5, call=8, result=5, reply=3)
    alternates = False

    def evidence(self, entry: Block) -> int:
        kind, content = kind_of(entry), entry.get("content")
        if kind in _OWN_TYPES:
            return 3
        if block_types(content) & _OWN_PARTS:
            return 2
        # Anthropic's SDK also writes `type: message`, on replies with a list of blocks.
        of_another = entry.get("role") == "assistant" and not isinstance(content, str)
        return 2 if kind == "message" and not of_another else 0

    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        item = as_mapping(entry, where)
        role = _role(item, where)
        follows = previous is not None and previous.role == "assistant"
        parts = tuple(_read_item(item, where))
        return Message(role, parts, entry, continues=follows and role == "assistant")

    def slots(self, entry: object) -> list[Path]:
        kind = kind_of(entry) or ("message" if child(entry, "role") else "")
        field = "content" if kind == "message" else _OUTPUTS.get(kind)
        if field not in ("content", "output"):
            return []
        return text_slots(child(entry, field), (field,))

    def render(self, messages: Sequence[Message]) -> list[Any]:
        return [
            item
            for message in messages
            for item in ([message.raw] if message.raw is not None else _build(message))
        ]

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return report(self, messages, openai_responses.RULES, openai_responses.SOURCES)


def _role(item: Block, where: str) -> Role:
    kind, role = kind_of(item), item.get("role")
    if kind in _OUTPUTS:
        return "tool"
    if isinstance(role, str) and role in _ROLES:
        return _ROLES[role]
    if role is None and (kind not in (None, "message") or "id" in item):
        return "assistant"  # whatever the API adds is the model's; a bare id is a reference
    raise unknown_role(role, where, _ROLES)


def _read_item(item: Block, where: str) -> list[Part]:
    kind = kind_of(item) or ("message" if "role" in item else "item_reference")
    if kind == "message":
        return read_parts(item.get("content"), f"{where}.content", _read_part)
    if kind in _CALLS:
        return [_call(item, item.get("call_id") or item.get("id"), _CALLS[kind])]
    if kind in _OUTPUTS:
        call_id = item.get("call_id") or item.get("approval_request_id") or item.get("id")
        return [_result(item, call_id, _OUTPUTS[kind], where)]
    if kind in _SERVER_CALLS:
        given, outcome = _SERVER_CALLS[kind]
        call_id = item.get("id")
        return [_call(item, call_id, given), _result(item, call_id, outcome, where)]
    if kind == "compaction":
        return [Media(kind, len(json_text(item.get("encrypted_content"))) * 3 // 16)]
    if kind == "reasoning":
        return [_reasoning(item, where)]
    return [] if kind == "item_reference" else other_parts(item, FILE_TOKENS)


def _call(item: Block, call_id: object, given: str) -> ToolCall:
    name = item.get("name") or str(item["type"]).removesuffix("_call")
    return ToolCall(json_text(call_id), json_text(name), json_text(item.get(given)))


def _result(item: Block, call_id: object, outcome: str, where: str) -> ToolResult:
    content = item.get(outcome)
    if isinstance(content, str) and item["type"] == "image_generation_call":
        content = [{"type": "input_image"}]
    elif isinstance(content, Mapping):
        content = [content]
    elif not isinstance(content, str | Sequence):
        content = json_text(content)
    failed = bool(item.get("error")) or item.get("status") == "failed"
    return read_result(call_id, read_parts(content, f"{where}.{outcome}", _read_part), failed)


def _reasoning(item: Block, where: str) -> Reasoning:
    parts = [
        *read_parts(item.get("summary"), f"{where}.summary", _read_part),
        *read_parts(item.get("content"), f"{where}.content", _read_part),
    ]
    texts = (part.text for part in parts if isinstance(part, Text))
    return Reasoning("\n".join(texts), len(json_text(item.get("encrypted_content"))))


def _read_part(block: Block, _: str) -> list[Part]:
    match kind_of(block):
        case "input_image" | "computer_screenshot" | "image":
            return [Media("image", image_tokens(block.get("detail")))]
        case "input_file":
            return [Media("file", file_tokens(block.get("file_data")))]
        case "input_audio":
            return [Media("audio", audio_tokens(inner(block.get("input_audio"), "data")))]
        case "refusal":
            return [Text(json_text(block.get("refusal")))]
        case _:
            return other_parts(block, FILE_TOKENS)


def _build(message: Message) -> Iterator[dict[str, Any]]:
    """Write the items of one message: one for its text, and one for each other part."""
    texts = [shown(part) for part in message.parts if isinstance(part, Text | Media)]
    for part in message.parts:
        if isinstance(part, Reasoning):
            summary = [{"type": "summary_text", "text": part.text}] if part.text else []
            yield {"type": "reasoning", "summary": summary}
    if texts or not message.parts:
        yield _build_said("user" if message.role == "tool" else message.role, texts)
    for part in message.parts:
        if isinstance(part, ToolCall):
            body = {"name": part.name, "arguments": part.arguments}
            yield {"type": "function_call", "call_id": part.id, **body}
        elif isinstance(part, ToolResult):
            text = "\n".join(filter(None, [part.text, *map(shown, part.media)]))
            yield {"type": "function_call_output", "call_id": part.call_id, "output": text}


def _build_said(role: str, texts: Sequence[str]) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    several = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": several if texts[1:] else "".join(texts)}
