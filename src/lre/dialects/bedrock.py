"""Bedrock Converse: blocks of one key each, results in the user's message after the call.

Many of its models refuse two messages of one role in a row. So what the user says stands or
falls with the assistant's message before it: whatever goes, the two still take turns.

Prices of media are ceilings, those of Claude and Nova: an image 1,600 tokens, a document 5,000,
a video 288 a second and a minute at least, a sound 600. The signature of reasoning holds the
thoughts as well, encrypted.
Source: Amazon Bedrock API reference, Converse, Message and ContentBlock; Amazon Nova user guide,
Video understanding.
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
    blocks,
    foreign,
    inner,
    json_text,
    other_parts,
    read_result,
    shown,
    unknown_role,
)
from lre.dialects.objects import encoded_size, given, written
from lre.dialects.rules import bedrock, report
from lre.dialects.slots import child
from lre.errors import MessageError
from lre.messages import Media, Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

__all__ = ["MEDIA_TOKENS", "Bedrock"]

MEDIA_TOKENS: Final = {"image": 1600, "document": 5000, "video": 17_280, "audio": 600}

_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


class Bedrock:
    """The message list of Converse; the system prompt is given apart.

    A user message of nothing but tool results has the role "tool". Framing is Anthropic's, whose
    models most of those who use Converse call.
    """

    name = "bedrock"
    framing = Framing(message=4, call=35, result=35, reply=3)
    alternates = True

    def evidence(self, entry: Block) -> int:
        content, role = entry.get("content"), entry.get("role")
        if not isinstance(content, list | tuple) or not (isinstance(role, str) and role in _ROLES):
            return 0
        if any(not isinstance(block, Mapping) or "type" in block for block in content):
            return 0
        held = {name for block in content for name in block if name in bedrock.MEMBERS}
        return 3 if held - {"text", *MEDIA_TOKENS} else 2 * bool(held)

    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        fields = as_mapping(entry, where)
        role = fields.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise unknown_role(role, where, _ROLES)
        parts = tuple(_read_content(fields.get("content"), f"{where}.content"))
        follows = previous is not None and previous.role == "assistant" and role != "system"
        if role == "user" and parts and all(isinstance(part, ToolResult) for part in parts):
            return Message("tool", parts, entry, continues=follows)
        return Message(_ROLES[role], parts, entry, continues=follows)

    def slots(self, entry: object) -> list[Path]:
        found = _places(child(entry, "content"), ("content",))
        return [path for at, block in found for path in _slots(block, at)]

    def render(self, messages: Sequence[Message]) -> list[Any]:
        return written(messages, _build, "content")

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return report(self, messages, bedrock.RULES, bedrock.SOURCES)


def _read_content(content: object, where: str) -> Iterator[Part]:
    if isinstance(content, str):
        raise MessageError(
            "content is text, so it is not Converse's",
            where=where,
            remedy="give a list of blocks such as {'text': …}, or name the dialect that it is in",
        )
    for path, block in blocks(content or (), where):
        if "type" in block:
            raise foreign(path)
        yield from _read_block(block, path)


def _read_block(block: Block, where: str) -> Iterator[Part]:
    kind = next((name for name in block if name in bedrock.MEMBERS), "")
    body = block.get(kind)
    match kind:
        case "text" | "json":
            yield Text(json_text(body))
        case "toolUse":
            called = as_mapping(body, f"{where}.toolUse")
            yield ToolCall(*(json_text(called.get(key)) for key in ("toolUseId", "name", "input")))
        case "toolResult":
            told = as_mapping(body, f"{where}.toolResult")
            parts = _read_content(told.get("content"), f"{where}.toolResult.content")
            yield read_result(told.get("toolUseId"), parts, told.get("status") == "error")
        case "reasoningContent":
            yield _read_reasoning(as_mapping(body, f"{where}.reasoningContent"))
        case "document":
            yield from _read_document(as_mapping(body, f"{where}.document"), where)
        case "image" | "video" | "audio":
            yield Media(kind, MEDIA_TOKENS[kind])
        case "guardContent" | "citationsContent" | "searchResult":
            yield from _read_around(as_mapping(body, f"{where}.{kind}"), f"{where}.{kind}")
        case "cachePoint":
            return
        case _:
            yield from other_parts(block, MEDIA_TOKENS["document"])


def _read_reasoning(body: Block) -> Reasoning:
    told = body.get("reasoningText")
    sealed = inner(told, "signature") or body.get("redactedContent")
    return Reasoning(json_text(inner(told, "text")), encoded_size(sealed))


def _read_document(body: Block, where: str) -> Iterator[Part]:
    source = body.get("source")
    plain = [body.get("context"), inner(source, "text")]
    yield from (Text(text) for text in plain if isinstance(text, str) and text)
    content = inner(source, "content")
    yield from _read_content(content, f"{where}.document.source.content")
    if content is None and inner(source, "text") is None:
        size = encoded_size(inner(source, "bytes"))
        yield Media("document", max(MEDIA_TOKENS["document"], size // 100))


def _read_around(body: Block, where: str) -> Iterator[Part]:
    """Read text that carries more than itself: guarded, cited, or found."""
    names = (body.get("title"), body.get("source"), inner(body.get("text"), "text"))
    yield from (Text(text) for text in names if isinstance(text, str) and text)
    yield from _read_content(body.get("content"), f"{where}.content")
    if "image" in body:
        yield Media("image", MEDIA_TOKENS["image"])


def _places(content: object, at: Path) -> list[tuple[Path, object]]:
    places = enumerate(content) if isinstance(content, list | tuple) else ()
    return [((*at, i), block) for i, block in places]


def _slots(block: object, at: Path) -> list[Path]:
    """Find its text, or the texts of its tool result."""
    told = child(child(block, "toolResult"), "content")
    found = [(at, block), *_places(told, (*at, "toolResult", "content"))]
    texts = [(place, child(one, "text")) for place, one in found]
    return [(*place, "text") for place, text in texts if isinstance(text, str) and text]


def _build(message: Message) -> dict[str, Any]:
    role = {"tool": "user", "developer": "system"}.get(message.role, message.role)
    return {"role": role, "content": [_build_block(part) for part in message.parts]}


def _build_block(part: Part) -> dict[str, Any]:
    match part:
        case ToolCall():
            called = {"toolUseId": part.id, "name": part.name, "input": given(part.arguments)}
            return {"toolUse": called}
        case ToolResult():
            text = "\n".join(filter(None, [part.text, *map(shown, part.media)]))
            told = {"toolUseId": part.call_id, "content": [{"text": text}] if text else []}
            return {"toolResult": told | ({"status": "error"} if part.is_error else {})}
        case Reasoning():
            return {"reasoningContent": {"reasoningText": {"text": part.text}}}
        case _:
            return {"text": shown(part)}
