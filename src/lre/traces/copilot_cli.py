"""Copilot CLI sessions: one event a line, as in ``~/.copilot/session-state/*/events.jsonl``.

- Prompts are read as the model took them (`transformedContent`), results behind their call.
- A compaction ends a session and begins the next one, with the system message and the summary;
  so does a context that was cleared, without a summary. What was rewound is left out.
- Events of a subagent (`agentId`, or `parentToolCallId` in older files) are a session of their
  own. All sessions of a file are one task.
- A reply of nothing at all is left out; so are commands that the user ran past the model, and
  whatever is neither prompt, reply nor result.

Source: github/copilot-sdk, the generated types of session events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry, called, calling, returned, said, trace
from lre.traces.native import joined, text_of

__all__ = ["READER"]

_KINDS = ("session.", "user.", "assistant.", "tool.", "system.", "hook.", "subagent.")


class _CopilotCLI:
    name = "copilot_cli"
    describe = "Copilot CLI: events of GitHub's coding agent"
    dialects = ("openai-chat",)
    example = "~/.copilot/session-state/ID.jsonl"

    def recognises(self, value: object) -> bool:
        return (
            isinstance(value, dict)
            and {"type", "data", "id", "timestamp", "parentId"} <= value.keys()
            and isinstance(value["data"], dict)
            and text_of(value, "type").startswith(_KINDS)
        )

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for found in joined(records, _session):
            yield from _traces(found, report)


READER = _CopilotCLI()


def _session(value: object) -> str:
    data = value.get("data") if isinstance(value, dict) else None
    told = isinstance(value, dict) and value.get("type") == "session.start"
    return text_of(data, "sessionId") if told and isinstance(data, dict) else ""


def _traces(records: Iterable[Record], report: Report) -> Iterator[Trace]:
    """Read one session: its agents, and what each began again with."""
    about: dict[str, Any] = {}
    sides: dict[str, _Session] = {}
    for record in records:
        event = record.value
        data = event.get("data") if isinstance(event, dict) else None
        if not isinstance(data, dict) or not isinstance(event.get("type"), str):
            report(record.where, "no event (it lacks type or data): skipped")
            continue
        if event["type"] == "session.start":
            about = about or data
        side = text_of(event, "agentId") or text_of(data, "parentToolCallId")
        session = sides.setdefault(side, _Session(record.where))
        if _begins(event["type"], data):
            yield from session.trace(about, side)
            sides[side] = session.next(record.where, text_of(data, "summaryContent"))
        else:
            session.take(event, record.where, report)
    for side, session in sides.items():
        yield from session.trace(about, side)


def _begins(kind: str, data: dict[str, Any]) -> bool:
    """Tell whether the history was replaced."""
    summed_up = data.get("success") is True and text_of(data, "summaryContent")
    return kind == "session.context_cleared" or (
        kind == "session.compaction_complete" and bool(summed_up)
    )


class _Session:
    """What one agent has said and done, in groups of a call and its results."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._groups: list[list[Entry]] = []
        self._callers: dict[str, list[Entry]] = {}
        self._marks: dict[str, int] = {}  # how many groups there were before an event
        self._system = ""
        self._thought = ""

    def next(self, where: str, summary: str) -> _Session:
        """Begin again with the system message and a summary."""
        session = _Session(where)
        if self._system:
            session.instruct(self._system)
        if summary:
            session.put(said("user", summary))
        return session

    def instruct(self, text: str, time: object = None) -> None:
        """Take a system message, unless it only says again what holds."""
        if text and text != self._system:
            self._system = text
            self.put(said("system", text, time=time))

    def put(self, entry: Entry) -> list[Entry]:
        """Begin a group."""
        self._groups.append([entry])
        return self._groups[-1]

    def take(self, event: dict[str, Any], where: str, report: Report) -> None:
        """Take one event."""
        data, time = event["data"], event.get("timestamp")
        self._marks[text_of(event, "id")] = len(self._groups)
        match event["type"]:
            case "system.message":
                self.instruct(text_of(data, "content"), time)
            case "user.message":
                self._prompt(data, time, where, report)
            case "assistant.reasoning":
                self._thought = text_of(data, "content")
            case "assistant.message":
                self._reply(data, time, where, report)
            case "tool.execution_complete" if data.get("isUserRequested") is not True:
                self._result(data, time)
            case "session.snapshot_rewind":
                del self._groups[self._marks.get(text_of(data, "upToEventId"), len(self._groups)) :]

    def _prompt(self, data: dict[str, Any], time: object, where: str, report: Report) -> None:
        text = text_of(data, "transformedContent") or data.get("content")
        if isinstance(text, str):
            self.put(said("user", text, time=time))
        else:
            report(f"{where}: data.content", "no text: the prompt is skipped")

    def _reply(self, data: dict[str, Any], time: object, where: str, report: Report) -> None:
        requests, text = data.get("toolRequests") or [], text_of(data, "content")
        thought, self._thought = text_of(data, "reasoningText") or self._thought, ""
        if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
            report(f"{where}: data.toolRequests", "no list of calls: the reply is skipped")
        elif requests:
            calls = [_called(request) for request in requests]
            group = self.put(calling(calls, text, reasoning=thought, time=time))
            self._callers.update((call["id"], group) for call in calls)
        elif text or thought:
            self.put(said("assistant", text, reasoning=thought, time=time))

    def _result(self, data: dict[str, Any], time: object) -> None:
        """Put a result behind its call."""
        result, error = data.get("result"), data.get("error")
        text = text_of(result, "content") if isinstance(result, dict) else ""
        failure = text_of(error, "message") if isinstance(error, dict) else ""
        failed = data.get("success") is False
        entry = returned(data.get("toolCallId"), text or failure, error=failed, time=time)
        group = self._callers.get(entry["tool_call_id"])
        if group is None:
            self.put(entry)
        else:
            group.append(entry)

    def trace(self, about: dict[str, Any], side: str) -> Iterator[Trace]:
        """Give what was said, if anything."""
        entries = [entry for group in self._groups for entry in group]
        if any(entry["role"] != "system" for entry in entries):
            yield trace(
                READER.name,
                self._where,
                entries,
                task=about.get("sessionId"),
                session=about.get("sessionId"),
                version=about.get("copilotVersion"),
                model=about.get("selectedModel"),
                agent=side,
            )


def _called(request: dict[str, Any]) -> Entry:
    given = request.get("arguments")
    return called(request.get("toolCallId"), request.get("name"), "" if given is None else given)
