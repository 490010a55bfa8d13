"""Where each word of a batch stands, against all that stands before it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lre.features.index import WordIndex

__all__ = ["Occurrences", "look_up"]

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]


class Occurrences(NamedTuple):
    """Each word of each message once: parallel arrays, ordered by word, then by message.

    `message` has it, `marks` tell how it is spelt, `word` is its row in the index, `earlier`
    the number of messages before that have it, and `previous` the last of these, or -1.
    `runs` are the places where another word begins.
    """

    message: Ints
    marks: npt.NDArray[np.uint8]
    word: Ints
    earlier: Ints
    previous: Ints
    runs: Ints

    def note(self, index: WordIndex, fresh: npt.NDArray[np.bool_]) -> None:
        """Enter the batch into the index; `fresh` tells which occurrences are new to their unit."""
        if not len(self.runs):
            return
        ends = np.append(self.runs[1:], len(self.word))
        words = self.word[self.runs]
        new = index.messages[words] == 0
        index.first[words[new]] = self.message[self.runs[new]]
        index.messages[words] += (ends - self.runs).astype(np.int32)
        index.units[words] += np.add.reduceat(fresh, self.runs, dtype=np.int32)
        index.last[words] = self.message[ends - 1]


def look_up(keys: Keys, start: int, index: WordIndex) -> Occurrences:
    """Find what came before; `keys` are sorted and distinct, text 0 is message `start`."""
    hashes = keys >> np.uint64(24)
    message = ((keys >> np.uint64(8)) & np.uint64(0xFFFF)).astype(np.int64) + start
    runs = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(keys)])
    sizes = np.diff(runs, append=len(keys))
    words = index.rows(hashes[runs])
    known = index.messages[words]
    earlier = np.arange(len(keys)) + np.repeat(known - runs, sizes)
    previous = np.append(-1, message[:-1])[: len(keys)]
    previous[runs] = np.where(known > 0, index.last[words], -1)
    marks = keys.astype(np.uint8)
    return Occurrences(message, marks, np.repeat(words, sizes), earlier, previous, runs)
