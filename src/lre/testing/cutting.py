"""What became of a message that was cut, read off the message itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lre.messages import Message, Part, Text, ToolResult

__all__ = ["bare", "changes", "is_shortened"]

Count = Callable[[str], int]
State = tuple[int, int | None]

_MARKER = re.compile(r"(\[[\d,]+ tokens cut\])")


def bare(message: Message) -> Message:
    """Take the texts of what was said or came back out of a message: the rest is never cut.

    >>> bare(Message("user", (Text("Hi"),))).parts
    (Text(text=''),)
    """
    return replace(message, parts=tuple(map(_bare, message.parts)))


def _bare(part: Part) -> Part:
    return replace(part, text="") if isinstance(part, Text | ToolResult) else part


def changes(one: object, other: object) -> Iterator[tuple[Any, Any]]:
    """Find the smallest things in which two entries differ, pair by pair.

    >>> list(changes({"role": "user", "content": ["a", "b"]}, {"role": "user", "content": ["a"]}))
    [(['a', 'b'], ['a'])]
    """
    one, other = _plain(one), _plain(other)
    if isinstance(one, Mapping) and isinstance(other, Mapping) and [*one] == [*other]:
        for key in one:
            yield from changes(one[key], other[key])
    elif isinstance(one, list | tuple) and type(one) is type(other) and len(one) == len(other):
        for pair in zip(one, other, strict=True):
            yield from changes(*pair)
    elif one is not other and one != other:
        yield one, other


def _plain(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(warnings=False) if callable(dump) else value


def is_shortened(text: object, short: object, count: Count | None = None) -> bool:
    """Tell whether something is a text in which markers stand for gaps, of so many tokens each.

    >>> is_shortened("one two three", "one [1 tokens cut] three", lambda _: 1)
    True
    >>> is_shortened("one two three", "three [1 tokens cut] one")
    False
    """
    if not (isinstance(text, str) and isinstance(short, str)):
        return False
    states: set[State] = {(0, None)}  # how far the text is read, and the gap that follows there
    for piece in filter(None, _MARKER.split(short)):
        read = {
            (s + len(piece), None) for state in states for s in _places(text, piece, state, count)
        }
        gap = int(re.sub(r"\D", "", piece)) if _MARKER.fullmatch(piece) else None
        states = read | {(at, gap) for at, pending in states if pending is None and gap is not None}
    return any(_ends(text, state, count) for state in states)


def _places(text: str, piece: str, state: State, count: Count | None) -> Iterator[int]:
    """Find where a piece can go on: right here, or after a gap of the right size."""
    at, gap = state
    if gap is None:
        yield from [at] * text.startswith(piece, at)
        return
    place = text.find(piece, at + 1)
    while place >= 0:
        if count is None or count(text[at:place]) == gap:
            yield place
        place = text.find(piece, place + 1)


def _ends(text: str, state: State, count: Count | None) -> bool:
    at, gap = state
    if gap is None:
        return at == len(text)
    return at < len(text) and (count is None or count(text[at:]) == gap)
