r"""The JSON Lines of our own, which ``lre convert`` writes: one session a line.

::

    {"format": "lre-trace", "version": 1, "name": "run-7.jsonl", "task": "fix-parser",
     "messages": [...], "system": ..., "tools": ..., "questions": [...], "segmenter": "auto",
     "meta": {...}}

``format``, ``version`` and ``messages`` have to be there; what is missing of the others is empty.
``messages`` are of any dialect, and a question is ``{"text", "answer", "category", "evidence",
"asked"}`` with ``evidence`` as places of messages. Nothing of a trace is lost on the way there
and back. Readers ignore keys that they do not know; a change that old readers would misread
gets the next ``version``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Question, Record, Report, Trace, first_words
from lre.units import SEGMENTERS

__all__ = ["FORMAT", "READER", "VERSION", "line"]

FORMAT, VERSION = "lre-trace", 1


def line(trace: Trace) -> bytes:
    r"""Write a trace as one line of UTF-8, its end included.

    >>> line(Trace("a.json", "greet", [{"role": "user", "content": "Hi"}]))[:48]
    b'{"format": "lre-trace", "version": 1, "name": "a'
    """
    record = {
        "format": FORMAT,
        "version": VERSION,
        "name": trace.name,
        "task": trace.task,
        "messages": trace.messages,
        **{key: value for key in ("system", "tools") if (value := getattr(trace, key)) is not None},
        **({"questions": [asdict(one) for one in trace.questions]} if trace.questions else {}),
        **({"segmenter": trace.segmenter} if trace.segmenter != "auto" else {}),
        **({"meta": dict(trace.meta)} if trace.meta else {}),
    }
    text = json.dumps(record, ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"


class _Own:
    name = "lre"
    describe = "traces of our own in JSON Lines, as lre convert writes them"
    dialects = ("any",)
    example = "traces.jsonl"

    def recognises(self, value: object) -> bool:
        return isinstance(value, dict) and value.get("format") == FORMAT

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            item = Item(record.value, record.where, "", report)
            if fault := _fault(record.value):
                item.skip("", fault)
            else:
                yield _trace(item)


READER = _Own()


def _fault(value: object) -> str:
    """Say why a record cannot be used, or ""."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return f"no {FORMAT}"
    if value.get("version") != VERSION:
        return f"version {value.get('version')!r} of {FORMAT}, and this lre reads {VERSION}"
    messages = value.get("messages")
    if not isinstance(messages, list) or not messages:
        return "no messages"
    if not all(isinstance(message, dict) for message in messages):
        return "a message that is no object"
    if value.get("segmenter", "auto") not in [*SEGMENTERS]:
        return f"unknown segmenter {value['segmenter']!r}"
    return ""


def _trace(item: Item) -> Trace:
    value: dict[str, Any] = item.value
    meta = value.get("meta")
    placed = {"where": item.where, "reader": READER.name}
    return Trace(
        name=item.text("name"),
        task=item.text("task") or first_words(value["messages"]),
        messages=value["messages"],
        system=value.get("system"),
        tools=value.get("tools"),
        meta={**placed, **(meta if isinstance(meta, dict) else {})},
        questions=tuple(_questions(item, len(value["messages"]))),
        segmenter=value.get("segmenter", "auto"),
    )


def _questions(item: Item, size: int) -> Iterator[Question]:
    for i, node in enumerate(item.listed(".questions", item.value.get("questions", []))):
        if not isinstance(node, Mapping) or not isinstance(node.get("text"), str):
            item.skip(f".questions[{i}]", "no question")
            continue
        known = {key: node[key] for key in _TEXTS if isinstance(node.get(key), str)}
        cited = node.get("evidence")
        places = cited if isinstance(cited, list) else []
        evidence = [one for one in places if type(one) is int and 0 <= one < size]
        yield Question(**known, evidence=tuple(evidence))


_TEXTS = ("text", "answer", "category", "asked")
