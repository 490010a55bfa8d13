"""Gemini contents: parts on the roles user and model, the system instruction given apart.

Calls rarely have ids: they are paired by order (`lre.dialects.pairing`). A thought signature
holds thoughts, encrypted: it is sealed reasoning, and a text that it signs is never cut.

A turn of calls has to come right after a turn of the user's. So what the user says stands or
falls with the model's entry before it: whatever goes, the two still take turns.
Source: Gemini API reference, generateContent, Content; Gemini API docs, Function calling, Thought
signatures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from lre.dialects.base import Block, Framing, Path, Problem, as_mapping, shown, unknown_role
from lre.dialects.gemini_parts import data_of, read_content, said
from lre.dialects.objects import field, given, key, written
from lre.dialects.rules import gemini, report
from lre.dialects.slots import child
from lre.errors import MessageError
from lre.messages import Message, Part, Reasoning, Role, ToolCall, ToolResult

__all__ = ["Gemini"]

_ROLES: Mapping[str, Role] = {"user": "user", "model": "assistant", "function": "tool"}
_OF_OTHERS = ("type", "kind", "part_kind")  # the Vercel SDK, A2A, Pydantic AI have parts as well


class Gemini:
    """The contents of generateContent.

    A user entry of nothing but function responses has the role "tool". Framing is read off logs
    of the Gemini CLI with gemini-2.5-pro: in five short steps, a call with some words and its
    response cost 5 to 16 tokens more than what they say.
    """

    name = "gemini"
    framing = Framing(message=3, call=4, result=6, reply=3)
    alternates = False

    def evidence(self, entry: Block) -> int:
        parts, role = entry.get("parts"), entry.get("role", "user")
        if not isinstance(parts, list | tuple) or not (isinstance(role, str) and role in _ROLES):
            return 0
        if any(child(part, other) for part in parts for other in _OF_OTHERS):
            return 0
        held = {name for part in parts for name in data_of(part)}
        return 3 if role != "user" or held - {"text"} else 2

    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        fields = as_mapping(entry, where)
        role = fields.get("role", "user" if "parts" in fields else None)
        if not isinstance(role, str) or role not in _ROLES:
            raise unknown_role(role, where, _ROLES)
        if "content" in fields and "parts" not in fields:
            raise MessageError(
                "content instead of parts, so it is not Gemini's",
                where=where,
                remedy="name the dialect that it is in, or none",
            )
        parts = tuple(read_content(fields.get("parts"), f"{where}.parts"))
        follows = previous is not None and previous.role == "assistant"
        if role == "user" and parts and all(isinstance(part, ToolResult) for part in parts):
            return Message("tool", parts, entry, continues=follows)
        return Message(_ROLES[role], parts, entry, continues=follows)

    def slots(self, entry: object) -> list[Path]:
        parts = child(entry, "parts")
        if isinstance(parts, str):
            return [("parts",)] if parts else []
        places = enumerate(parts) if isinstance(parts, list | tuple) else ()
        return [path for i, part in places for path in _slots(part, ("parts", i))]

    def render(self, messages: Sequence[Message]) -> list[Any]:
        calls = (p for m in messages for p in m.parts if isinstance(p, ToolCall))
        return written(messages, partial(_build, names={p.id: p.name for p in calls}), "parts")

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return report(self, messages, gemini.RULES, gemini.SOURCES)


def _slots(part: object, at: Path) -> list[Path]:
    if isinstance(part, str):
        return [at] if part else []
    if child(part, "thought") or field(part, "thoughtSignature"):
        return []
    text = child(part, "text")
    if text is not None:
        return [(*at, "text")] if isinstance(text, str) and text else []
    answered = key(part, "functionResponse")
    told = child(child(part, answered), "response")
    return [(*at, answered, "response", name) for name in said(told) if child(told, name)]


def _build(message: Message, names: Mapping[str, str]) -> dict[str, Any]:
    role = "model" if message.role == "assistant" else "user"
    return {"role": role, "parts": [_build_part(part, names) for part in message.parts]}


def _build_part(part: Part, names: Mapping[str, str]) -> dict[str, Any]:
    match part:
        case ToolCall():
            called = {"name": part.name, "args": given(part.arguments)}
            return {"functionCall": ({"id": part.id} if part.id else {}) | called}
        case ToolResult():
            text = "\n".join(filter(None, [part.text, *map(shown, part.media)]))
            name = names.get(part.call_id) or part.call_id or "tool"  # without one it is refused
            told = {"name": name, "response": {"error" if part.is_error else "output": text}}
            return {"functionResponse": ({"id": part.call_id} if part.call_id else {}) | told}
        case Reasoning():
            return {"text": part.text, "thought": True}
        case _:
            return {"text": shown(part)}
