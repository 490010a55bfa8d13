"""A number for each word: an open-addressing hash table in NumPy arrays.

Some twenty bytes a word, vectorised, and constant time a word however many there are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lre.features.column import Column

__all__ = ["WordIndex"]

Rows = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


class WordIndex:
    """Numbers words as they come: what is known of them lies in columns beside it.

    >>> index = WordIndex()
    >>> index.rows(np.array([7, 9], dtype=np.uint64)).tolist()
    [0, 1]
    >>> index.rows(np.array([9, 4], dtype=np.uint64)).tolist(), len(index)
    ([1, 2], 3)
    """

    def __init__(self) -> None:
        self._slots = np.full(1024, -1, dtype=np.int32)  # the row that lives in each slot
        self._hash = Column(np.uint64)

    def __len__(self) -> int:
        return len(self._hash)

    @property
    def hashes(self) -> Hashes:
        """The hash of each row's word."""
        return self._hash.values

    def rows(self, hashes: Hashes) -> Rows:
        """Find the row of each of these distinct hashes; new ones get the next rows."""
        self._reserve(len(self) + len(hashes))
        rows = np.empty(len(hashes), dtype=np.int64)
        slot, step, mask = self._probes(hashes)
        todo = np.arange(len(hashes))
        while len(todo):
            self._settle(hashes[todo], slot[todo])
            held = self._slots[slot[todo]]
            hit = self.hashes[held] == hashes[todo]
            rows[todo[hit]] = held[hit]
            todo = todo[~hit]
            slot[todo] = (slot[todo] + step[todo]) & mask
        return rows

    def _probes(self, hashes: Hashes) -> tuple[Rows, Rows, int]:
        """Where each hash looks first, and how far it steps.

        Words that share the one seldom share the other, even if somebody chose them so.
        """
        mask = len(self._slots) - 1
        slot = (hashes & np.uint64(mask)).astype(np.int64)
        step = (hashes >> np.uint64(20)).astype(np.int64) | 1
        return slot, step, mask

    def _settle(self, hashes: Hashes, slot: Rows) -> None:
        """Give each vacant slot to one of the hashes that want it."""
        vacant = np.flatnonzero(self._slots[slot] < 0)
        if not len(vacant):
            return
        wanted, claim = slot[vacant], np.arange(len(vacant), dtype=np.int32)
        self._slots[wanted] = claim
        won = vacant[self._slots[wanted] == claim]
        self._slots[slot[won]] = np.arange(len(self), len(self) + len(won), dtype=np.int32)
        self._hash.extend(hashes[won])

    def _reserve(self, size: int) -> None:
        """Lay the known hashes into fresh slots once two in three would be taken."""
        if size * 3 <= len(self._slots) * 2:
            return
        self._slots = np.full(1 << (size * 3 // 2).bit_length(), -1, dtype=np.int32)
        slot, step, mask = self._probes(self.hashes)
        todo = np.arange(len(self), dtype=np.int32)
        while len(todo):
            vacant = todo[self._slots[slot[todo]] < 0]
            self._slots[slot[vacant]] = vacant
            todo = todo[self._slots[slot[todo]] != todo]
            slot[todo] = (slot[todo] + step[todo]) & mask
