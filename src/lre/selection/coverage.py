"""Lazy greedy for coverage: what is carried twice counts once.

Units are opened, each at a price, and what is carried by their fixed pieces comes with it; the
other pieces (spans) are bought one by one once their unit is open. Always the purchase with the
most worth per token comes next that still fits; an unopened unit is offered together with the
spans that raise its worth per token. Worth only falls as more is covered, so an offer has to be
looked at again only when it comes first (lazy greedy: Minoux, 1978; per token and with a
budget: Leskovec et al., KDD 2007).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Chosen", "Cover", "Stock", "cover"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

FINE = 1 << 32
"""Worth is added up in whole numbers of this part, so that no sum depends on its order."""


@dataclass(frozen=True)
class Cover:
    """What pieces carry: `piece[i]` carries `word[i]`, each pair once.

    `weight` is the worth of each word, `worth` what each piece is worth beside its words; both
    lie between 0 and 1.
    """

    piece: Ints
    word: Ints
    weight: Floats
    worth: Floats


@dataclass(frozen=True)
class Stock:
    """What can be had, and its price in tokens.

    `price` has the price of opening each unit; of each piece, `unit` is the unit that it belongs
    to, `cost` its tokens, and `slot` the number of the text that it is cut from, -1 where it is
    fixed to its unit. Pieces of a slot are neighbours, in order; `marker` is what a gap costs.
    """

    price: Ints
    unit: Ints
    cost: Ints
    slot: Ints
    marker: int


class Chosen(NamedTuple):
    """Which units are open, and which pieces are there: all the fixed ones of an open unit."""

    units: Mask
    pieces: Mask


def cover(what: Cover, stock: Stock, free: Mask, limit: int) -> Chosen:
    """Choose among the `free` units, within `limit` tokens; what the others carry is covered.

    >>> carried = Cover(np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([0.9, 0.5]), np.zeros(3))
    >>> alone = Stock(np.array([5, 5, 5]), np.arange(3), np.zeros(3, int), np.full(3, -1), 0)
    >>> cover(carried, alone, np.ones(3, bool), 10).units.tolist()
    [False, True, True]
    """
    shop = _Shop(what, stock, free, limit)
    shop.run()
    units = ~free
    units[shop.opened] = True
    pieces = units[stock.unit] & (stock.slot < 0) | ~free[stock.unit]
    pieces[shop.taken] = True
    return Chosen(units, pieces)


def _fine(values: Floats) -> list[int]:
    fine: list[int] = np.rint(values * FINE).astype(np.int64).tolist()
    return fine


class _Shop:
    """The offers, best first, and what is covered so far."""

    def __init__(self, what: Cover, stock: Stock, free: Mask, limit: int) -> None:
        self.left = limit
        self.opened: list[int] = []
        self.taken: list[int] = []
        self._marker = stock.marker
        self._price: list[int] = stock.price.tolist()
        self._unit: list[int] = stock.unit.tolist()
        self._cost: list[int] = stock.cost.tolist()
        self._slot: list[int] = stock.slot.tolist()
        self._weight, self._worth = _fine(what.weight), _fine(what.worth)
        self._there = bytearray(len(self._cost))
        self._offers: list[tuple[float, int, int]] = []  # the best is the least
        held = ~free[stock.unit]
        covered = np.zeros(len(what.weight), dtype=np.bool_)
        covered[what.word[held[what.piece]]] = True
        self._covered = bytearray(covered.tobytes())
        useful = ~held[what.piece] & ~covered[what.word] & (what.weight[what.word] > 0)
        self._words: list[list[int]] = [[] for _ in self._cost]
        for piece, word in zip(*(c[useful].tolist() for c in (what.piece, what.word)), strict=True):
            self._words[piece].append(word)
        self._fixed: dict[int, list[int]] = {unit: [] for unit in np.flatnonzero(free).tolist()}
        self._spans: dict[int, list[int]] = {unit: [] for unit in self._fixed}
        for piece in np.flatnonzero(~held).tolist():
            pieces = self._fixed if self._slot[piece] < 0 else self._spans
            pieces[self._unit[piece]].append(piece)

    def run(self) -> None:
        """Buy until nothing is left that fits."""
        for unit in self._fixed:
            self._offer(unit, -1, *self._bundle(unit)[:2])
        while self._offers:
            offer = heapq.heappop(self._offers)
            unit, piece = -offer[1], offer[2]
            if piece < 0:
                self._open(unit, offer)
            elif not self._there[piece]:
                self._take(piece, offer)

    def _offer(self, unit: int, piece: int, worth: int, price: int) -> None:
        if worth > 0:  # ties go to the newer
            heapq.heappush(self._offers, (-worth / max(price, 1), -unit, piece))

    def _is_stale(self, offer: tuple[float, int, int], worth: int, price: int) -> bool:
        """Offer again what has become less than the next best since it was offered."""
        now = -worth / max(price, 1)
        stale = now > offer[0] and bool(self._offers) and (now, *offer[1:]) > self._offers[0]
        if stale:
            self._offer(-offer[1], offer[2], worth, price)
        return stale

    def _open(self, unit: int, offer: tuple[float, int, int]) -> None:
        worth, price, chosen = self._bundle(unit)
        if self._is_stale(offer, worth, price) or self._price[unit] > self.left:
            return
        self.left -= self._price[unit]
        self.opened.append(unit)
        for piece in self._fixed[unit]:
            self._cover(piece)
        for piece in chosen:
            self._buy(piece)
        for piece in self._spans[unit]:
            self._offer_again(piece)

    def _take(self, piece: int, offer: tuple[float, int, int]) -> None:
        if not self._is_stale(offer, self._gain(piece), self._price_of(piece)):
            self._buy(piece)
            if self._there[piece]:
                for beside in (piece - 1, piece + 1):
                    if self._is_gap(piece, beside):
                        self._offer_again(beside)

    def _offer_again(self, piece: int) -> None:
        if not self._there[piece]:
            self._offer(self._unit[piece], piece, self._gain(piece), self._price_of(piece))

    def _buy(self, piece: int) -> None:
        price = self._price_of(piece)
        if price <= self.left:
            self.left -= price
            self._there[piece] = 1
            self.taken.append(piece)
            self._cover(piece)

    def _cover(self, piece: int) -> None:
        for word in self._words[piece]:
            self._covered[word] = 1

    def _gain(self, piece: int) -> int:
        covered, weight = self._covered, self._weight
        return self._worth[piece] + sum(weight[w] for w in self._words[piece] if not covered[w])

    def _price_of(self, piece: int) -> int:
        """Tokens of a span, with what its coming does to the gaps around it."""
        gaps = self._is_gap(piece, piece - 1) + self._is_gap(piece, piece + 1) - 1
        return self._cost[piece] + gaps * self._marker

    def _is_gap(self, piece: int, beside: int) -> bool:
        inside = 0 <= beside < len(self._slot) and self._slot[beside] == self._slot[piece]
        return inside and not self._there[beside]

    def _bundle(self, unit: int) -> tuple[int, int, list[int]]:
        """Worth and price of a unit with the spans that raise its worth per token."""
        seen: set[int] = set()
        worth = sum(self._fresh(piece, seen) for piece in self._fixed[unit])
        price, chosen = max(self._price[unit], 1), []
        for piece in self._best_first(unit):
            cost = max(self._price_of(piece), 1)
            words = [w for w in self._words[piece] if w not in seen and not self._covered[w]]
            gain = self._worth[piece] + sum(self._weight[w] for w in words)
            if gain * price > worth * cost:
                worth, price = worth + gain, price + cost
                seen.update(words)
                chosen.append(piece)
                self._there[piece] = 1
        for piece in chosen:
            self._there[piece] = 0
        return worth, price, chosen

    def _fresh(self, piece: int, seen: set[int]) -> int:
        """Give the worth of a piece beside the words seen so far, and see its words."""
        words = [w for w in self._words[piece] if w not in seen and not self._covered[w]]
        seen.update(words)
        return self._worth[piece] + sum(self._weight[w] for w in words)

    def _best_first(self, unit: int) -> list[int]:
        spans = self._spans[unit]
        density = {piece: self._gain(piece) / max(self._price_of(piece), 1) for piece in spans}
        return sorted(spans, key=lambda piece: -density[piece])
