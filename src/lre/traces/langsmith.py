"""LangSmith: runs, as its SDK sends them and its API exports them.

A run may come in pieces (a create and a patch, joined by `id`), in batches (``{"post", "patch"}``,
``{"runs"}``), with its child runs inside, or one a line. Sessions are read from the runs of
language models (see `lre.traces.model_calls`), else from what graphs hand on as ``messages``; runs
of one thread are one task. Files of nothing but inputs and outputs are read for lists of
LangChain's messages in which both sides speak, and so is such a list by itself.

Source: LangSmith, run (span) data format, and the SDK's ``POST /runs/batch``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.asked import Item
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry
from lre.traces.model_calls import Request, sessions
from lre.traces.shapes import apart, spoken
from lre.traces.shapes.langchain import is_message

__all__ = ["READER"]

_RUN = ("run_type", "dotted_order", "parent_run_id", "trace_id")
_BATCH = ("post", "patch", "runs", "data")
_THREAD = ("session_id", "thread_id", "conversation_id")
_DEPTH = 64

Run = Mapping[str, Any]


class _LangSmith:
    name = "langsmith"
    describe = "LangSmith runs, and inputs and outputs with LangChain's messages"
    dialects = ("openai-chat", "openai-responses", "anthropic", "gemini")
    example = "runs.jsonl"

    def recognises(self, value: object) -> bool:
        return _is_state(value) or any(True for _ in _runs(value))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        runs: dict[str, tuple[Run, Item]] = {}
        states: list[Request] = []
        for record in records:
            item = Item(record.value, record.where, "", report)
            found = [*_runs(record.value)]
            for run in found:
                earlier, first = runs.get(run["id"], ({}, item))
                runs[run["id"]] = ({**earlier, **_given(run)}, first)
            if not found:
                states += _state(item)
        parents = {key: _text(run, "parent_run_id") for key, (run, _) in runs.items()}
        yield from sessions(self.name, [*_requests(runs), *states], parents, _results(runs))


READER = _LangSmith()


def _runs(value: object, depth: int = 0) -> Iterator[Run]:
    """Walk the runs of a record, parents first."""
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for one in value:
            yield from _runs(one, depth + 1)
    elif isinstance(value, dict) and _is_run(value):
        yield value
        yield from _runs(value.get("child_runs"), depth + 1)
    elif isinstance(value, dict):
        for key in _BATCH:
            yield from _runs(value.get(key), depth + 1)


def _is_run(value: Run) -> bool:
    known = any(isinstance(value.get(key), str) for key in _RUN)
    return known and isinstance(value.get("id"), str) and ("inputs" in value or "outputs" in value)


def _given(run: Run) -> Run:
    """Leave out what a patch does not tell."""
    return {key: value for key, value in run.items() if value is not None and key != "child_runs"}


def _results(runs: Mapping[str, tuple[Run, Item]]) -> dict[str, Entry]:
    """Give the tool messages that tools returned, by the ids of their calls."""
    tools = (run for run, _ in runs.values() if _kind(run) == "tool")
    found = (entry for run in tools for entry in spoken(run.get("outputs"), "tool"))
    return {one["tool_call_id"]: one for one in found if isinstance(one.get("tool_call_id"), str)}


def _requests(runs: Mapping[str, tuple[Run, Item]]) -> list[Request]:
    """Read the models' runs, or, in a trace without any, the states of graphs."""
    found = [(_request(run, item), run) for run, item in runs.values()]
    read = [(one, run) for one, run in found if one is not None]
    of_models = [one for one, run in read if _kind(run) == "llm"]
    traced = {one.group for one in of_models}
    return of_models + [one for one, _ in read if one.group not in traced]


def _request(run: Run, item: Item) -> Request | None:
    inputs, outputs = run.get("inputs"), run.get("outputs")
    of_model = _kind(run) == "llm"
    if not of_model:
        kept = outputs if _has_messages(outputs) else inputs
        inputs, outputs = (kept if _has_messages(kept) else None), None
    sent, reply = spoken(inputs, "user"), spoken(outputs, "assistant")
    if not sent:
        if of_model:
            item.skip("", f"run {run['id']}: no messages in its inputs")
        return None
    more = _mapping(run.get("extra"))
    about = {**_mapping(run.get("metadata")), **_mapping(more.get("metadata"))}
    told = (_text(place, key) for place in (about, run) for key in _THREAD)
    thread = next(filter(None, told), "")
    root = _text(run, "trace_id") or _text(run, "dotted_order").partition(".")[0]
    return Request(
        item.where,
        sent,
        reply,
        id=run["id"],
        group=thread or root or run["id"],
        task=thread,
        time=_text(run, "start_time"),
        **apart(inputs, more.get("invocation_params")),
        meta={"run": _text(run, "name")},
    )


def _kind(run: Run) -> str:
    return _text(run, "run_type").lower()  # newer versions of the SDK write capitals


def _mapping(value: object) -> Run:
    return value if isinstance(value, dict) else {}


def _has_messages(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("messages"), list)


def _is_state(value: object) -> bool:
    """Tell a bare input or output: LangChain's messages, alone or not, or an LLM's result."""
    if isinstance(value, list):
        return bool(value) and all(map(is_message, value))
    if not isinstance(value, dict):
        return False
    messages = value.get("messages")
    if isinstance(messages, list) and any(map(is_message, messages)):
        return True
    return "generations" in value and value.get("type") == "LLMResult"


def _state(item: Item) -> list[Request]:
    """Read a bare output with messages of both sides; all others say nothing by themselves."""
    value = item.value
    if not isinstance(value, dict) and not _is_state(value):
        item.skip("", "no run, input or output")
        return []
    held = value.get("messages") if isinstance(value, dict) else value
    sent = spoken(held, "user") if _is_state(value) else []
    roles = {entry.get("role") for entry in sent}
    both = roles >= {"user", "assistant"}
    return [Request(item.place(), sent, group=item.place())] if both else []


def _text(node: Run, key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""
