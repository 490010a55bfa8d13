"""Langfuse: traces with their observations, as the page and the API export them.

A session is read from the generations (see `lre.traces.model_calls`): the messages that the last of
them was sent, and its reply, in whatever shape the traced SDK has (see `lre.traces.shapes`).
Traces of one Langfuse session are one task. Observations may also stand one a line, and in the
snake case of exports to a bucket. What the page makes of messages (``{id: {input: {success,
data}}}``) is read as well.

Source: Langfuse, public API, `TraceWithFullDetails` and `Observation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry
from lre.traces.langfuse_chatml import conversations, is_chatml
from lre.traces.model_calls import Request, sessions, tool_result
from lre.traces.shapes import apart, decoded, spoken

__all__ = ["READER"]

_PARENT = ("parentObservationId", "parent_observation_id")
_TRACE, _SESSION = ("traceId", "trace_id"), ("sessionId", "session_id")
_DEPTH = 8


class _Langfuse:
    name = "langfuse"
    describe = "Langfuse traces and observations"
    dialects = ("openai-chat", "openai-responses", "anthropic", "gemini")
    example = "trace.json"

    def recognises(self, value: object) -> bool:
        return is_chatml(value) or any(_is_observation(one) for one in _listed(value))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        log = _Log()
        for record in records:
            item = Item(record.value, record.where, "", report)
            if is_chatml(record.value):
                yield from sessions(self.name, conversations(item))
            else:
                log.take(item)
        yield from sessions(self.name, log.requests, log.parents, log.results)


READER = _Langfuse()


@dataclass
class _Log:
    """What the observations of a file say."""

    requests: list[Request] = field(default_factory=list)
    parents: dict[str, str] = field(default_factory=dict)
    results: dict[str, Entry] = field(default_factory=dict)

    def take(self, item: Item) -> None:
        """Take a record: a trace, several, a page of the API, or one observation."""
        trace = item.value.get("trace", item.value) if isinstance(item.value, dict) else {}
        session = _text(trace, _SESSION) if isinstance(trace, dict) else ""
        found = _listed(item.value)
        for i, one in enumerate(found):
            if _is_observation(one):
                self._add(item, i, one, session)
            else:
                item.skip(f".observations[{i}]", "no observation")
        if not found:
            item.skip("", "no Langfuse observations")

    def _add(self, item: Item, i: int, one: Mapping[str, Any], session: str) -> None:
        self.parents[str(one.get("id"))] = _text(one, _PARENT)
        if one["type"] == "GENERATION":
            self.requests += _request(item, i, one, session)
            return
        metadata, output = decoded(one.get("metadata")), decoded(one.get("output"))
        attributes = metadata.get("attributes") if isinstance(metadata, dict) else None
        self.results |= tool_result(decoded(attributes), output, one.get("level") == "ERROR")


def _listed(value: object, depth: int = 0) -> list[Any]:
    """Find the observations: of a trace, of several, in a page of the API, or one by itself."""
    if depth > _DEPTH:
        return []
    if isinstance(value, list):
        return [inner for one in value for inner in _listed(one, depth + 1)]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("observations"), list):
        found: list[Any] = value["observations"]
        return found
    for key in ("data", "traces", "trace"):
        if isinstance(value.get(key), list | dict):
            return _listed(value[key], depth + 1)
    return [value] if _is_observation(value) else []


def _is_observation(value: object) -> bool:
    """Tell an observation by its type and its parent, which the root has as null."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    return any(key in value for key in _PARENT) and ("input" in value or "output" in value)


def _request(item: Item, i: int, one: Mapping[str, Any], session: str) -> list[Request]:
    given, tools = _without_tools(decoded(one.get("input")))
    sent, reply = spoken(given, "user"), spoken(one.get("output"), "assistant")
    if not sent:
        item.skip(f".observations[{i}].input", "no messages that are known")
        return []
    beside = apart(given, one.get("output"), one.get("metadata"))
    return [
        Request(
            item.place(),
            sent,
            reply,
            id=str(one.get("id")),
            group=session or _text(one, _TRACE),
            task=session or _text(one, _SESSION),
            time=_text(one, ("startTime", "start_time")),
            system=beside["system"],
            tools=beside["tools"] or tools,
            meta={key: one.get(key) for key in ("model", "level", "environment")},
        )
    ]


def _without_tools(given: object) -> tuple[object, list[Entry] | None]:
    """Take the definitions of tools out of a list, where LangChain's callback puts them."""
    if not isinstance(given, list):
        return given, None
    tools = [one["content"] for one in given if _is_tool(one)]
    return [one for one in given if not _is_tool(one)], tools or None


def _is_tool(message: object) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, dict) and isinstance(content.get("function"), dict)


def _text(node: Mapping[str, Any], keys: Iterable[str]) -> str:
    return next((node[key] for key in keys if isinstance(node.get(key), str)), "")
