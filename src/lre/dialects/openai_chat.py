"""OpenAI Chat Completions, and what logs make of it (τ-bench, τ²-bench, mini-swe-agent, DeepSeek).

Prices of media are flat: an image 85 tokens at low detail and 1,536 otherwise (a ceiling: tiles
come to 1,445 at most, patches to 1,536), a sound 600 (a minute), a file 5,000 (three pages).
Source: OpenAI API reference, Chat Completions; OpenAI guides, Images and vision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lre.dialects.base import (
    Block,
    Framing,
    Path,
    Problem,
    as_mapping,
    block_types,
    blocks,
    inner,
    json_text,
    kind_of,
    other_parts,
    read_parts,
    read_result,
    shown,
    unknown_role,
)
from lre.dialects.rules import openai_chat, report
from lre.dialects.slots import child, text_slots
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

__all__ = [
    "AUDIO_TOKENS",
    "FILE_TOKENS",
    "OpenAIChat",
    "audio_tokens",
    "file_tokens",
    "image_tokens",
]

AUDIO_TOKENS: Final = 600
FILE_TOKENS: Final = 5000

_REASONING = ("thinking_blocks", "reasoning_details", "reasoning_content", "reasoning")
_THOUGHT = ("thinking", "text", "summary", "content")

_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def image_tokens(detail: object) -> int:
    """Price an image by its `detail`: 85 tokens for "low", otherwise the most that any costs.

    Its size would tell more, but lies within the encoded bytes, or behind a link.

    >>> image_tokens("low"), image_tokens(None)
    (85, 1536)
    """
    return 85 if detail == "low" else 1536


def audio_tokens(encoded: object) -> int:
    """Price a sound by its base64, if it is there: ten tokens a second of MP3, 600 at least."""
    return max(AUDIO_TOKENS, len(json_text(encoded)) // 2000)


def file_tokens(encoded: object) -> int:
    """Price a document by its base64, if it is there: a token a hundred, 5,000 at least."""
    return max(FILE_TOKENS, len(json_text(encoded)) // 100)


class OpenAIChat:
    """The message list of Chat Completions.

    Framing is measured on logged prompts (docs/decisions/0002): what o3 and gpt-5.4 add, which
    is a little more than gpt-4o and gpt-4.1 do.
    """

    name = "openai-chat"
    framing = Framing(message=5, call=8, result=5, reply=3)
    alternates = False

    def evidence(self, entry: Block) -> int:
        role = entry.get("role")
        if "parts" in entry and "content" not in entry:
            return 0  # Gemini has the role function as well
        if role in ("tool", "function") or "tool_calls" in entry or "function_call" in entry:
            return 3
        if block_types(entry.get("content")) & {"image_url", "input_audio", "file"}:
            return 2
        if "type" in entry:
            return 0
        return {"developer": 2, "system": 1}.get(role, 0) if isinstance(role, str) else 0

    def parse(self, entry: object, previous: Message | None, where: str) -> Message:  # noqa: ARG002
        fields = as_mapping(entry, where)
        role = fields.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise unknown_role(role, where, _ROLES)
        if "parts" in fields and "content" not in fields:
            raise MessageError(
                "parts instead of content, as Gemini has them",
                where=where,
                remedy="name the dialect that it is in, or none",
            )
        parts = read_parts(fields.get("content"), f"{where}.content", _read_part)
        if _ROLES[role] == "tool":
            parts = [read_result(_result_id(fields, role), parts, _failed(fields))]
        said = [*_reasoning(fields), *parts, *_beside_content(fields)]
        return Message(_ROLES[role], (*said, *_calls(fields, where)), entry)

    def slots(self, entry: object) -> list[Path]:
        if child(entry, "annotations"):
            return []  # they point into the content
        return text_slots(child(entry, "content"), ("content",))

    def render(self, messages: Sequence[Message]) -> list[Any]:
        return [
            entry
            for message in messages
            for entry in ([message.raw] if message.raw is not None else _build(message))
        ]

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return report(self, messages, openai_chat.RULES, openai_chat.SOURCES)


def _read_part(block: Block, _: str) -> list[Part]:
    match kind_of(block):
        case "image_url":
            image = block.get("image_url")
            return [Media("image", image_tokens(inner(image, "detail")))]
        case "input_audio":
            return [Media("audio", audio_tokens(inner(block.get("input_audio"), "data")))]
        case "file":
            return [Media("file", file_tokens(inner(block.get("file"), "file_data")))]
        case "refusal":
            return [Text(json_text(block.get("refusal")))]
        case _:
            return other_parts(block, FILE_TOKENS)


def _reasoning(fields: Block) -> list[Part]:
    """Read the first field that has any: the others repeat it.

    LiteLLM writes `thinking_blocks`, OpenRouter `reasoning_details`, DeepSeek and vLLM
    `reasoning_content`, τ²-bench `reasoning`.
    """
    found = (_thoughts(fields.get(key)) for key in _REASONING)
    return next((thoughts for thoughts in found if thoughts), [])


def _thoughts(value: object) -> list[Part]:
    if isinstance(value, str):
        return [Reasoning(value)] if value else []
    parts = [part for part in value if isinstance(part, Mapping)] if isinstance(value, list) else []
    return [
        Reasoning(
            next((part[key] for key in _THOUGHT if isinstance(part.get(key), str)), ""),
            len(json_text(part.get("data") or part.get("signature"))),
        )
        for part in parts
    ]


def _beside_content(fields: Block) -> list[Part]:
    refusal = fields.get("refusal")
    parts: list[Part] = [Text(refusal)] if isinstance(refusal, str) and refusal else []
    return [*parts, Media("audio", AUDIO_TOKENS)] if fields.get("audio") else parts


def _calls(fields: Block, where: str) -> Iterator[ToolCall]:
    for _, call in blocks(fields.get("tool_calls") or (), f"{where}.tool_calls"):
        body = call.get("function") or call.get("custom")
        yield _call(call.get("id"), body if isinstance(body, Mapping) else call)
    legacy = fields.get("function_call")
    if legacy:
        yield _call("", as_mapping(legacy, f"{where}.function_call"))


def _call(call_id: object, body: Block) -> ToolCall:
    return ToolCall(json_text(call_id), json_text(body.get("name")), json_text(_input(body)))


def _input(body: Block) -> object:
    """Functions take `arguments`, custom tools `input`."""
    return body.get("arguments", body.get("input"))


def _result_id(fields: Block, role: str) -> object:
    """τ²-bench repeats the call's id as `id`; the legacy role `function` has none."""
    return "" if role == "function" else fields.get("tool_call_id") or fields.get("id")


def _failed(fields: Block) -> bool:
    """Spot τ²-bench's `error`, LangChain's `status` and mini-swe-agent's `extra.returncode`."""
    marked = fields.get("error") or fields.get("is_error") or fields.get("status") == "error"
    code = inner(fields.get("extra"), "returncode")
    return bool(marked) or (isinstance(code, int) and code != 0)


def _build(message: Message) -> Iterator[dict[str, Any]]:
    """Write the entries of one message: one for each result, and one for all the rest."""
    for part in message.parts:
        if isinstance(part, ToolResult):
            text = "\n".join(filter(None, [part.text, *map(shown, part.media)]))
            yield {"role": "tool", "tool_call_id": part.call_id, "content": text}
    rest = [part for part in message.parts if not isinstance(part, ToolResult)]
    if rest or not message.parts:
        yield _build_said("user" if message.role == "tool" else message.role, rest)


def _build_said(role: str, parts: Sequence[Part]) -> dict[str, Any]:
    texts = [shown(part) for part in parts if isinstance(part, Text | Media)]
    thought = "".join(part.text for part in parts if isinstance(part, Reasoning))
    calls = [_build_call(part) for part in parts if isinstance(part, ToolCall)]
    entry: dict[str, Any] = {"role": role, "content": None if calls else ""}
    if texts:
        several = [{"type": "text", "text": text} for text in texts]
        entry["content"] = several if len(texts) > 1 else texts[0]
    if thought:
        entry["reasoning_content"] = thought
    if calls:
        entry["tool_calls"] = calls
    return entry


def _build_call(call: ToolCall) -> dict[str, Any]:
    body = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": body}
