"""What each message says, counted once against everything that stands before it.

`Prefix` takes messages in order, in batches of any size, and holds a row of counts for each.
Counts never change, and do not depend on how the messages were batched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lre.features import lexicon
from lre.features.facts import FACTS, facts, reading
from lre.features.index import WordIndex, grown
from lre.features.kernel import kernel
from lre.features.lexer import CAPITAL, DIGIT, FREE, INNER, JOINED, LONG, UNDERSCORE, Words, pack
from lre.messages import Message

__all__ = ["COUNTS", "Identifiers", "Prefix"]

Ints = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]

COUNTS = (
    "bytes",
    "words",
    "lines",
    "questions",
    "types",
    "fresh",
    "capitals",
    "digits",
    "identifiers",
    "introduced",
    "novel",
    "rare",
    "rarity",
    "shared",
    "errors",
    "code",
    "urls",
    "courtesy",
    *FACTS,
)
_COLUMN = {name: i for i, name in enumerate(COUNTS)}
_BATCH = 1 << 19  # bytes: large enough for NumPy, small enough for the cache
_PIECE = 1 << 20  # bytes: a longer text is read in pieces, to bound the memory
_IDENTIFIER = DIGIT | UNDERSCORE | JOINED | INNER
_RARE = 2  # messages


class Identifiers(NamedTuple):
    """Which message carries which identifier: parallel arrays, ordered by message."""

    message: npt.NDArray[np.int32]
    word: npt.NDArray[np.int32]


class Prefix:
    """Counts for each message, and the index of words that later decisions look at.

    >>> from lre.messages import Text
    >>> said = ["order W123456 shipped", "is W123456 late?"]
    >>> prefix = Prefix()
    >>> prefix.extend([Message("user", (Text(text),)) for text in said], openers=[0, 1])
    >>> prefix.column("novel").tolist(), prefix.column("questions").tolist()
    ([3.0, 2.0], [0.0, 1.0])
    """

    def __init__(self) -> None:
        self.index = WordIndex()
        self._category = lexicon.plant(self.index)
        self._size = 0
        self._opener = np.zeros(0, dtype=np.int64)
        self._counts = np.zeros((0, len(COUNTS)))
        self._links = 0
        self._link_message = np.zeros(0, dtype=np.int32)
        self._link_word = np.zeros(0, dtype=np.int32)

    def __len__(self) -> int:
        return self._size

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """One count of every message."""
        return self._counts[: self._size, _COLUMN[name]]

    @property
    def identifiers(self) -> Identifiers:
        """Every identifier of every message."""
        return Identifiers(self._link_message[: self._links], self._link_word[: self._links])

    def extend(self, messages: Sequence[Message], openers: Sequence[int]) -> None:
        """Count messages; `openers[i]` is the message that opened the unit of message `i`.

        It is what was known when the message came: the message itself where it opens a unit.
        """
        size = self._size + len(messages)
        self._opener = grown(self._opener, size)
        self._opener[self._size : size] = openers
        self._counts = grown(self._counts, size)
        if messages:
            self._counts[self._size : size, -len(FACTS) :] = [facts(m) for m in messages]
        for batch in _batches(reading(message) for message in messages):
            self._count(batch, self._size)
            self._size += len(batch)

    def _count(self, texts: Sequence[bytes], start: int) -> None:
        """Count one batch, whose first text is message `start`."""
        keys, words, lines, questions = _words(texts)
        head = np.append(True, keys[1:] >> 24 != keys[:-1] >> 24)[: len(keys)]
        message = ((keys >> 8) & 0xFFFF).astype(np.int64)
        marks = keys.astype(np.uint8)
        place = np.flatnonzero(head)
        known = self.index.rows(keys[place] >> np.uint64(24))
        group = np.cumsum(head) - 1
        rows = known[group]
        earlier = self.index.messages[rows] + np.arange(len(keys)) - place[group]
        previous = np.append(-1, message[:-1] + start)[: len(keys)]
        previous[place] = np.where(self.index.messages[known] > 0, self.index.last[known], -1)
        identifier = _all(marks, FREE | LONG) & ((marks & _IDENTIFIER) != 0)
        self._link(message[identifier], rows[identifier], start)
        category = np.zeros(len(keys), dtype=np.uint8)
        common = np.flatnonzero(rows < len(self._category))
        category[common] = self._category[rows[common]]
        own = self._opener[message + start]
        fresh = (previous < 0) | (self._opener[previous] != own)
        beside = (own > 0) & (previous >= 0) & (self._opener[previous] == self._opener[own - 1])

        row = self._counts[start : start + len(texts)]
        row[:, _COLUMN["bytes"]] = [len(t) for t in texts]
        row[:, _COLUMN["words"]] = words
        row[:, _COLUMN["lines"]] = lines
        row[:, _COLUMN["questions"]] = questions
        tallies = {
            "types": marks >= 0,
            "fresh": fresh,
            "capitals": (marks & CAPITAL) != 0,
            "digits": (marks & DIGIT) != 0,
            "identifiers": identifier,
            "introduced": identifier & (earlier == 0),
            "novel": earlier == 0,
            "rare": earlier <= _RARE,
            "shared": fresh & beside,
            "errors": (category & lexicon.ERROR) != 0,
            "code": (category & lexicon.CODE) != 0,
            "urls": (category & lexicon.URL) != 0,
            "courtesy": (category & lexicon.COURTESY) != 0,
        }
        for name, mask in tallies.items():
            row[:, _COLUMN[name]] = np.bincount(message[mask], minlength=len(texts))
        rarity = np.log((message + (start + 1)) / (earlier + 1))
        row[:, _COLUMN["rarity"]] = np.bincount(message, rarity, minlength=len(texts))
        self.index.units[known] += np.bincount(group[fresh], minlength=len(known)).astype(np.int32)
        self._note(known, message + start, place)

    def _link(self, message: Ints, word: Ints, start: int) -> None:
        """Remember which identifiers each message carries, ordered by message."""
        order = np.argsort(message.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
        size = self._links + len(order)
        self._link_message = grown(self._link_message, size)
        self._link_word = grown(self._link_word, size)
        self._link_message[self._links : size] = message[order] + start
        self._link_word[self._links : size] = word[order]
        self._links = size

    def _note(self, known: Ints, message: Ints, place: Ints) -> None:
        """Bring the index up to date; `place` is where each known word's run begins."""
        new = self.index.messages[known] == 0
        self.index.first[known[new]] = message[place[new]]
        ends = np.append(place[1:], len(message))[: len(place)]
        self.index.messages[known] += (ends - place).astype(np.int32)
        self.index.last[known] = message[ends - 1]


def _all(marks: npt.NDArray[np.uint8], wanted: int) -> npt.NDArray[np.bool_]:
    has: npt.NDArray[np.bool_] = (marks & wanted) == wanted
    return has


def _batches(texts: Iterable[str]) -> Iterator[list[bytes]]:
    """Encode and group texts; each counts 16 bytes at least, so that 16 bits can number them."""
    batch: list[bytes] = []
    size = 0
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        if batch and size + len(encoded) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(encoded)
        size += len(encoded) + 16
    if batch:
        yield batch


def _words(texts: Sequence[bytes]) -> Words:
    """Find the words of a batch, its keys sorted and each word once a text."""
    if len(texts) > 1 or len(texts[0]) <= _PIECE:
        found = kernel()(*pack(texts))
        return found._replace(keys=_distinct(np.sort(found.keys)))
    pieces = [_words([texts[0][i : i + _PIECE]]) for i in range(0, len(texts[0]), _PIECE)]
    keys, *counts = zip(*pieces, strict=True)
    return Words(_distinct(np.sort(np.concatenate(keys))), *(np.sum(c, axis=0) for c in counts))


def _distinct(keys: Keys) -> Keys:
    """Of keys with the same hash and text keep the last, which has the most marks."""
    kept: Keys = keys[np.append(keys[1:] >> 8 != keys[:-1] >> 8, True)[: len(keys)]]
    return kept
