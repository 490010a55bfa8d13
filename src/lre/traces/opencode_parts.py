"""The parts of one OpenCode message as entries of Chat Completions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.entries import Entry
from lre.traces.turns import Turn, as_content, media

__all__ = ["entries"]


def entries(info: Mapping[str, Any], parts: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """Write a message: each of its steps is a turn of its own.

    >>> [entry["role"] for entry in entries({}, [{"type": "text", "text": "Hi"}])]
    ['assistant']
    """
    role, time = info.get("role", "assistant"), _at(info, "created")
    turn = Turn(str(role), time)
    for part in parts:
        if part["type"] == "step-start":
            yield from turn.entries()
            turn = Turn(str(role), time)
        elif not part.get("ignored"):
            _add(turn, part)
    yield from turn.entries()


def _add(turn: Turn, part: Mapping[str, Any]) -> None:
    match part["type"]:
        case "text":
            turn.say(part.get("text"))
        case "reasoning":
            turn.think(part.get("text"), _signature(part.get("metadata")))
        case "file":
            turn.show(media(part.get("mime"), part.get("url")))
        case "subtask":
            turn.say(part.get("prompt"))
        case "tool":
            _call(turn, part)


def _call(turn: Turn, part: Mapping[str, Any]) -> None:
    """Take a call and what came back; a pending or running one stays open."""
    found = part.get("state")
    state: Mapping[str, Any] = found if isinstance(found, dict) else {}
    call_id, status, time = part.get("callID"), state.get("status"), _at(state, "end")
    turn.call(call_id, part.get("tool"), state.get("input"))
    if status == "error":
        turn.result(call_id, state.get("error"), error=True, time=time)
    elif status == "completed":
        turn.result(call_id, _output(state), time=time)


def _output(state: Mapping[str, Any]) -> object:
    attached = state.get("attachments")
    files = [one for one in attached if isinstance(one, dict)] if isinstance(attached, list) else []
    text = {"type": "text", "text": as_content(state.get("output"))}
    shown = [media(one.get("mime"), one.get("url")) for one in files]
    return [text, *shown] if shown else state.get("output")


def _signature(metadata: object) -> str:
    """Find the seal of reasoning, which stands under the provider's name."""
    for one in metadata.values() if isinstance(metadata, dict) else ():
        if isinstance(one, dict):
            sealed = one.get("signature") or one.get("reasoningEncryptedContent")
            return sealed if isinstance(sealed, str) else ""
    return ""


def _at(node: Mapping[str, Any], key: str) -> object:
    time = node.get("time")
    return time.get(key) if isinstance(time, dict) else None
