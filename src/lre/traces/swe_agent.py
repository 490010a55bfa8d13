"""SWE-agent trajectories (``.traj``): ``history``, what was sent, and ``trajectory``, the steps.

The history is read: its entries are Chat Completions but for ``tool_call_ids``, a list of one id.
An agent sees only the entries of its own name, so each agent is a session; demonstrations that
were put into the history under another agent's name were never sent, and are left out. Without a
history the steps are read: what the model said, and what it observed. A file of several
``attempts`` holds them all; what stands beside them repeats the best.

Demonstrations are the same for every task: the first words after them name the task.
Source: SWE-agent documentation, Trajectories; `DefaultAgent.messages` and `RetryAgent` in its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace, first_words
from lre.traces.entries import Entry, said, trace
from lre.traces.walk import listed

__all__ = ["READER"]


class _SWEAgent:
    name = "swe_agent"
    describe = "SWE-agent trajectories (.traj): `history` and `trajectory`"
    dialects = ("openai-chat",)
    example = "instance.traj"

    def recognises(self, value: object) -> bool:
        return isinstance(value, dict) and any(map(_is_attempt, _attempts(value)))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            if not self.recognises(record.value):
                report(record.where, "no SWE-agent trajectory: skipped")
                continue
            for attempt in _attempts(record.value):
                yield from _sessions(attempt, record.where, report)


READER = _SWEAgent()


def _attempts(value: dict[str, Any]) -> list[dict[str, Any]]:
    return listed(value.get("attempts")) or [value]


def _is_attempt(value: dict[str, Any]) -> bool:
    history, steps = value.get("history"), value.get("trajectory")
    return any({"role", "agent"} <= one.keys() for one in listed(history)[:1]) or any(
        {"action", "observation", "thought"} <= one.keys() for one in listed(steps)[:1]
    )


def _sessions(attempt: dict[str, Any], where: str, report: Report) -> Iterator[Trace]:
    """Give the session of each agent, in the order in which they first did something."""
    agents: dict[str, list[Entry]] = {}
    own: dict[str, list[Entry]] = {}  # without what was demonstrated
    for entry in _history(attempt, where, report):
        agent = str(entry.get("agent", ""))
        agents.setdefault(agent, []).append(_paired(entry))
        if not entry.get("is_demo"):
            own.setdefault(agent, []).append(entry)
    info = attempt.get("info")
    ended = info.get("exit_status") if isinstance(info, dict) else None
    for agent, entries in own.items():
        yield trace(
            READER.name,
            where,
            agents[agent],
            task=first_words(entries),
            agent=agent,
            environment=attempt.get("environment"),
            exit_status=ended,
        )


def _history(attempt: dict[str, Any], where: str, report: Report) -> Iterator[Entry]:
    """Give the entries of the history, or else those that the steps amount to."""
    listed = attempt.get("history")
    for i, entry in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("role"), str):
            yield entry
        else:
            report(f"{where}: history[{i}]", "no message (it has no role): skipped")
    if not listed:
        yield from _steps(attempt.get("trajectory"), where, report)


def _steps(steps: object, where: str, report: Report) -> Iterator[Entry]:
    for i, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            report(f"{where}: trajectory[{i}]", "no step: skipped")
            continue
        query = listed(step.get("query") or step.get("messages")) if i == 0 else []
        for entry in query:
            if isinstance(entry.get("role"), str):
                yield {key: value for key, value in entry.items() if key != "agent"}
        for role, key in (("assistant", "response"), ("user", "observation")):
            if isinstance(step.get(key), str) and step[key]:
                yield said(role, step[key])


def _paired(entry: Entry) -> Entry:
    """Name the call that a result answers as Chat Completions does."""
    ids = entry.get("tool_call_ids")
    if entry.get("role") != "tool" or not isinstance(ids, list) or len(ids) != 1:
        return entry
    return {**entry, "tool_call_id": ids[0]}
