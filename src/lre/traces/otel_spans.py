"""Spans and logs of OpenTelemetry: OTLP in JSON, and what the SDK's console exporter writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Event", "Span", "events", "is_otel", "spans"]

Event = tuple[str, Mapping[str, Any]]
"""The name of an event, and its attributes or body."""

_LISTS = (
    *("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "spans"),
    "instrumentationLibrarySpans",
)
_LOGS = ("resourceLogs", "resource_logs", "scopeLogs", "scope_logs", "logRecords", "log_records")
_SCALARS = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")
_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Span:
    """A span with its attributes as plain values; `start` sorts as it stands."""

    id: str
    parent: str = ""
    trace: str = ""
    start: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    failed: bool = False


def is_otel(value: object) -> bool:
    """Tell whether a value holds spans or logs.

    >>> is_otel({"resourceSpans": []}), is_otel({"context": {"span_id": "0x1"}, "attributes": {}})
    (True, True)
    """
    if isinstance(value, list):
        return any(map(_is_span, value))
    if not isinstance(value, dict):
        return False
    roots = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
    return _is_span(value) or any(isinstance(value.get(key), list) for key in roots)


def spans(value: object) -> Iterator[Span]:
    """Walk the spans of a record, in order."""
    for node in _walk(value, _LISTS):
        if _is_span(node):
            yield _span(node)


def events(value: object) -> Iterator[tuple[str, Event]]:
    """Walk the events that were logged, each with the id of its span."""
    for node in _walk(value, _LOGS):
        span, body = _first(node, "spanId", "span_id"), plain(node.get("body"))
        known = attributes(node.get("attributes"))
        name = _first(node, "eventName", "event_name") or known.get("event.name")
        if span and isinstance(name, str):
            yield span, (name, {**known, **(body if isinstance(body, dict) else {})})


def _walk(value: object, keys: tuple[str, ...], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Go down the lists of resources and scopes to the objects that hold none."""
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for one in value:
            yield from _walk(one, keys, depth + 1)
    elif isinstance(value, dict):
        inner = [value[key] for key in keys if isinstance(value.get(key), list)]
        for one in inner:
            yield from _walk(one, keys, depth + 1)
        if not inner:
            yield value


def _is_span(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("attributes"), dict | list):
        return False
    return bool(_ids(value)[0]) and not any(key in value for key in ("body", "eventName"))


def _ids(node: Mapping[str, Any]) -> tuple[str, str]:
    """Give the ids of span and trace, which the console exporter has in a context, as hex."""
    context = node.get("context")
    place = context if isinstance(context, dict) else node
    span = _first(place, "spanId", "span_id").removeprefix("0x")
    return span, _first(place, "traceId", "trace_id").removeprefix("0x")


def _span(node: Mapping[str, Any]) -> Span:
    span, trace = _ids(node)
    parent = _first(node, "parentSpanId", "parent_span_id", "parent_id").removeprefix("0x")
    start = _first(node, "startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime")
    told = node.get("events")
    happened = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    named: list[Event] = [
        (one["name"], attributes(one.get("attributes"))) for one in happened if _named(one)
    ]
    held, failed = attributes(node.get("attributes")), _failed(node.get("status"))
    return Span(span, parent, trace, start, held, named, failed or "error.type" in held)


def _failed(status: object) -> bool:
    """Read a status: OTLP has a code, as name or number, the console exporter a name."""
    code = status.get("code", status.get("status_code")) if isinstance(status, dict) else None
    return code in ("STATUS_CODE_ERROR", "ERROR", 2)


def _named(event: Mapping[str, Any]) -> bool:
    return isinstance(event.get("name"), str)


def _first(node: Mapping[str, Any], *keys: str) -> str:
    """Give the first text among some keys; numbers of nanoseconds become text."""
    found = (node.get(key) for key in keys)
    values = (str(one) for one in found if isinstance(one, str | int) and one)
    return next(values, "")


def attributes(value: object) -> dict[str, Any]:
    """Read attributes: OTLP's list of keys and typed values, or a plain object.

    >>> attributes([{"key": "n", "value": {"intValue": "3"}}])
    {'n': 3}
    """
    if isinstance(value, dict):
        return value
    pairs = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return {one["key"]: plain(one.get("value")) for one in pairs if isinstance(one.get("key"), str)}


def _whole(number: object) -> object:
    """Read an integer, which OTLP writes as text."""
    digits = number.lstrip("-") if isinstance(number, str) else ""
    short = digits.isdecimal() and len(digits) < 20
    return int(str(number)) if short else number


def plain(value: object, depth: int = 0) -> Any:
    """Undo OTLP's typed values (`AnyValue`); anything else stays as it is.

    >>> plain({"arrayValue": {"values": [{"stringValue": "a"}, {"boolValue": True}]}})
    ['a', True]
    """
    if not isinstance(value, dict) or depth > _DEPTH:
        return value
    for key in _SCALARS:
        if key in value:
            return _whole(value[key]) if key == "intValue" else value[key]
    listed, mapped = value.get("arrayValue"), value.get("kvlistValue")
    inner = listed if listed is not None else mapped
    values = inner.get("values") if isinstance(inner, dict) else None
    if inner is None:
        return value
    found = values if isinstance(values, list) else []
    if listed is not None:
        return [plain(one, depth + 1) for one in found]
    pairs = [one for one in found if isinstance(one, dict) and isinstance(one.get("key"), str)]
    return {one["key"]: plain(one.get("value"), depth + 1) for one in pairs}
