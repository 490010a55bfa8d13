"""Messages → pieces: what stays or goes, and what is known of identifiers.

A message is taken whole, or cut into spans. Either way what an action says is a piece of its
own, since a word that was acted with is another thing than one that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from lre.dialects import Dialect
from lre.dialects.base import Path
from lre.dialects.slots import slot_text
from lre.messages import Message, Text, ToolCall, ToolResult
from lre.needs import action, texts
from lre.spans import bounds
from lre.units import OBSERVATIONS

__all__ = ["SPLITTERS", "Piece", "Slot", "Span", "spans", "whole"]


class Slot(NamedTuple):
    """A text that may be cut: where it stands in the entry, and among what the message shows.

    `number` counts the texts of `lre.needs.shown`; the slot's text begins at `offset` in it.
    """

    path: Path
    text: str
    number: int
    offset: int


class Span(NamedTuple):
    """A verbatim piece of one text: ``slot.text[start:end]``."""

    slot: Slot
    start: int
    end: int


class Piece(NamedTuple):
    """A part of a message: what it says, whether an action says it, and where it may be cut."""

    text: str
    acting: bool = False
    span: Span | None = None


def whole(message: Message, _dialect: Dialect) -> list[Piece]:
    """Give what a message acts with, and the rest of what it says.

    >>> from lre.dialects import get
    >>> said = Text("Let me look."), ToolCall("c1", "ls", '{"path": "src"}')
    >>> [piece.text for piece in whole(Message("assistant", said), get("openai-chat"))]
    ['src', 'Let me look.']
    """
    return _fixed(message, set())


def spans(message: Message, dialect: Dialect) -> list[Piece]:
    """Give what a message acts with, what else of it is never cut, and the spans of the rest.

    An action that is written into a text is a call's arguments by another name: such a message
    is not cut. Of an observation the beginning stays, by which it is told to be one.
    """
    if action(message) and not any(isinstance(part, ToolCall) for part in message.parts):
        return whole(message, dialect)
    slots = list(_slots(message, dialect))
    pieces = _fixed(message, {slot.number for slot in slots})
    for slot in slots:
        pairs = list(pairwise(bounds(slot.text)))
        if message.role == "user" and slot.text.startswith(OBSERVATIONS):
            pieces.append(Piece(slot.text[: pairs.pop(0)[1]]))
        pieces += [Piece(slot.text[a:b], span=Span(slot, a, b)) for a, b in pairs]
    return pieces


SPLITTERS: Mapping[str, Callable[[Message, Dialect], list[Piece]]] = {"unit": whole, "span": spans}
"""How messages become pieces, by granularity."""


def _fixed(message: Message, loose: set[int]) -> list[Piece]:
    """Give what an action says, and all else that is shown but for the texts of these numbers."""
    acts = "\n".join(action(message))
    told = (
        text
        for number, part, text in _numbered(message)
        if number not in loose and not (acts and isinstance(part, ToolCall))
    )
    rest = "\n".join(told)
    return [Piece(text, acting) for text, acting in ((acts, True), (rest, False)) if text]


def _numbered(message: Message) -> Iterator[tuple[int, object, str]]:
    """Give the texts of `lre.needs.shown`, each with its number and the part that it is of."""
    pairs = ((part, text) for part in message.parts for text in texts(part))
    for number, (part, text) in enumerate(pairs):
        yield number, part, text


def _slots(message: Message, dialect: Dialect) -> Iterator[Slot]:
    """Find where the texts that may be cut are shown; one that is not to be found is no slot."""
    paths = dialect.slots(message.raw)
    told = [
        (number, text)
        for number, part, text in _numbered(message)
        if isinstance(part, Text | ToolResult)
    ]
    place = offset = 0
    for path in paths:
        text = slot_text(message.raw, path)
        while place < len(told) and (at := told[place][1].find(text, offset)) < 0:
            place, offset = place + 1, 0
        if place == len(told):
            return
        yield Slot(path, text, told[place][0], at)
        offset = at + len(text)
