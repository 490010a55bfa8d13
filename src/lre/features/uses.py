"""Which piece carries which identifier, and what has become of each identifier so far.

`Uses` takes messages in order, each as its pieces; what it counts never changes and does not
depend on how the messages were batched or cut.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lre.features.batches import batches, distinct_identifiers
from lre.features.column import Column
from lre.features.index import WordIndex
from lre.messages import Message, ToolResult
from lre.pieces import Piece

__all__ = ["Uses"]

Ints = npt.NDArray[np.int64]


class Uses:
    """Identifiers and their history; arrays have shape ``(pieces,)``, ``(links,)``, ``(words,)``.

    A link says that a piece carries a word. Of a word, `units` and `acts` count the units, and
    the acting units, that carry it; `first` and `last` are the messages that do, `acted` the
    last that acts with it, -1 if none does.

    >>> from lre.messages import Text
    >>> said = [Message("user", (Text(text),)) for text in ("order W123456", "is W123456 late?")]
    >>> uses = Uses()
    >>> uses.extend(said, [[Piece("order W123456")], [Piece("is W123456 late?")]], openers=[0, 1])
    >>> uses.piece.values.tolist(), uses.word.values.tolist(), uses.units.values.tolist()
    ([0, 1], [0, 0], [2])
    """

    def __init__(self) -> None:
        self.index = WordIndex()
        self.message = Column(np.int64)  # of each piece
        self.acting = Column(np.bool_)
        self.bytes = Column(np.int64)
        self.result = Column(np.bool_)  # of each message
        self.opener = Column(np.int64)
        self.piece, self.word = Column(np.int64), Column(np.int64)
        self.units, self.acts = Column(np.int64), Column(np.int64)
        self.first, self.last, self.acted = Column(np.int64), Column(np.int64), Column(np.int64)

    def __len__(self) -> int:
        """How many messages were taken."""
        return len(self.result)

    def extend(
        self,
        messages: Sequence[Message],
        pieces: Sequence[Sequence[Piece]],
        openers: Sequence[int],
    ) -> None:
        """Take messages, the pieces of each, and the message that opened the unit of each."""
        start = len(self)
        self.result.extend([_is_result(message) for message in messages])
        self.opener.extend(openers)
        self.message.extend(np.repeat(np.arange(start, len(self)), [len(p) for p in pieces]))
        flat = [piece for group in pieces for piece in group]
        at = len(self.acting)
        self.acting.extend([piece.acting for piece in flat])
        for batch in batches(piece.text for piece in flat):
            self.bytes.extend([len(text) for text in batch])
            self._count(batch, at)
            at += len(batch)

    def _count(self, texts: Sequence[bytes], start: int) -> None:
        """Find the identifiers of one batch, whose first text is piece `start`."""
        keys = distinct_identifiers(texts)
        if not len(keys):
            return
        hashes = keys >> np.uint64(24)
        runs = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
        sizes = np.diff(runs, append=len(keys))
        words = self.index.rows(hashes[runs])
        text = (keys >> np.uint64(8)).astype(np.uint16)
        word, piece = np.repeat(words, sizes), start + text.astype(np.int64)
        self._note(word, piece)
        order = np.argsort(text, kind="stable")  # 16 bits: a radix sort
        self.piece.extend(piece[order])
        self.word.extend(word[order])

    def _note(self, word: Ints, piece: Ints) -> None:
        """Enter links that are ordered by word, then by piece."""
        for column, fill in ((self.units, 0), (self.acts, 0), (self.first, -1), (self.last, -1)):
            column.reach(len(self.index), fill)
        self.acted.reach(len(self.index), -1)
        message = self.message.values[piece]
        new = self.first.values[word] < 0
        new[1:] &= word[1:] != word[:-1]
        self.first.values[word[new]] = message[new]
        self._seen(self.units, self.last, word, message)
        acting = self.acting.values[piece]
        self._seen(self.acts, self.acted, word[acting], message[acting])

    def _seen(self, count: Column[np.int64], last: Column[np.int64], word: Ints, at: Ints) -> None:
        """Count the units in which each word is seen, and note the message of the last."""
        if not len(word):
            return
        same = word[1:] == word[:-1]
        before = last.values[word]
        before[1:] = np.where(same, at[:-1], before[1:])
        opener = self.opener.values
        fresh = (before < 0) | (opener[before] != opener[at])
        np.add.at(count.values, word[fresh], 1)
        ends = np.append(~same, True)
        last.values[word[ends]] = at[ends]


def _is_result(message: Message) -> bool:
    return any(isinstance(part, ToolResult) for part in message.parts)
