"""OpenCode: what ``opencode export`` writes, lists of ``{info, parts}``, and recorded events.

An assistant message holds several steps; each becomes a turn with its calls, and their results
after them. Of events (bare, in a ``payload``, or as a plugin gets them) the last state of every
message and part counts, so that streamed pieces are not read twice. What was said before a
compaction stays, with the summary behind it. A sub-session has the task of its parent.

Source: `Part` and `Message` of anomalyco/opencode (``packages/sdk/js/src/gen/types.gen.ts``)
and its ``export`` command; the form of an export was written from that schema, without a file
of it at hand, that of events is tested on recorded ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import trace
from lre.traces.opencode_parts import entries

__all__ = ["READER"]

_EVENTS = ("message.", "session.")


class _OpenCode:
    name = "opencode"
    describe = "OpenCode exports and recorded events"
    dialects = ("openai-chat",)
    example = "opencode export ses_… > session.json"

    def recognises(self, value: object) -> bool:
        return any(map(_is_message, _messages(value))) or _event(value) is not None

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        logs: dict[str, _Log] = {}
        for record in records:
            messages = _messages(record.value)
            event = _event(record.value)
            if event is not None:
                _take(logs, event, record.where)
            elif messages:
                yield from _exported(record, messages, report)
            elif not _is_other(record.value):
                report(record.where, "no OpenCode session or event: skipped")
        for log in logs.values():
            yield from log.trace()


READER = _OpenCode()


@dataclass
class _Log:
    """What is known of a session: its info, and its messages and parts by id, in order."""

    where: str
    info: Mapping[str, Any] = field(default_factory=dict)
    infos: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    parts: dict[str, dict[str, Mapping[str, Any]]] = field(default_factory=dict)

    def trace(self) -> Iterator[Trace]:
        """Give the session, unless nothing was said in it."""
        messages = [
            entry
            for key, parts in self.parts.items()
            for entry in entries(self.infos.get(key, {}), parts.values())
        ]
        if messages:
            told = {key: self.info.get(key) for key in ("title", "directory", "version")}
            task = self.info.get("parentID") or self.info.get("id")
            yield trace(READER.name, self.where, messages, task=task, **told)


def _exported(record: Record, messages: list[Any], report: Report) -> Iterator[Trace]:
    """Read a document; without a session's info its messages name the session."""
    info = record.value.get("info") if isinstance(record.value, dict) else None
    item = Item(record.value, record.where, "" if info is None else "messages", report)
    log = _Log(record.where, info if isinstance(info, dict) else {})
    for i, message in enumerate(messages):
        if not _is_message(message):
            item.skip(f"[{i}]", "no message with info and parts")
            continue
        log.infos[str(i)] = message["info"]
        log.parts[str(i)] = dict(_numbered(item, f"[{i}].parts", message["parts"]))
        log.info = log.info or {"id": message["info"].get("sessionID")}
    yield from log.trace()


def _numbered(item: Item, path: str, parts: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for k, part in enumerate(parts):
        if _is_part(part):
            yield str(k), part
        else:
            item.skip(f"{path}[{k}]", "no part")


def _messages(value: object) -> list[Any]:
    found = value.get("messages") if isinstance(value, dict) else value
    messages = found if isinstance(found, list) else []
    return messages if any(map(_is_message, messages)) else []


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("parts"), list):
        return False
    info = value.get("info")
    return isinstance(info, dict) and info.get("role") in ("user", "assistant")


def _is_part(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def _is_other(value: object) -> bool:
    """Tell whether a plugin's hook was recorded: ``["tool.definition", …]``."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _event(value: object) -> Mapping[str, Any] | None:
    """Find the event in a record: bare, in a payload, or as ``["event", {"event": …}]``."""
    if isinstance(value, list):
        value = value[1] if len(value) == 2 and value[0] == "event" else None
    for key in ("event", "payload"):
        if isinstance(value, dict) and isinstance(value.get(key), dict):
            value = value[key]
    if not isinstance(value, dict) or not isinstance(value.get("properties"), dict):
        return None
    kind = value.get("type")
    known = isinstance(kind, str) and kind.startswith((*_EVENTS, "server."))
    return value if known else None


def _take(logs: dict[str, _Log], event: Mapping[str, Any], where: str) -> None:
    """Note the new state of a session, a message or a part; all other events say nothing."""
    kind, given = event["type"], event["properties"]
    about = given.get("info", given.get("part"))
    body = about if isinstance(about, dict) else {}
    own = body.get("id") if kind.startswith("session.") else body.get("sessionID")
    session = own or given.get("sessionID")
    if not isinstance(session, str) or not kind.startswith(_EVENTS):
        return
    log = logs.setdefault(session, _Log(where, {"id": session}))
    message, part = (str(body.get(key)) for key in ("messageID", "id"))
    if kind in ("session.created", "session.updated"):
        log.info = {**log.info, **body}
    elif kind == "message.updated":
        log.infos[part] = body
        log.parts.setdefault(part, {})
    elif kind == "message.part.updated" and _is_part(body):
        log.parts.setdefault(message, {})[part] = body
    elif kind == "message.removed":
        log.parts.pop(str(given.get("messageID")), None)
    elif kind == "message.part.removed":
        log.parts.get(str(given.get("messageID")), {}).pop(str(given.get("partID")), None)
