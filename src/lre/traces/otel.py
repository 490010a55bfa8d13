"""OpenTelemetry spans of language models, by the GenAI semantic conventions.

OTLP in JSON (``resourceSpans``, ``resourceLogs``), a document or one object a line, and spans as
the SDK's `ConsoleSpanExporter` writes them. Sessions are read from the spans that hold messages
(see `lre.traces.model_calls`): ``gen_ai.input.messages`` and its kin, the older indexed attributes
``gen_ai.prompt.N.…``, and ``gen_ai.*`` events of spans or logs. Spans of one
``gen_ai.conversation.id`` are one task.

Source: OpenTelemetry semantic conventions for GenAI (spans, events, JSON schemas of messages) and
the JSON encoding of OTLP. Written from these; checked by hand on what the Python SDK (1.45)
exports, with spans of Pydantic AI's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry
from lre.traces.model_calls import Request, sessions, tool_result
from lre.traces.otel_messages import Conversation, conversation
from lre.traces.otel_spans import Event, Span, events, is_otel, spans
from lre.traces.shapes import decoded

__all__ = ["READER"]

_META = {
    "model": "gen_ai.request.model",
    "provider": "gen_ai.provider.name",
    "agent": "gen_ai.agent.name",
}


class _OTel:
    name = "otel"
    describe = "OpenTelemetry GenAI spans: OTLP in JSON, and the SDK's console exporter"
    dialects = ("openai-chat",)
    example = "spans.jsonl"

    def recognises(self, value: object) -> bool:
        return is_otel(value)

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        found: dict[str, tuple[Span, Item]] = {}
        logged: dict[str, list[Event]] = {}
        for record in records:
            item = Item(record.value, record.where, "", report)
            if not is_otel(record.value):
                item.skip("", "no spans or logs of OpenTelemetry")
            for span in spans(record.value):
                found[span.id] = span, item
            for span_id, event in events(record.value):
                logged.setdefault(span_id, []).append(event)
        parents = {span.id: span.parent for span, _ in found.values()}
        yield from sessions(self.name, _requests(found, logged), parents, _results(found))


READER = _OTel()


def _requests(
    found: dict[str, tuple[Span, Item]], logged: dict[str, list[Event]]
) -> Iterator[Request]:
    for span, item in found.values():
        told = replace(span, events=[*span.events, *logged.get(span.id, ())])
        said = conversation(told)
        if said is None:
            continue  # of tools, databases and the web: most spans are
        if said.sent:
            yield _request(told, said, item.where)
        else:
            item.skip("", f"span {span.id}: no messages that are known")


def _results(found: dict[str, tuple[Span, Item]]) -> dict[str, Entry]:
    results: dict[str, Entry] = {}
    for span, _ in found.values():
        held = span.attributes
        output = decoded(held.get("gen_ai.tool.call.result", held.get("ai.toolCall.result")))
        results |= tool_result(held, output, span.failed)
    return results


def _request(span: Span, said: Conversation, where: str) -> Request:
    thread = span.attributes.get("gen_ai.conversation.id")
    task = thread if isinstance(thread, str) else ""
    meta: dict[str, Any] = {key: span.attributes.get(name) for key, name in _META.items()}
    return Request(
        where,
        said.sent,
        said.reply,
        id=span.id,
        group=task or span.trace,
        task=task,
        time=span.start,
        system=said.system,
        tools=said.tools,
        meta=meta,
    )
