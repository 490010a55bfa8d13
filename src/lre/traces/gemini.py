"""Gemini contents, as requests to the API and saved chats hold them.

- a list of contents, ``{"contents": […]}``, ``{"history": […]}`` (checkpoints of Gemini CLI), or
  one content a line (then the file is one session);
- requests alone, a line each or in a list, as for tuning, or wrapped in ``request`` or ``body``
  (batch files, HTTP logs): each is a session, with `systemInstruction` and `tools`;
- the reply of ``{"request": …, "response": {"candidates": […]}}`` ends its session.

Keys are in camelCase as on the wire or in snake_case as the SDK writes them; contents are handed
on as they stand.
Source: Gemini API reference, GenerateContent, Content and Part; Gemini API, Batch mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lre.dialects.gemini_parts import data_of
from lre.traces.base import Record, Report, Trace, first_words
from lre.traces.entries import trace
from lre.traces.native import readable
from lre.traces.walk import DEPTH, WRAPPERS

__all__ = ["READER", "first_prompt", "is_content"]

_LISTS = ("contents", "history")
_ROLES = (None, "user", "model", "function")
_FOREIGN = frozenset({"type", "kind", "part_kind"})  # parts of others say what they are


@dataclass(frozen=True, slots=True)
class _Chat:
    """A list of contents, its path in the record, the request around it, and the reply."""

    contents: list[Any]
    path: str
    request: dict[str, Any]
    reply: Any = None


class _Gemini:
    name = "gemini"
    describe = "Gemini: contents, requests to the API, checkpoints of Gemini CLI"
    dialects = ("gemini",)
    example = "requests.jsonl"

    def recognises(self, value: object) -> bool:
        return is_content(value) or any(True for _ in _chats(value))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        lines: list[Any] = []
        where = ""
        for record in records:
            if is_content(record.value):
                where = where or record.where
                if readable("gemini", record.value, record.where, report):
                    lines.append(record.value)
                continue
            chats = list(_chats(record.value))
            if not chats:
                report(record.where, "no contents are found here: skipped")
            for chat in chats:
                yield from _trace(chat, record.where, report)
        yield from _trace(_Chat(lines, "", {}), where, report)


READER = _Gemini()


def is_content(value: object) -> bool:
    """Tell whether a value is surely a content of Gemini's.

    >>> is_content({"role": "user", "parts": [{"text": "Hi"}]})
    True
    >>> is_content({"role": "user", "parts": [{"type": "text", "text": "Hi"}]})
    False
    """
    if not isinstance(value, dict) or not isinstance(value.get("role"), str | None):
        return False
    parts = value.get("parts")
    return value.get("role") in _ROLES and isinstance(parts, list) and any(map(_is_part, parts))


def _is_part(value: object) -> bool:
    return isinstance(value, dict) and _FOREIGN.isdisjoint(value) and bool(data_of(value))


def _chats(value: object, path: str = "", reply: object = None, depth: int = 0) -> Iterator[_Chat]:
    """Find the lists of contents in a record."""
    if depth > DEPTH or is_content(value):
        return
    if isinstance(value, list):
        if any(map(is_content, value)):
            yield _Chat(value, path, {}, reply)
            return
        for i, element in enumerate(value):
            yield from _chats(element, f"{path}[{i}]", None, depth + 1)
    elif isinstance(value, dict):
        held = next((key for key in _LISTS if _holds(value.get(key))), None)
        if held:
            yield _Chat(value[held], f"{path}.{held}".lstrip("."), value, reply)
            return
        answer = value.get("response", reply)
        for key in WRAPPERS:
            yield from _chats(value.get(key), f"{path}.{key}".lstrip("."), answer, depth + 1)


def _holds(value: object) -> bool:
    return isinstance(value, list) and any(map(is_content, value))


def _trace(chat: _Chat, where: str, report: Report) -> Iterator[Trace]:
    place = f"{where}: {chat.path}" if chat.path else where
    request = chat.request
    contents = [
        content
        for i, content in enumerate(chat.contents)
        if readable("gemini", content, f"{place}[{i}]" if chat.path else f"{place}: [{i}]", report)
    ]
    contents += _replied(chat.reply, f"{where}: response", report)
    if contents:
        yield trace(
            READER.name,
            place,
            contents,
            task=first_prompt(contents),
            system=request.get("systemInstruction", request.get("system_instruction")),
            tools=request.get("tools"),
            model=request.get("model"),
        )


def _replied(response: object, place: str, report: Report) -> list[Any]:
    """Give the first candidate of a response, bare or in an HTTP log."""
    while isinstance(response, dict) and "candidates" not in response:
        response = response.get("body", response.get("content"))
    candidates = response.get("candidates") if isinstance(response, dict) else None
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = first.get("content") if isinstance(first, dict) else None
    return [content] if is_content(content) and readable("gemini", content, place, report) else []


def first_prompt(contents: Iterable[Any]) -> str:
    """Name the task of a session by its first prompt, as `first_words` does."""
    return first_words([{"role": one.get("role"), "content": one.get("parts")} for one in contents])
