"""Hindsight labels of units in conversations: what later questions, answers and replies take.

A label counts, for each unit, how many of them take something from it; `gold`, which alone needs
annotation, shares each question among its units. English stop words do not count; others weigh by
their inverse document frequency among the units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError
from lre.features import Moment, word_hashes
from lre.features.batches import distinct_words
from lre.traces import Question

__all__ = ["LABELS", "Label", "Told"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_COVERED = 0.4  # of an answer's content words: arXiv 2606.20954
_RECENT = 5  # units that are kept anyway, so there is nothing to learn of them


class Told:
    """A conversation at its end, and what was asked then.

    `owner` is the place of each message's unit: shape ``(messages,)``.
    """

    def __init__(self, moment: Moment, owner: Ints, questions: Sequence[Question]) -> None:
        self.bags, self.owner, self.questions = moment.words, owner, questions
        self.size = moment.size

    @cached_property
    def idf(self) -> Floats:
        """The weight of each word of `bags.hashes`."""
        return np.log((1 + self.size) / (1 + np.diff(self.bags.bounds)))

    def rows(self, hashes: Hashes) -> Ints:
        """Find words; those that no unit has are left out."""
        known = np.append(self.bags.hashes, np.uint64(0))
        place = np.searchsorted(self.bags.hashes, hashes)
        rows: Ints = place[known[place] == hashes]
        return rows

    def overlap(self, rows: Ints, weights: Floats) -> Floats:
        """Add up the weights of those of these words that each unit has."""
        bounds = self.bags.bounds
        units = [self.bags.unit[bounds[row] : bounds[row + 1]] for row in rows]
        found = np.concatenate([np.zeros(0, np.int64), *units])
        worth = np.repeat(weights, [len(one) for one in units])
        return np.bincount(found, worth, self.size).astype(np.float64)


def gold(told: Told) -> Floats:
    """The log says that it holds the answer to the question."""
    worth = np.zeros(told.size)
    for one in told.questions:
        units = np.unique(told.owner[list(one.evidence)])
        worth[units] += 1 / max(len(units), 1)
    return worth


def answered(told: Told) -> Floats:
    """Of all units, it has most of the words of the logged answer."""
    return _best(told, [_content(one.answer) for one in told.questions])


def asked(told: Told) -> Floats:
    """Of all units, it has most of the words of the logged question and its answer."""
    texts = [f"{one.text}\n{one.answer}" if one.answer else "" for one in told.questions]
    return _best(told, [_content(text) for text in texts])


def covered(told: Told) -> Floats:
    """It has 40 % or more of the answer's content words: the paper's label."""
    found = []
    for words in (_content(one.answer) for one in told.questions):
        if len(words):
            rows = told.rows(words)
            share = told.overlap(rows, np.ones(len(rows))) / len(words)
            found.append(np.flatnonzero(share >= _COVERED))
    return _counted(found, told.size)


def replied(told: Told) -> Floats:
    """Of all units but the latest few, it has most of the words of a later unit."""
    order = np.argsort(told.bags.unit, kind="stable")
    words = np.split(told.bags.word[order], np.cumsum(told.bags.words.types).astype(int)[:-1])
    found = []
    for place in range(_RECENT + 1, told.size):
        scores = told.overlap(words[place], told.idf[words[place]])[: place - _RECENT]
        found.append(_most(scores))
    return _counted(found, told.size)


Label = Callable[[Told], Floats]

LABELS: Mapping[str, Label] = {of.__name__: of for of in (gold, asked, answered, covered, replied)}
"""Labels by name; each gives shape ``(units,)``."""


def _best(told: Told, texts: Sequence[Hashes]) -> Floats:
    rows = [told.rows(words) for words in texts]
    return _counted([_most(told.overlap(row, told.idf[row])) for row in rows], told.size)


def _most(scores: Floats) -> Ints:
    """Give the place of the greatest, the first of equals; none where all are nothing."""
    place = int(np.argmax(scores)) if len(scores) else 0
    return np.array([place] if len(scores) and scores[place] > 0 else [], dtype=np.int64)


def _counted(places: Sequence[Ints], size: int) -> Floats:
    found = np.concatenate([np.zeros(0, np.int64), *places])
    return np.bincount(found, minlength=size).astype(np.float64)


def _content(text: str) -> Hashes:
    """Hash the distinct words of a text that are no English stop words."""
    words = distinct_words([text.encode("utf-8", "surrogatepass")]).hash
    return np.setdiff1d(words, _stop_words())


@cache
def _stop_words() -> Hashes:
    """Hash them, once."""
    try:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "train") from error
    return np.array(word_hashes(sorted(ENGLISH_STOP_WORDS)), dtype=np.uint64)
