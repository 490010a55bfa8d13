"""Requests to a provider, as HTTP logs, batch files and fine-tuning files hold them.

- HTTP logs: ``{"request": {"url", "body": {…}}, …}``, also ``content`` instead of ``body``, and
  many in ``{"interactions": […]}``;
- batch files: ``{"custom_id", "url", "body": {…}}`` (OpenAI), ``{"custom_id", "params": {…}}``
  (Anthropic);
- fine-tuning files: ``{"messages": […], "tools": […]}`` a line;
- the body of a request by itself.

`api` tells whose request the first one in a value is. One record decides for its file, since all
requests are read alike, by the walk of `lre.traces.lists`. Of a conversation that was sent again
and again as it grew, only the last request is read: its early steps count once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.dialects import recognise
from lre.traces.base import Record, Report, Trace
from lre.traces.lists import Lists
from lre.traces.model_calls import unrepeated
from lre.traces.walk import Found, objects, walk

__all__ = ["ANTHROPIC", "CHAT", "RESPONSES", "Requests", "api"]

CHAT, RESPONSES, ANTHROPIC = "openai_chat", "openai_responses", "anthropic_messages"

_AT_ONCE = 16  # conversations that take turns in a log
_ENDPOINTS = {"/chat/completions": CHAT, "/responses": RESPONSES, "/v1/messages": ANTHROPIC}
_DIALECTS = {"openai-responses": RESPONSES, "anthropic": ANTHROPIC}
_ENVELOPES = ("request.", "body.", "params.")
_BARE = {"messages", "input", "instructions", "system", "questions"} | {
    *("tools", "functions", "tool_choice", "function_call", "parallel_tool_calls")
}  # with nothing else beside it, a list is what a provider takes


class Requests(Lists):
    """Reads requests; its `name` is the API that they went to."""

    def owns(self, value: object) -> bool:
        """Tell whether the first request in a value went to this API."""
        return api(value) == self.name

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        """Read the last request of each conversation."""
        return _grown(super().traces(records, report))


def _grown(traces: Iterable[Trace]) -> Iterator[Trace]:
    """Leave out what the next request with the same beginning continues.

    The last of a few conversations are held back at any time, so that a log may be endless.
    """
    held: dict[str, Trace] = {}
    for trace in traces:
        before = held.pop(trace.task, None)
        if before is not None and not _continues(trace, before):
            yield before
        held[trace.task] = trace
        if len(held) > _AT_ONCE:
            yield held.pop(next(iter(held)))
    yield from held.values()


def _continues(trace: Trace, before: Trace) -> bool:
    longer = len(trace.messages) > len(before.messages)
    return longer and unrepeated([before.messages, trace.messages]) == [1]


def api(value: object) -> str:
    """Name the API of the first request in a value; "" where there is none.

    >>> api({"custom_id": "1", "params": {"messages": [{"role": "user", "content": "Hi"}]}})
    'anthropic_messages'
    >>> api([{"role": "user", "content": "Hi"}])
    ''
    """
    found = next((one for one in walk(value) if one.entries is not None), None)
    if found is None or not _is_request(found):
        return ""
    told = (name for url in _urls(value) for end, name in _ENDPOINTS.items() if end in url)
    return next(told, "") or _by_content(found)


def _is_request(found: Found) -> bool:
    keys = found.node.keys()
    enveloped = any(key in found.path for key in _ENVELOPES)
    return bool(keys) and (enveloped or "model" in keys or keys <= _BARE)


def _urls(value: object) -> Iterator[str]:
    """Give what the first record and its request say of where they went."""
    for outer in objects(value)[:1]:
        interactions = objects(outer.get("interactions"))[:1]
        for node in (outer, outer.get("request"), *(one.get("request") for one in interactions)):
            told = (node.get("url"), node.get("path")) if isinstance(node, Mapping) else ()
            yield from (url for url in told if isinstance(url, str))


def _by_content(found: Found) -> str:
    entries: list[Any] = found.entries or []
    spoken = _DIALECTS.get(recognise(entries).name, CHAT)
    if found.path.endswith("input"):
        return RESPONSES
    if "system" in found.node or "anthropic_version" in found.node or "params." in found.path:
        return ANTHROPIC
    return spoken
