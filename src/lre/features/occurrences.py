"""Where each word of a batch stands, against all that stands before it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lre.features.column import Column
from lre.features.index import WordIndex

__all__ = ["Occurrences", "Seen"]

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Occurrences(NamedTuple):
    """Each word of each message once: parallel arrays, ordered by word, then by message.

    `message` has it, `marks` tell how it is spelt, `word` is its row in the index, `earlier`
    the number of messages before that have it, and `previous` the last of these, or -1.
    """

    message: Ints
    marks: npt.NDArray[np.uint8]
    word: Ints
    earlier: Ints
    previous: Ints


class Seen:
    """In how many messages each word has stood so far, and in which of them last.

    >>> from lre.features.batches import distinct_words
    >>> seen = Seen()
    >>> found = seen.take(distinct_words([b"a", b"a"]).keys, 0)
    >>> found.message.tolist(), found.earlier.tolist(), found.previous.tolist()
    ([0, 1], [0, 1], [-1, 0])
    """

    def __init__(self) -> None:
        self.index = WordIndex()
        self._messages, self._last = Column(np.int32), Column(np.int32)

    def take(self, keys: Keys, start: int) -> Occurrences:
        """Find what came before, and enter the batch.

        `keys` are sorted and distinct, their text 0 is message `start`.
        """
        hashes = keys >> np.uint64(24)
        message = ((keys >> np.uint64(8)) & np.uint64(0xFFFF)).astype(np.int64) + start
        runs = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(keys)])
        ends = np.append(runs[1:], len(keys))[: len(runs)]
        words = self.index.rows(hashes[runs])
        for column in (self._messages, self._last):
            column.reach(len(self.index))
        known = self._messages.values[words]
        earlier = np.arange(len(keys)) + np.repeat(known - runs, ends - runs)
        previous = np.append(-1, message[:-1])[: len(keys)]
        previous[runs] = np.where(known > 0, self._last.values[words], -1)
        self._messages.values[words] = known + (ends - runs)
        self._last.values[words] = message[ends - 1]
        word = np.repeat(words, ends - runs)
        return Occurrences(message, keys.astype(np.uint8), word, earlier, previous)
