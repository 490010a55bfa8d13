"""Entries in the shape of Chat Completions, for logs that keep messages in a shape of their own.

A reader whose log holds what a provider took (Anthropic blocks, Responses items, Gemini contents)
hands that on as it is; all others write their messages with these.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lre.traces.base import Trace, first_words

__all__ = ["Entry", "called", "calling", "returned", "said", "trace"]

Entry = dict[str, Any]


def said(role: str, text: str, *, reasoning: str = "", time: object = None) -> Entry:
    """Write what somebody said; `reasoning` is what the model thought before.

    >>> said("user", "Hi", time="2026-01-01T00:00:00Z")
    {'role': 'user', 'content': 'Hi', 'timestamp': '2026-01-01T00:00:00Z'}
    """
    thought = {"reasoning_content": reasoning} if reasoning else {}
    return {"role": role, "content": text, **thought, **_timed(time)}


def called(call_id: object, name: object, arguments: object) -> Entry:
    """Write one call, for `calling`; arguments that are no text become JSON.

    >>> called("c1", "look", {"id": 7})["function"]
    {'name': 'look', 'arguments': '{"id": 7}'}
    """
    given = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    function = {"name": _text(name), "arguments": given}
    return {"id": _text(call_id), "type": "function", "function": function}


def calling(
    calls: Sequence[Entry], text: str = "", *, reasoning: str = "", time: object = None
) -> Entry:
    """Write an assistant's turn with calls, and what it said with them."""
    return {
        **said("assistant", text, reasoning=reasoning),
        "content": text or None,
        "tool_calls": [*calls],
        **_timed(time),
    }


def returned(call_id: object, text: str, *, error: bool = False, time: object = None) -> Entry:
    """Write what came back from a call.

    >>> returned("c1", "no such file", error=True)
    {'role': 'tool', 'tool_call_id': 'c1', 'content': 'no such file', 'error': True}
    """
    failed = {"error": True} if error else {}
    entry = {"role": "tool", "tool_call_id": _text(call_id), "content": text}
    return {**entry, **failed, **_timed(time)}


def trace(
    reader: str,
    where: str,
    messages: Iterable[Any],
    *,
    task: object = None,
    system: object = None,
    tools: object = None,
    **meta: object,
) -> Trace:
    """Build the trace of a session; `meta` is kept where it is plain.

    Without a `task` the first words of the session name it (see `first_words`).
    """
    entries = [*messages]
    plain = {key: value for key, value in meta.items() if isinstance(value, str | int | float)}
    return Trace(
        name="",
        task=_text(task) or first_words([e for e in entries if isinstance(e, Mapping)]),
        messages=entries,
        system=system,
        tools=tools,
        meta={**plain, "where": where, "reader": reader},
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _timed(time: object) -> Entry:
    return {"timestamp": time} if isinstance(time, str | int | float) and time else {}
