"""Pydantic AI message histories, as `all_messages_json` and `ModelMessagesTypeAdapter` write them.

A history is a list of requests and responses; lines of such lists, and lines of single messages,
are read too. Of histories that continue one another the longest is read. Instructions, which are
sent anew with every request, are `Trace.system`: those of the last request. A call that the
provider answered itself stands before its result, as other calls do.

Source: `pydantic_ai.messages`, versions 0.2 to 2.68; checked by hand on a history that 2.68 wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry
from lre.traces.model_calls import Request, sessions
from lre.traces.turns import Turn, as_content, media

__all__ = ["READER"]

_SAID = {"system-prompt": "system", "user-prompt": "user", "retry-feedback": "user"}
_CALLS, _RETURNS = ("tool-call", "builtin-tool-call"), ("tool-return", "builtin-tool-return")


class _PydanticAI:
    name = "pydantic_ai"
    describe = "Pydantic AI message histories"
    dialects = ("openai-chat",)
    example = "result.all_messages_json()"

    def recognises(self, value: object) -> bool:
        return any(map(_is_message, value if isinstance(value, list) else [value]))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        yield from sessions(self.name, _requests(records, report))


READER = _PydanticAI()


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or value.get("kind") not in ("request", "response"):
        return False
    return isinstance(value.get("parts"), list)


def _requests(records: Iterable[Record], report: Report) -> Iterator[Request]:
    lines: list[Item] = []
    for record in records:
        if isinstance(record.value, list):
            items = [
                Item(one, record.where, f"[{i}]", report) for i, one in enumerate(record.value)
            ]
            yield from _history(items, record.where)
        else:
            lines.append(Item(record.value, record.where, "", report))
    yield from _history(lines, lines[0].where if lines else "")


def _history(items: list[Item], where: str) -> Iterator[Request]:
    messages: list[Entry] = []
    system, task, model = None, "", ""
    for item in items:
        if not _is_message(item.value):
            item.skip("", "no Pydantic AI message")
            continue
        messages += _entries(item)
        system = item.text("instructions") or system
        task = item.text("conversation_id") or task
        model = item.text("model_name") or model
    if messages:
        yield Request(where, messages, group=task, task=task, system=system, meta={"model": model})


def _entries(item: Item) -> Iterator[Entry]:
    answers = item.value["kind"] == "response"
    answer = Turn("assistant", item.value.get("timestamp"))
    for i, part in enumerate(item.value["parts"]):
        if not isinstance(part, dict) or not isinstance(part.get("part_kind"), str):
            item.skip(f".parts[{i}]", "no part")
        elif answers:
            _answer(answer, part)
        else:
            yield from _asked(part)
    if answers:
        yield from answer.entries()


def _answer(turn: Turn, part: Mapping[str, Any]) -> None:
    kind, content = part["part_kind"], part.get("content")
    if kind in _CALLS:
        turn.call(part.get("tool_call_id"), part.get("tool_name"), part.get("args"))
    elif kind in _RETURNS:
        turn.result(part.get("tool_call_id"), content, time=part.get("timestamp"))
    elif kind == "thinking":
        turn.think(content, part.get("signature"))
    elif kind == "file":
        turn.show(_block(content))
    elif kind in ("text", "compaction"):
        turn.say(content)
    elif kind == "speech":
        turn.say(part.get("transcript"))


def _asked(part: Mapping[str, Any]) -> list[Entry]:
    """Write one part of a request; notes that no model is sent (deltas, digests) give none."""
    kind, content = part["part_kind"], part.get("content")
    if kind in _RETURNS or (kind == "retry-prompt" and part.get("tool_name")):
        turn = Turn("tool", part.get("timestamp"))
        failed = part.get("outcome", "success" if kind in _RETURNS else "retried") != "success"
        turn.result(part.get("tool_call_id"), _blocks(content), error=failed)
        return turn.entries()
    turn = Turn(_SAID.get(kind, "user"), part.get("timestamp"))
    if kind in _SAID or kind == "retry-prompt":
        for one in content if isinstance(content, list) else [content]:
            turn.show(_block(one)) if _is_media(one) else turn.say(one)
    return turn.entries()


def _blocks(content: object) -> object:
    """Give what a tool returned; files among it become media."""
    if not isinstance(content, list) or not any(map(_is_media, content)):
        return content
    return [
        _block(one) if _is_media(one) else {"type": "text", "text": as_content(one)}
        for one in content
    ]


def _is_media(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return False
    return "url" in value or "data" in value


def _block(file: object) -> Entry:
    """Write a file: its kind is its MIME type, or the first half of ``image-url``."""
    if not isinstance(file, dict):
        return media("", file)
    kind = file.get("media_type") or str(file.get("kind")).partition("-")[0]
    url = file.get("url") or f"data:{file.get('media_type')};base64,{file.get('data')}"
    return media(kind, url)
