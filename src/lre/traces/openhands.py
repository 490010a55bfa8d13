"""OpenHands events: ``output.jsonl`` of an evaluation, or a saved trajectory.

A session is a list of events, under ``history``, ``trajectory``, or by itself. An action that the
model called for carries the model's whole reply (``tool_call_metadata``): it is handed on as it
is, once for all the actions of a reply. The observation with the same ``tool_call_id`` is its
result. Older logs have none of this: there an action is a call by its event's id, and the
observation whose ``cause`` it is, its result. What a memory recalled is told to the model as a
user; changes of state, and condensations, whose events are all still there, are told to nobody.
Source: `openhands.memory.conversation_memory` and `openhands.events` in OpenHands' code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry, called, calling, returned, said, trace
from lre.traces.walk import listed

__all__ = ["READER"]

_SILENT = {"recall", "null", "change_agent_state", "condensation", "condensation_request"}
_SOURCES = ("user", "agent", "environment")
_UNSEEN = {"null", "agent_state_changed"}


class _OpenHands:
    name = "openhands"
    describe = "OpenHands events: output.jsonl, trajectories of `action` and `observation`"
    dialects = ("openai-chat",)
    example = "output.jsonl"

    def recognises(self, value: object) -> bool:
        return bool(_events(value))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            events = _events(record.value)
            if events:
                yield from _session(record, events, report)
            else:
                report(record.where, "no OpenHands events: skipped")


READER = _OpenHands()


def _events(value: object) -> list[Any]:
    """Find the events; old logs pair each action with its observation."""
    run = value if isinstance(value, dict) else {"history": value}
    for key in ("history", "trajectory"):
        listed = run.get(key)
        flat = [
            event
            for one in (listed if isinstance(listed, list) else ())
            for event in (one if isinstance(one, list) else (one,))
        ]
        if any(map(_is_event, flat)):
            return flat
    return []


def _is_event(value: object) -> bool:
    if not isinstance(value, dict) or value.get("source") not in _SOURCES:
        return False
    return isinstance(value.get("action", value.get("observation")), str)


def _session(record: Record, events: list[Any], report: Report) -> Iterator[Trace]:
    run = record.value if isinstance(record.value, dict) else {}
    session = _Session()
    messages: list[Entry] = []
    for i, event in enumerate(events):
        if _is_event(event):
            messages += session.read(event)
        else:
            report(f"{record.where}: event {i}", "no event: skipped")
    if messages:
        yield trace(
            READER.name,
            record.where,
            messages,
            task=run.get("instance_id"),
            tools=session.tools,
            instance_id=run.get("instance_id"),
            error=run.get("error"),
        )


class _Session:
    """Turns events into messages, one after another."""

    def __init__(self) -> None:
        self.tools: object = None
        self._replies: set[str] = set()
        self._open: set[str] = set()

    def read(self, event: dict[str, Any]) -> list[Entry]:
        if isinstance(event.get("action"), str):
            return self._acted(event, event["action"], _object(event.get("args")))
        return self._observed(event, event["observation"], _object(event.get("extras")))

    def _acted(self, event: dict[str, Any], action: str, args: dict[str, Any]) -> list[Entry]:
        time, user = event.get("timestamp"), event["source"] == "user"
        if action == "system":
            self.tools = args.get("tools") or self.tools
            return [said("system", _text(args, "content"), time=time)]
        if action == "message":
            return [_message("user" if user else "assistant", args, time)]
        if action in _SILENT:
            return []
        if user:
            command = _text(args, "command")
            return [said("user", command, time=time)] if command else []
        return self._called(event, action, args)

    def _called(self, event: dict[str, Any], action: str, args: dict[str, Any]) -> list[Entry]:
        """Give the model's reply, unless an action of the same reply came before."""
        time = event.get("timestamp")
        reply, key = _reply(event)
        if reply is None:
            call_id = str(event.get("id", ""))
            self._open.add(call_id)
            given = {name: value for name, value in args.items() if name != "thought"}
            call = called(call_id, action, given)
            return [calling([call], _text(args, "thought"), time=time)]
        self._open |= {str(call.get("id")) for call in listed(reply["tool_calls"])}
        if key in self._replies:
            return []
        self._replies.add(key)
        return [{**reply, **({"timestamp": time} if time else {})}]

    def _observed(self, event: dict[str, Any], kind: str, extras: dict[str, Any]) -> list[Entry]:
        time, text = event.get("timestamp"), _seen(event, kind, extras)
        call = _object(event.get("tool_call_metadata")).get("tool_call_id", event.get("cause"))
        if str(call) in self._open:
            self._open.discard(str(call))
            return [returned(call, text, error=_failed(kind, text, extras), time=time)]
        return [said("user", text, time=time)] if text and kind not in _UNSEEN else []


def _message(role: str, args: dict[str, Any], time: object) -> Entry:
    entry = said(role, _text(args, "content"), time=time)
    urls = args.get("image_urls")
    shown = [url for url in urls if isinstance(url, str)] if isinstance(urls, list) else []
    if not shown:
        return entry
    images = [{"type": "image_url", "image_url": {"url": url}} for url in shown]
    return {**entry, "content": [{"type": "text", "text": entry["content"]}, *images]}


def _reply(event: dict[str, Any]) -> tuple[Entry | None, str]:
    """Give the model's message that asked for an action, and what tells it from others."""
    told = _object(event.get("tool_call_metadata"))
    response = _object(told.get("model_response"))
    choices = response.get("choices")
    message = _object(listed(choices)[0].get("message")) if listed(choices) else {}
    if message.get("role") != "assistant" or not listed(message.get("tool_calls")):
        return None, ""
    return message, str(response.get("id") or told.get("tool_call_id"))


def _seen(event: dict[str, Any], kind: str, extras: dict[str, Any]) -> str:
    """Give what the model saw: a command's output is framed, a recall is what was recalled."""
    if kind == "recall":
        known = listed(extras.get("microagent_knowledge"))
        texts = [_text(extras, "repo_instructions"), *(_text(one, "content") for one in known)]
        return "\n\n".join(filter(None, texts))
    framed = _object(extras.get("metadata"))
    return _text(framed, "prefix") + _text(event, "content") + _text(framed, "suffix")


def _failed(kind: str, text: str, extras: dict[str, Any]) -> bool:
    code = _object(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
    stopped = isinstance(code, int) and code not in (0, -1)  # -1: it still runs
    return stopped or kind in ("error", "user_rejected") or text.startswith("ERROR:\n")


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(node: dict[str, Any], key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""
