"""ATIF, the Agent Trajectory Interchange Format of Harbor: ``{"schema_version", "steps": […]}``.

A step is what somebody said, its calls, and under ``observation`` their results. Results without
``source_call_id`` answer the calls of their step that no other result names, in order; where there
are fewer of them, as when a terminal is shown once after several commands, they answer the last
calls, and what came back from the others is empty. Without calls, a result is what the agent was
told next.

Trajectories of subagents (``subagent_trajectories``, or several trajectories in one object) are
sessions of their own, with the task of the first one in the file. A session's id names a run, not
a task, so that the first words of the first trajectory name the task.
Source: Harbor, RFC 0001 (trajectory format), versions 1.0 to 1.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace, first_words
from lre.traces.entries import Entry, called, calling, returned, said, trace
from lre.traces.walk import listed

__all__ = ["READER"]

_ROLES = {"system": "system", "user": "user", "agent": "assistant"}


class _ATIF:
    name = "atif"
    describe = "ATIF trajectories (Harbor): `schema_version` and `steps`"
    dialects = ("openai-chat",)
    example = "trajectory.json"

    def recognises(self, value: object) -> bool:
        return any(_trajectories(value, ""))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            found = list(_trajectories(record.value, ""))
            if not found:
                report(record.where, "no ATIF trajectory: skipped")
            task = ""
            for path, one in found:
                place = f"{record.where}: {f'{path}.steps'.lstrip('.')}"
                messages = list(_messages(one["steps"], place, report))
                task = task or first_words(messages)
                if messages:
                    yield _trace(one, place, messages, task)


READER = _ATIF()


def _trajectories(value: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Find a trajectory and its subagents', or those of a list or an object, with their paths."""
    if _is_trajectory(value):
        yield path, value
        value, path = value.get("subagent_trajectories"), f"{path}.subagent_trajectories"
    if isinstance(value, list):
        inner = {f"{path}[{i}]": one for i, one in enumerate(value)}
    else:
        inner = (
            {f"{path}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {}
        )
    for place, one in inner.items():
        if _is_trajectory(one):
            yield from _trajectories(one, place)


def _is_trajectory(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("steps"), list)
        and str(value.get("schema_version")).startswith("ATIF")
    )


def _trace(one: dict[str, Any], place: str, messages: list[Entry], task: str) -> Trace:
    agent = one["agent"] if isinstance(one.get("agent"), dict) else {}
    return trace(
        READER.name,
        place,
        messages,
        task=task,
        tools=agent.get("tool_definitions"),
        session_id=one.get("session_id"),
        agent=agent.get("name"),
        model=agent.get("model_name"),
    )


def _messages(steps: list[Any], place: str, report: Report) -> Iterator[Entry]:
    for i, step in enumerate(steps):
        if isinstance(step, dict) and str(step.get("source")) in _ROLES:
            yield from _step(step)
        else:
            report(f"{place}[{i}]", "no step of system, user or agent: skipped")


def _step(step: dict[str, Any]) -> Iterator[Entry]:
    """Give what was said, with its calls, and what came back."""
    role, time = _ROLES[str(step["source"])], step.get("timestamp")
    thought = step.get("reasoning_content")
    reasoning = thought if isinstance(thought, str) else ""
    seen = step.get("observation")
    results = listed(seen.get("results")) if isinstance(seen, dict) else []
    calls = [
        called(one.get("tool_call_id"), one.get("function_name"), one.get("arguments"))
        for one in (listed(step.get("tool_calls")) if role == "assistant" else ())
    ]
    answers, told = _answers([call["id"] for call in calls], results)
    if calls:
        yield _filled(calling(calls, reasoning=reasoning, time=time), step.get("message"))
    elif step.get("message") or reasoning:
        yield _filled(said(role, "", reasoning=reasoning, time=time), step.get("message"))
    yield from (_filled(returned(call, ""), content) for call, content in answers)
    teller = "user" if role == "assistant" else role
    yield from (_filled(said(teller, ""), content) for content in told if content)


def _answers(
    calls: list[str], results: list[dict[str, Any]]
) -> tuple[list[tuple[str, object]], list[object]]:
    """Give each result's content with the id of its call, and the contents that no call is for."""
    named = [(one["source_call_id"], one.get("content")) for one in results if _names(one)]
    contents = [one.get("content") for one in results if not _names(one)]
    known = {call for call, _ in named}
    free = [call for call in calls if call not in known]
    missing = len(free) - len(contents) if contents else 0
    paired = zip(free, [""] * missing + contents, strict=False)
    return [*named, *paired], contents[len(free) :]


def _names(result: dict[str, Any]) -> bool:
    return isinstance(result.get("source_call_id"), str)


def _filled(entry: Entry, content: object) -> Entry:
    """Fill in the text; a list of parts stays one where it holds more than text."""
    if not isinstance(content, list):
        return {**entry, "content": content} if isinstance(content, str) and content else entry
    parts = [_part(one) for one in listed(content)]
    if all(part["type"] == "text" for part in parts):
        return {**entry, "content": "\n".join(part["text"] for part in parts)}
    return {**entry, "content": parts}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    source, text = part.get("source"), part.get("text")
    if part.get("type") == "image" and isinstance(source, dict):
        return {"type": "image_url", "image_url": {"url": str(source.get("path"))}}
    return {"type": "text", "text": text if isinstance(text, str) else ""}
