"""What of a history can stay or go: its pieces, what they carry, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lre.dialects import Dialect
from lre.dialects.slots import with_texts
from lre.features import Uses
from lre.features.column import Column
from lre.messages import Message
from lre.pieces import SPLITTERS, Piece, Slot, Span
from lre.selection import Stock
from lre.spans import gaps, marker, shortened
from lre.tokens import Counter, message_costs

__all__ = ["Cut", "Inventory"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Interval = tuple[int, int]


class Cut(NamedTuple):
    """What is left of a message: the entry without some of its spans, its price, and the gaps."""

    entry: Any
    cost: int
    gaps: Sequence[tuple[Slot, Sequence[Interval]]]


class Inventory:
    """The pieces of the messages so far, at one granularity.

    `uses` knows what pieces carry, `spans` where they may be cut; `cost` are tokens, `slot`
    numbers the texts that spans are cut from, -1 for a piece that is never cut. All have shape
    ``(pieces,)``.
    """

    def __init__(self, granularity: str, dialect: Dialect, counter: Counter) -> None:
        self._split, self._dialect, self._counter = SPLITTERS[granularity], dialect, counter
        self._messages: list[Message] = []
        self.spans: list[Span | None] = []  # of each piece; the text itself is not kept twice
        self.uses = Uses()
        self.cost, self.slot = Column(np.int64), Column(np.int64)
        self._slots: list[Slot] = []
        self._bounds: list[list[int]] = []  # of the spans of each slot
        self._first: list[int] = []  # pieces of each slot
        self._holder = Column(np.int64)  # message of each slot
        self._whole = Column(np.int64)  # tokens of each slot that may go
        self.marker = counter.count([marker(999) + "\n"])[0]

    def __len__(self) -> int:
        """How many messages were taken."""
        return len(self._messages)

    def extend(self, messages: Sequence[Message], openers: Sequence[int]) -> None:
        """Take messages, and the message that opened the unit of each."""
        groups = [self._split(message, self._dialect) for message in messages]
        self._messages.extend(messages)
        self.uses.extend(messages, groups, openers)
        start, at = len(self._slots), len(self.slot)
        pieces = [piece for group in groups for piece in group]
        self.spans.extend([piece.span for piece in pieces])
        self.slot.extend([self._number(piece, place) for place, piece in enumerate(pieces, at)])
        self._holder.extend(self.uses.message.values[self._first[start:]])
        spans = [piece.text for piece in pieces if piece.span]
        loose = [self._slots[k].text[self._bounds[k][0] :] for k in range(start, len(self._slots))]
        counts = self._counter.count(loose + spans)
        self._whole.extend(counts[: len(loose)])
        price = iter(counts[len(loose) :])
        self.cost.extend([next(price) if piece.span else 0 for piece in pieces])

    def _number(self, piece: Piece, place: int) -> int:
        """Number the slot of a piece; pieces of one slot follow each other."""
        if piece.span is None:
            return -1
        if not self._slots or self._slots[-1] is not piece.span.slot:
            self._slots.append(piece.span.slot)
            self._bounds.append([piece.span.start])
            self._first.append(place)
        self._bounds[-1].append(piece.span.end)
        return len(self._slots) - 1

    def stock(self, owner: Ints, costs: Ints) -> Stock:
        """Price units as they are when nothing of them is left that can go, and their pieces."""
        saved = self._whole.values - self.marker
        holder = owner[self._holder.values]
        price = costs - np.bincount(holder, saved, len(costs)).astype(np.int64)
        unit = owner[self.uses.message.values]
        return Stock(price, unit, self.cost.values, self.slot.values, self.marker)

    def cut(self, kept: Mask, messages: Mask) -> dict[int, Cut]:
        """Cut those of the `messages` of which pieces are not kept; the counter is asked twice.

        `kept` has shape ``(pieces,)``, `messages` ``(messages,)``. One that would not become
        cheaper is left out.
        """
        lost = ~kept & (self.slot.values >= 0) & messages[self.uses.message.values]
        found = {k: self._holes(k, kept) for k in np.unique(self.slot.values[lost]).tolist()}
        gone = [self._slots[k].text[a:b] for k, holes in found.items() for a, b in holes]
        counts = iter(self._counter.count(gone))
        cuts: dict[int, list[tuple[Slot, str, Sequence[Interval]]]] = {}
        for k, holes in found.items():
            slot = self._slots[k]
            text = shortened(slot.text, holes, [next(counts) for _ in holes])
            cuts.setdefault(int(self._holder.values[k]), []).append((slot, text, holes))
        return self._priced(cuts)

    def _holes(self, slot: int, kept: Mask) -> list[Interval]:
        first, text = self._first[slot], self._slots[slot].text
        span = slice(first, first + len(self._bounds[slot]) - 1)
        return gaps(text, self._bounds[slot], kept[span].tolist())

    def _priced(
        self, cuts: Mapping[int, Sequence[tuple[Slot, str, Sequence[Interval]]]]
    ) -> dict[int, Cut]:
        entries = {
            index: with_texts(self._messages[index].raw, {slot.path: text for slot, text, _ in cut})
            for index, cut in cuts.items()
        }
        read = [self._read(index, entry) for index, entry in entries.items()]
        costs = message_costs(read, self._dialect.framing, self._counter)
        came = [self._messages[index] for index in cuts]
        whole = message_costs(came, self._dialect.framing, self._counter)
        return {
            index: Cut(entry, cost, tuple((slot, holes) for slot, _, holes in cuts[index]))
            for (index, entry), cost, most in zip(entries.items(), costs, whole, strict=True)
            if cost < most
        }

    def _read(self, index: int, entry: object) -> Message:
        before = self._messages[index - 1] if index else None
        return self._dialect.parse(entry, before, f"messages[{index}]")
