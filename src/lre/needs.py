"""What a text carries that a later action may need: identifiers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from lre.messages import Message, Reasoning, Text, ToolCall, ToolResult

__all__ = ["carried", "identifiers"]

_TOKEN = re.compile(r"[\w./@-]+")
_MARK = re.compile(r"[0-9_/@]|.[.A-Z]")
_SHORTEST = 4
_KEY_ENDS = ('":', '\\":')


def identifiers(text: str) -> set[str]:
    r"""Find the identifiers of a text.

    A token of at least four characters with a digit, ``_``, ``/``, ``@``, an inner dot or an
    inner capital; JSON keys, numbers under four digits and round numbers do not count.

    >>> sorted(identifiers('{"order_id": "#W2378156", "total": 1200} see src/app.py.'))
    ['W2378156', 'src/app.py']
    """
    found = set()
    for match in _TOKEN.finditer(text):
        token = match.group().strip("./@-")
        if len(token) < _SHORTEST or not _MARK.search(token) or _is_round(token):
            continue
        if not text.startswith(_KEY_ENDS, match.end()):
            found.add(token)
    return found


def _is_round(token: str) -> bool:
    """Tell whether it is a plain number that too many texts share to identify anything."""
    if not (token.isascii() and token.replace(".", "", 1).isdigit()):
        return False
    whole = token.partition(".")[0]
    return len(whole) < _SHORTEST or token.endswith("00")


def carried(message: Message) -> set[str]:
    """Find the identifiers of a message; of a call only its argument values count.

    >>> call = ToolCall("call_1", "get_order", '{"order_id": "W2378156"}')
    >>> carried(Message("assistant", (call,)))
    {'W2378156'}
    """
    found: set[str] = set()
    for part in message.parts:
        if isinstance(part, ToolCall):
            for value in _values(part.arguments):
                found |= identifiers(value)
        elif isinstance(part, Text | ToolResult | Reasoning):
            found |= identifiers(part.text)
    return found


def _values(arguments: str) -> Iterator[str]:
    """Walk the leaves of JSON arguments; text that is no JSON is one leaf."""
    try:
        todo = [json.loads(arguments)]
    except (ValueError, RecursionError):
        todo = [arguments]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
        elif not isinstance(value, bool) and value is not None:
            yield str(value)
