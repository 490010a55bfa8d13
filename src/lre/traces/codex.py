"""Codex rollouts: one record a line, as in ``~/.codex/sessions/**/rollout-*.jsonl``.

Items of the Responses API are handed on as they stand (encrypted reasoning too), with the
`timestamp` of their record beside. `event_msg` repeats them, and all else is about the run.

- A compaction ends a session and begins the next one, of the same task: with what Codex went on
  with (`replacement_history`) or, in older files, with the prompts so far and the summary.
- Turns that were rolled back are left out.
- Older files are flat: a head with `instructions`, then items without a record around them.

Sessions that were forked share the task of the one they come from.
Source: openai/codex, codex-rs: the protocol's `RolloutItem` and `ResponseItem`, and how core
reconstructs a history from a rollout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import trace
from lre.traces.native import joined, readable, text_of

__all__ = ["READER"]

_KINDS = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_HEAD = {"id", "timestamp", "instructions"}  # of a flat file
_LINEAGE = ("forked_from_id", "session_id", "id")

Item = dict[str, Any]


class _Codex:
    name = "codex"
    describe = "Codex: rollouts of OpenAI's coding agent"
    dialects = ("openai-responses",)
    example = "~/.codex/sessions/…/rollout-….jsonl"

    def recognises(self, value: object) -> bool:
        if not isinstance(value, dict):
            return False
        if text_of(value, "type") in _KINDS:
            return isinstance(value.get("payload"), dict) and bool(text_of(value, "timestamp"))
        return value.keys() >= _HEAD and "type" not in value

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for found in joined(records, _session):
            rollout = _Rollout(report)
            for record in found:
                yield from rollout.take(record)
            yield from rollout.session()


READER = _Codex()


def _session(value: object) -> str:
    """Name the session that a head begins; a fork holds the head of where it comes from."""
    payload = value.get("payload") if isinstance(value, dict) else None
    told = isinstance(value, dict) and value.get("type") == "session_meta"
    return text_of(payload, "id") if told and isinstance(payload, dict) else ""


class _Rollout:
    """The history as Codex had it, from record to record."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._meta: Mapping[str, Any] = {}
        self._model = ""
        self._wrapped = False  # whether records stand around the items
        self._begin("")

    def _begin(self, where: str) -> None:
        self._where = where
        self._items: list[Item] = []
        self._turns: list[int] = []  # where the user's turns begin

    def take(self, record: Record) -> Iterator[Trace]:
        """Take one record; a compaction gives the session before it."""
        value = record.value
        if not isinstance(value, dict) or (self._wrapped and "payload" not in value):
            self._report(record.where, "no record of a rollout: skipped")
            return
        self._wrapped = "payload" in value
        payload = value.get("payload", value)  # a flat file has none
        if not isinstance(payload, dict):
            self._report(f"{record.where}: payload", "no object: skipped")
            return
        match value.get("type") if "payload" in value else "flat":
            case "response_item" | "flat":
                self._add(payload, record.where, value.get("timestamp"))
            case "compacted":
                yield from self.session()
                self._compact(payload, record.where, value.get("timestamp"))
            case "session_meta":
                self._meta = self._meta or payload
            case "turn_context":
                self._model = self._model or text_of(payload, "model")
            case "event_msg":
                self._event(payload)
            case kind if not isinstance(kind, str):
                self._report(f"{record.where}: type", "no text: skipped")

    def _add(self, item: Item, where: str, time: object) -> None:
        if "type" not in item:  # the head of a flat file, or notes in it
            self._meta = self._meta or (item if item.keys() >= _HEAD else {})
        elif item["type"] != "ghost_snapshot" and self._readable(item, where):
            self._where = self._where or where
            stamp = {"timestamp": time} if isinstance(time, str) else {}
            self._items.append({**item, **stamp})

    def _readable(self, item: object, where: str) -> bool:
        return readable("openai-responses", item, where, self._report)

    def _compact(self, payload: Item, where: str, time: object) -> None:
        """Begin again with what the compaction left."""
        said, history = self._items, payload.get("replacement_history")
        self._begin(where)
        if isinstance(history, list):
            for i, item in enumerate(history):
                self._add_left(item, f"{where}: payload.replacement_history[{i}]")
            return
        self._items = [item for item in said if text_of(item, "role") not in ("", "assistant")]
        summary = [{"type": "input_text", "text": text_of(payload, "message")}]
        self._add({"type": "message", "role": "user", "content": summary}, where, time)

    def _add_left(self, item: object, where: str) -> None:
        if isinstance(item, dict):
            self._add(item, where, None)
        else:
            self._report(where, "no item: skipped")

    def _event(self, event: Item) -> None:
        """Note where a turn of the user's begins, and go back some turns."""
        if event.get("type") == "user_message":
            prompted = bool(self._items) and self._items[-1].get("role") == "user"
            self._turns.append(len(self._items) - prompted)
        turns = event.get("num_turns")
        if event.get("type") == "thread_rolled_back" and isinstance(turns, int) and turns > 0:
            del self._items[min(self._turns[-turns:], default=len(self._items)) :]
            del self._turns[-turns:]

    def session(self) -> Iterator[Trace]:
        """Give what was said since the start or the last compaction, if anything."""
        if not self._items:
            return
        given = self._meta.get("base_instructions") or self._meta.get("instructions")
        system = given.get("text") if isinstance(given, dict) else given
        yield trace(
            READER.name,
            self._where,
            self._items,
            task=next(filter(None, (text_of(self._meta, key) for key in _LINEAGE)), ""),
            system=system if isinstance(system, str) else None,
            session=self._meta.get("id"),
            version=self._meta.get("cli_version"),
            model=self._model,
        )
