"""What each message says, counted once against everything that stands before it.

`Prefix` takes messages in order, in batches of any size, and holds a row of counts for each.
Counts never change, and do not depend on how the messages were batched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lre.features import lexicon
from lre.features.batches import batches, distinct_words
from lre.features.facts import FACTS, facts, reading
from lre.features.index import WordIndex, grown
from lre.features.kernel import kernel
from lre.features.lexer import CAPITAL, DIGIT, FREE, INNER, JOINED, LONG, UNDERSCORE
from lre.features.occurrences import Occurrences, look_up
from lre.messages import Message

__all__ = ["COUNTS", "Identifiers", "Prefix"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

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
    *lexicon.CATEGORIES,
    *FACTS,
)
_COLUMN = {name: i for i, name in enumerate(COUNTS)}
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
        kernel()  # an unknown one is named when a history begins, not when it first overflows
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
    def opens(self) -> Mask:
        """Whether each message began a unit when it came."""
        opens: Mask = self._opener[: self._size] == np.arange(self._size)
        return opens

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
        for batch in batches(reading(message) for message in messages):
            self._count(batch, self._size)
            self._size += len(batch)

    def _count(self, texts: Sequence[bytes], start: int) -> None:
        """Count one batch, whose first text is message `start`."""
        words = distinct_words(texts)
        found = look_up(words.keys, start, self.index)
        masks = {**self._spellings(found), **self._categories(found), **self._units(found)}
        row = self._counts[start : start + len(texts)]
        row[:, _COLUMN["bytes"]] = [len(text) for text in texts]
        row[:, _COLUMN["words"]] = words.words
        row[:, _COLUMN["lines"]] = words.lines
        row[:, _COLUMN["questions"]] = words.questions
        for name, mask in masks.items():
            row[:, _COLUMN[name]] = np.bincount(found.message[mask] - start, minlength=len(texts))
        rarity = np.log((found.message + 1) / (found.earlier + 1))
        row[:, _COLUMN["rarity"]] = np.bincount(found.message - start, rarity, len(texts))
        carried = masks["identifiers"]
        self._link(found.message[carried] - start, found.word[carried], start)
        found.note(self.index, masks["fresh"])

    def _spellings(self, found: Occurrences) -> dict[str, Mask]:
        """Tell how words are spelt, and whether they are new."""
        marks, new = found.marks, found.earlier == 0
        identifiers = (marks & (FREE | LONG)) == FREE | LONG
        identifiers &= (marks & _IDENTIFIER) != 0
        return {
            "types": np.ones(len(marks), dtype=np.bool_),
            "capitals": (marks & CAPITAL) != 0,
            "digits": (marks & DIGIT) != 0,
            "identifiers": identifiers,
            "introduced": identifiers & new,
            "novel": new,
            "rare": found.earlier <= _RARE,
        }

    def _categories(self, found: Occurrences) -> dict[str, Mask]:
        """Tell what the lexicon says; its words have the first rows of the index."""
        category = np.zeros(len(found.word), dtype=np.uint8)
        common = np.flatnonzero(found.word < len(self._category))
        category[common] = self._category[found.word[common]]
        return {name: (category & kind) != 0 for name, kind in lexicon.CATEGORIES.items()}

    def _units(self, found: Occurrences) -> dict[str, Mask]:
        """Tell which words are new to their unit, and which of these the unit before it has."""
        own, seen = self._opener[found.message], found.previous >= 0
        last = self._opener[found.previous]
        fresh = ~seen | (last != own)
        beside = seen & (own > 0) & (last == self._opener[own - 1])
        return {"fresh": fresh, "shared": fresh & beside}

    def _link(self, message: Ints, word: Ints, start: int) -> None:
        """Remember which identifiers each message carries, ordered by message."""
        order = np.argsort(message.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
        size = self._links + len(order)
        self._link_message = grown(self._link_message, size)
        self._link_word = grown(self._link_word, size)
        self._link_message[self._links : size] = message[order] + start
        self._link_word[self._links : size] = word[order]
        self._links = size
