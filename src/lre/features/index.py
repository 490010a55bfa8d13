"""What a history has seen of each word: an open-addressing hash table in NumPy arrays.

Some thirty bytes a word, vectorised, and constant time a word however many there are.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["WordIndex", "grown"]

Rows = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
_Scalar = TypeVar("_Scalar", bound=np.generic)


def grown(array: npt.NDArray[_Scalar], size: int) -> npt.NDArray[_Scalar]:
    """Give the array itself if it holds `size` rows, else a copy with room for half as many more.

    >>> len(grown(np.zeros(4), 5)), len(grown(np.zeros(4), 4))
    (6, 4)
    """
    if len(array) >= size:
        return array
    wider = np.zeros((max(size, len(array) * 3 // 2), *array.shape[1:]), array.dtype)
    wider[: len(array)] = array
    return wider


class WordIndex:
    """For each word: in how many messages and units it stands, in which message first and last.

    >>> index = WordIndex()
    >>> index.rows(np.array([7, 9], dtype=np.uint64)).tolist()
    [0, 1]
    >>> index.rows(np.array([9, 4], dtype=np.uint64)).tolist(), len(index)
    ([1, 2], 3)
    """

    def __init__(self) -> None:
        self._size = 0
        self._slots = np.full(1024, -1, dtype=np.int32)  # the row that lives in each slot
        self._hash = np.zeros(0, dtype=np.uint64)
        self.messages = np.zeros(0, dtype=np.int32)
        self.units = np.zeros(0, dtype=np.int32)
        self.first = np.zeros(0, dtype=np.int32)
        self.last = np.zeros(0, dtype=np.int32)

    def __len__(self) -> int:
        return self._size

    @property
    def hashes(self) -> Hashes:
        """The hash of each row's word."""
        return self._hash[: self._size]

    def rows(self, hashes: Hashes) -> Rows:
        """Find the row of each of these distinct hashes; new ones get the next rows."""
        self._reserve(self._size + len(hashes))
        rows = np.empty(len(hashes), dtype=np.int64)
        slot, step, mask = self._probes(hashes)
        todo = np.arange(len(hashes))
        while len(todo):
            self._settle(hashes[todo], slot[todo])
            held = self._slots[slot[todo]]
            hit = self._hash[held] == hashes[todo]
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
        new = np.arange(self._size, self._size + len(won), dtype=np.int32)
        self._slots[slot[won]] = new
        self._hash[new] = hashes[won]
        self._size += len(won)

    def _reserve(self, size: int) -> None:
        self._hash = grown(self._hash, size)
        self.messages = grown(self.messages, size)
        self.units = grown(self.units, size)
        self.first = grown(self.first, size)
        self.last = grown(self.last, size)
        if size * 3 > len(self._slots) * 2:
            known, self._size = self._hash[: self._size], 0
            self._slots = np.full(1 << (size * 3 // 2).bit_length(), -1, dtype=np.int32)
            self._hash = self._hash.copy()
            self._rehash(known)

    def _rehash(self, known: Hashes) -> None:
        """Lay the known hashes into fresh slots; each keeps its row."""
        slot, step, mask = self._probes(known)
        todo = np.arange(len(known), dtype=np.int32)
        while len(todo):
            vacant = todo[self._slots[slot[todo]] < 0]
            self._slots[slot[vacant]] = vacant
            todo = todo[self._slots[slot[todo]] != todo]
            slot[todo] = (slot[todo] + step[todo]) & mask
        self._size = len(known)
