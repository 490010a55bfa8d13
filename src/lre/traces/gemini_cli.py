"""Gemini CLI chats: ``~/.gemini/tmp/*/chats/session-*``, JSON and, since 2026, JSON Lines.

A file is one session. A reply's text and calls become one content of the role model, what its
calls gave one of the role user: parts go on as they stand, in Gemini's contents, with the
`timestamp` of their message. What the program told its user (info, error, warning) is left out.

In JSON Lines a message that comes again replaces the first, ``$set`` may replace all, and what
was taken back by ``$rewindTo`` is left out.
Source: google-gemini/gemini-cli, packages/core, chat recording: its types and how it loads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import trace
from lre.traces.native import joined, readable, text_of

__all__ = ["READER"]

_TOLD = ("info", "error", "warning")
_HEAD = {"sessionId", "projectHash"}

Content = dict[str, Any]


class _GeminiCLI:
    name = "gemini_cli"
    describe = "Gemini CLI: recorded chats"
    dialects = ("gemini",)
    example = "~/.gemini/tmp/…/chats/session-….json"

    def recognises(self, value: object) -> bool:
        if not isinstance(value, dict):
            return False
        return value.keys() >= _HEAD or (value.get("type") == "gemini" and "content" in value)

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for found in joined(records, _session):
            yield from _chat(found, report)


READER = _GeminiCLI()


def _session(value: object) -> str:
    headed = isinstance(value, dict) and value.keys() >= _HEAD
    return text_of(value, "sessionId") if headed and isinstance(value, dict) else ""


def _chat(records: Iterable[Record], report: Report) -> Iterator[Trace]:
    """Read one chat: a document, or the changes of one."""
    about: dict[str, Any] = {}
    where = ""
    messages: dict[str, tuple[Any, str]] = {}  # by their ids, with their places
    for record in records:
        value, where = record.value, where or record.where
        if not isinstance(value, dict):
            report(record.where, "no record of a chat: skipped")
        elif isinstance(value.get("$rewindTo"), str):
            _rewind(messages, value["$rewindTo"])
        elif isinstance(value.get("id"), str):
            messages[value["id"]] = value, record.where
        else:
            change = value.get("$set")
            facts = change if isinstance(change, dict) else value
            about = {**about, **facts}
            if "messages" in facts:
                messages = _listed(facts["messages"], record.where, report)
    contents = [
        content
        for message, place in messages.values()
        for content in _contents(message, place, report)
    ]
    if contents:
        yield _trace(contents, about, where)


def _rewind(messages: dict[str, Any], name: str) -> None:
    """Drop a message and what came after it; all of them, if it is not there."""
    while messages and messages.popitem()[0] != name:
        pass


def _listed(value: object, where: str, report: Report) -> dict[str, tuple[Any, str]]:
    """Number the messages of a document: there, none replaces another."""
    if not isinstance(value, list):
        report(f"{where}: messages", "no list: skipped")
        return {}
    return {f"#{i}": (message, f"{where}: messages[{i}]") for i, message in enumerate(value)}


def _contents(message: object, where: str, report: Report) -> Iterator[Content]:
    """Give what a message said as contents, if it is the model's or the user's."""
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(message, dict) or kind not in ("user", "gemini", *_TOLD):
        report(where, "no message of a chat: skipped")
        return
    if kind in _TOLD:
        return
    said = _said(message.get("content"))
    if kind == "user":
        found = [("user", said)]
    else:
        calls = [call for call in _list(message.get("toolCalls")) if isinstance(call, dict)]
        given = [part for call in calls for part in _said(call.get("result"))]
        found = [("model", [*_thoughts(message), *said, *map(_called, calls)]), ("user", given)]
    for role, parts in found:
        content = {"role": role, "parts": parts, "timestamp": text_of(message, "timestamp")}
        if parts and readable("gemini", content, where, report):
            yield content


def _said(value: object) -> list[Any]:
    """Read what the program calls a list of parts: text, a part, or several of both."""
    parts = value if isinstance(value, list) else [value]
    return [{"text": part} if isinstance(part, str) else part for part in parts if part]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _thoughts(message: Content) -> Iterator[Content]:
    for thought in _list(message.get("thoughts")):
        if isinstance(thought, dict):
            subject, text = text_of(thought, "subject"), text_of(thought, "description")
            yield {"text": f"**{subject}**\n\n{text}" if subject else text, "thought": True}


def _called(call: dict[str, Any]) -> Content:
    body = {key: call[key] for key in ("id", "name", "args") if key in call}
    return {"functionCall": body}


def _trace(contents: list[Content], about: dict[str, Any], where: str) -> Trace:
    return trace(
        READER.name,
        where,
        contents,
        task=about.get("sessionId"),
        session=about.get("sessionId"),
        kind=about.get("kind"),
    )
