"""Identifiers: the tokens of a text by which a later action may name something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lre.messages import Message, Reasoning, Text, ToolCall, ToolResult
from lre.needs.values import values

__all__ = ["Token", "carried", "identifiers", "marked", "tokens"]

_TOKEN = re.compile(r"[\w./@-]+")
_EDGE = "./@-"
_MARK = re.compile(r"[0-9_/@]|.[.A-Z]")
_SHORTEST = 4
_KEY_ENDS = ('":', '\\":')


class Token(NamedTuple):
    """A token without the marks at its ends, and where it stands, these marks included."""

    text: str
    start: int
    end: int


def identifiers(text: str) -> set[str]:
    r"""Find the identifiers of a text.

    A token of at least four characters with a digit, ``_``, ``/``, ``@``, an inner dot or an
    inner capital; JSON keys, numbers under four digits or divisible by 100 do not count.

    >>> sorted(identifiers('{"order_id": "#W2378156", "total": 1200} see src/app.py.'))
    ['W2378156', 'src/app.py']
    """
    return {t.text for t in marked(text) if not text.startswith(_KEY_ENDS, t.end)}


def marked(text: str) -> Iterator[Token]:
    """Walk the tokens that are spelt like identifiers, JSON keys included.

    >>> [*marked('{"order_id": "W2378156."}')]
    [Token(text='order_id', start=2, end=10), Token(text='W2378156', start=14, end=23)]
    """
    for match in _TOKEN.finditer(text):
        token = match.group().strip(_EDGE)
        if len(token) >= _SHORTEST and _MARK.search(token) and not _is_round(token):
            yield Token(token, match.start(), match.end())


def tokens(text: str) -> set[str]:
    """Find all tokens of at least four characters: what is in view where this text is shown.

    >>> sorted(tokens('{"order_id": "#W2378156"} is late.'))
    ['W2378156', 'late', 'order_id']
    """
    found = {token.strip(_EDGE) for token in _TOKEN.findall(text)}
    return {token for token in found if len(token) >= _SHORTEST}


def carried(message: Message) -> set[str]:
    """Find the identifiers of a message; of a call only its argument values count.

    >>> call = ToolCall("call_1", "get_order", '{"order_id": "W2378156"}')
    >>> carried(Message("assistant", (call,)))
    {'W2378156'}
    """
    found: set[str] = set()
    for part in message.parts:
        if isinstance(part, ToolCall):
            found = found.union(*map(identifiers, values(part.arguments)))
        elif isinstance(part, Text | ToolResult | Reasoning):
            found |= identifiers(part.text)
    return found


def _is_round(token: str) -> bool:
    """Tell whether it is a plain number that too many texts share to identify anything."""
    if not (token.isascii() and token.replace(".", "", 1).isdigit()):
        return False
    whole, _, fraction = token.partition(".")
    return len(whole) < _SHORTEST or (whole.endswith("00") and not fraction.strip("0"))
