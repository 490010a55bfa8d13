"""Logs that hold message lists as OpenAI or Anthropic take them.

The walk goes through known keys only (`LISTS`, `WRAPPERS`) and at most `DEPTH` levels down:

- a list of messages, or one message a line (then the file is one session);
- ``{"messages": […]}``: fine-tuning files, mini-swe-agent (``instance_id``);
- ``[{"traj": […], "task_id"}]``: tau-bench; ``{"simulations": [{"messages", …}]}``: tau2-bench;
- ``{"body": {"messages"}}``, ``{"params": {"messages"}}``: OpenAI and Anthropic batch files;
- ``{"interactions": [{"request": {"content": …}}]}``, ``{"request": {"body": …}}``: HTTP logs,
  with ``input`` and ``instructions`` (OpenAI Responses) or ``messages``, ``system``, ``tools``.

Beside a list ``messages`` may stand ``questions``, what was asked later and answered:
``[{"question": …, "answer": …, "evidence": [places of messages]}]``, the last two if known.

Only requests are read: the reply in an HTTP log's response is left out, since the next request
repeats it. An ``input`` that is plain text, an empty list and null hold no history and give no
trace, without a report. A list that holds anything but messages is reported and its session
skipped: a list with a hole would lie about what the model saw. In a file of one message a
line, each line is a record, so that only the bad line is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lre.traces.base import Question, Record, Report, Trace, first_words

__all__ = ["DEPTH", "LISTS", "READER", "WRAPPERS"]

LISTS = ("messages", "traj", "input")
WRAPPERS = ("simulations", "interactions", "request", "body", "params", "content")
DEPTH = 8

_BODY = ("content", "tool_calls", "function_call", "refusal", "audio")
_ITEM = re.compile(  # items without a role: OpenAI API reference, Responses, `input`
    r"reasoning|compaction|item_reference|mcp_(list_tools|approval_request|approval_response)"
    r"|(function|custom_tool|web_search|file_search|computer|code_interpreter|image_generation"
    r"|local_shell|shell|apply_patch|mcp|tool_search)_call(_output)?"
)
_SYSTEM = ("system", "instructions")
_FACTS = ("domain", "task_id", "instance_id")


@dataclass(frozen=True, slots=True)
class _Found:
    """A list with its path, the object it stands in, and what the objects around it say.

    `entries` is None for a list's element that holds no session.
    """

    path: str
    entries: list[Any] | None
    node: Mapping[str, Any]
    facts: Mapping[str, Any]


class _Lists:
    name = "lists"
    describe = "message lists in JSON or JSON Lines: OpenAI, Anthropic, tau-bench, mini-swe-agent"

    def recognises(self, value: object) -> bool:
        return _is_message(value) or any(one.entries is not None for one in _walk(value, "", {}))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        lines: list[Any] = []
        where = ""
        for record in records:
            found = list(_walk(record.value, "", {}))
            if not found and _is_entry(record.value):
                lines.append(record.value)
                where = where or record.where
                continue
            for one in found or [_Found("", None, {}, {})]:
                yield from _session(one, record.where, report)
        yield from _session(_Found("", lines, {}, {}), where, report)


READER = _Lists()


def _session(found: _Found, where: str, report: Report) -> Iterator[Trace]:
    """Give the trace of one list, or report why there is none."""
    place = f"{where}: {found.path}" if found.path else where
    if found.entries is None:
        report(place, "no messages are found here: skipped")
        return
    for i, entry in enumerate(found.entries):
        if not _is_entry(entry):
            at = f"{place}[{i}]" if found.path else f"{place}: [{i}]"
            report(at, "no message (it has no role): its session is skipped")
            return
    messages = [entry for entry in found.entries if entry.get("role") != "exit"]
    if messages:
        yield _trace(found, messages, place)


def _trace(found: _Found, messages: list[Any], place: str) -> Trace:
    node = found.node
    plain = {
        key: value
        for key, value in node.items()
        if isinstance(value, str | int | float) and key not in _SYSTEM
    }
    return Trace(
        name="",
        task=_task(found.facts) or first_words(messages),
        messages=messages,
        system=next((node[key] for key in _SYSTEM if key in node), None),
        tools=node.get("tools", node.get("functions")),
        meta={**plain, **found.facts, "where": place, "reader": READER.name},
        questions=tuple(_questions(node, len(messages))),
    )


def _questions(node: Mapping[str, Any], size: int) -> Iterator[Question]:
    """Read what was asked later; what is no question is left out."""
    asked = node.get("questions")
    for one in asked if isinstance(asked, list) else ():
        if isinstance(one, dict) and isinstance(one.get("question"), str):
            answer, cited = one.get("answer"), one.get("evidence")
            places = {i for i in cited if _is_place(i, size)} if isinstance(cited, list) else set()
            yield Question(
                one["question"],
                answer if isinstance(answer, str) else "",
                evidence=tuple(sorted(places)),
            )


def _is_place(value: object, size: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < size


def _task(facts: Mapping[str, Any]) -> str:
    """Name the task by its id alone.

    Some files tell the domain and some do not: with it, one task could stand in two folds.
    """
    return str(facts.get("instance_id", facts.get("task_id", "")))


def _walk(value: object, path: str, facts: Mapping[str, Any], depth: int = 0) -> Iterator[_Found]:
    """Find the message lists of a value, in order."""
    if depth > DEPTH:
        return
    if isinstance(value, list):
        yield from _walk_list(value, path, facts, depth)
    elif isinstance(value, dict):
        yield from _walk_object(value, path, {**facts, **_facts(value)}, depth)


def _walk_list(
    items: list[Any], path: str, facts: Mapping[str, Any], depth: int
) -> Iterator[_Found]:
    if any(map(_is_message, items)):
        yield _Found(path, items, {}, facts)
        return
    for i, item in enumerate(items):
        place = f"{path}[{i}]"
        inside = list(_walk(item, place, facts, depth + 1))
        yield from inside or [_Found(place, None, {}, facts)]


def _walk_object(
    node: dict[str, Any], path: str, facts: Mapping[str, Any], depth: int
) -> Iterator[_Found]:
    if _is_message(node):
        return
    lists = [
        _Found(f"{path}.{key}".lstrip("."), entries, node, facts)
        for key in LISTS
        if (entries := _entries(node, key)) is not None
    ]
    filled = [one for one in lists if one.entries]
    if filled:
        yield filled[0]
        return
    inner = [(f"{path}.{key}".lstrip("."), node.get(key)) for key in WRAPPERS]
    found = [one for place, value in inner for one in _walk(value, place, facts, depth + 1)]
    yield from found or lists[:1]


def _entries(node: dict[str, Any], key: str) -> list[Any] | None:
    """Give the list under a key if it holds messages; nothing to read is an empty list."""
    value = node.get(key, 0)
    if value in (None, []) or (key == "input" and isinstance(value, str)):
        return []
    return value if isinstance(value, list) and any(map(_is_message, value)) else None


def _facts(node: Mapping[str, Any]) -> dict[str, Any]:
    """Give the ids of an object; tau2-bench hides the domain in its environment's description."""
    facts = {key: node[key] for key in _FACTS if isinstance(node.get(key), str | int)}
    info = node.get("info")
    environment = info.get("environment_info") if isinstance(info, dict) else None
    domain = environment.get("domain_name") if isinstance(environment, dict) else None
    return {"domain": domain, **facts} if isinstance(domain, str) else facts


def _is_message(value: object) -> bool:
    """Tell whether a value is surely a message: a role with content, or a Responses item."""
    if not isinstance(value, dict) or not _is_entry(value):
        return False
    return "role" not in value or any(key in value for key in _BODY)


def _is_entry(value: object) -> bool:
    """Tell whether a value may stand among messages."""
    if not isinstance(value, dict):
        return False
    if "role" in value:
        return isinstance(value["role"], str)
    kind = value.get("type")
    return isinstance(kind, str) and _ITEM.fullmatch(kind) is not None
