"""The clairvoyant: what could be had if the next action were known. For reference only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from lre import selection
from lre.errors import SettingError
from lre.needs import Need
from lre.pieces import Span
from lre.policies.base import Floats, Ints, Mask, View
from lre.selection import Cover

__all__ = ["Oracle"]

_COPIED = 0.01  # worth of all copied text together: never above an identifier


class Oracle:
    """Packs what the next action needs by set cover per token: needs alone, then copied text.

    The future is handed to it by `foresee`, and to nobody else; it is no policy to evict with.
    It knows one action only, so where evictions are for good it is no bound.
    """

    name = "oracle"
    waives: ClassVar[frozenset[int]] = frozenset()

    def __init__(self, need: Need | None = None, *, sees: bool = False) -> None:
        self._need, self._sees = need or Need({}, (), (), ()), sees

    def foresee(self, need: Need | None) -> Oracle:
        """Give an oracle that knows what the next action needs, which may be nothing."""
        return Oracle(need, sees=True)

    def score(self, view: View) -> Floats:
        """How many needed identifiers each unit carries."""
        if not self._sees:
            raise SettingError(
                "an oracle has to be told the future",
                where="policy",
                remedy="see it in `lre bench replay`",
            )
        counts = np.zeros(len(view.units))
        for name in self._need.places:
            counts[list({int(view.owner[index]) for index in self._need.holders(name)})] += 1
        return counts

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """By needs per token."""
        return selection.by_density(scores, costs, limit)

    def cover(self, view: View) -> Cover:
        """The needed identifiers, each worth 1."""
        pieces, links = _Pieces(view), set()
        for word, places in enumerate(self._need.places.values()):
            found = {pieces.at(place.message, place.text, place.start) for place in places}
            links |= {(piece, word) for piece in found if piece >= 0}
        piece, carried = np.array(sorted(links), dtype=np.int64).reshape(-1, 2).T
        return Cover(piece, carried, np.ones(len(self._need.places)), self._copied(pieces))

    def _copied(self, pieces: _Pieces) -> Floats:
        worth = np.zeros(pieces.size)
        for match in (match for matches in self._need.matches for match in matches):
            size = match.end - match.start
            touched = pieces.within(*match.key, match.at, match.at + size)
            worth[touched] += size / max(self._need.characters, 1)
        return _COPIED * np.minimum(worth, 1)


class _Pieces:
    """Finds the piece in which a place of a message's text lies."""

    def __init__(self, view: View) -> None:
        self.size = len(view.uses.message)
        message = view.uses.message.values
        self._first = np.searchsorted(message, np.arange(len(view.messages) + 1)).tolist()
        self._spans: Sequence[Span | None] = view.spans

    def at(self, message: int, text: int, start: int) -> int:
        """Give the piece; -1 where the message has none."""
        return next(iter(self.within(message, text, start, start + 1)), -1)

    def within(self, message: int, text: int, start: int, end: int) -> list[int]:
        """Give the pieces that a stretch of a text touches; of what is never cut, the first."""
        places = range(self._first[message], self._first[message + 1])
        found = [p for p in places if _touches(self._spans[p], text, start, end)]
        return found or [p for p in places if self._spans[p] is None][:1]


def _touches(span: Span | None, text: int, start: int, end: int) -> bool:
    if span is None or span.slot.number != text:
        return False
    at = span.slot.offset
    return at + span.start < end and start < at + span.end
