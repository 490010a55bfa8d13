"""Fitting a scorer of conversations: features of units, and the words that matter most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError, TrainingError
from lre.features import Words
from lre.learn.talks import Talk
from lre.scorer import Scorer, Terms

__all__ = ["SESSIONS", "Course", "fit"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

_C = 0.005
_TRUST = 9.0  # how much larger than a feature the weight of a text's words may be, at equal cost
_MOST = 10_000  # words that are tried
SESSIONS = 5  # that have to have a word: what fewer people said could give one of them away
_FEWEST = 20  # rows of each class
_CONSTANT = 1e-9


@dataclass(frozen=True)
class Course:
    """How a scorer is fitted: by which label, over which features, and with how many words."""

    features: Sequence[str]
    label: str
    terms: int = 1000


def fit(rows: Talk, course: Course, card: Mapping[str, Any] | None = None) -> Scorer:
    """Fit by L2 logistic regression; a unit that something is taken from counts as its label says.

    The classes are as unlike in number as they are, so that a probability is one: it is going to be
    divided by tokens.

    Words are tried by TF-IDF; the `terms` that add most are kept, and all is fitted again.

    Raises
    ------
    TrainingError
        If there is too little to learn from.
    MissingExtraError
        If scikit-learn is not installed.
    """
    counts = rows.labels[course.label]
    refuse_little(counts)
    values = rows.values[:, [rows.features.index(name) for name in course.features]]
    mean, scale = values.mean(axis=0), values.std(axis=0)
    scale[scale < _CONSTANT] = 1
    dense = (values - mean) / scale
    words = _Vocabulary(rows, _MOST if course.terms else 0)
    weight, bias = _regress(dense, words.matrix, counts)
    if len(words.hashes) > course.terms:
        words.keep(weight[dense.shape[1] :], course.terms)
        weight, bias = _regress(dense, words.matrix, counts)
    own, theirs = np.split(weight, [dense.shape[1]])
    terms = Terms(words.hashes, theirs * words.worth)
    return Scorer(tuple(course.features), mean, scale, own, bias, card or {}, terms)


def refuse_little(counts: Floats) -> None:
    """Raise `TrainingError` if there is too little to learn from."""
    taken = int((counts > 0).sum())
    if min(taken, len(counts) - taken) < _FEWEST:
        raise TrainingError(
            f"too little to learn from: {taken:,} units that something is taken from and "
            f"{len(counts) - taken:,} others; it takes {_FEWEST} of each",
            remedy="add conversations",
        )


class _Vocabulary:
    """Words that enough sessions have, ascending, and what a row is worth in each.

    `matrix` has shape ``(rows, words)``: `worth` (the word's inverse document frequency, scaled)
    over the root of the row's distinct words.
    """

    def __init__(self, rows: Talk, most: int) -> None:
        said = rows.said
        known, word = np.unique(said.hash, return_inverse=True)
        pairs = np.unique(np.stack([word, rows.session[said.unit]]), axis=1)
        spread = np.bincount(pairs[0].astype(np.int64), minlength=len(known))
        order = np.argsort(-spread, kind="stable")[:most]
        chosen = np.sort(order[spread[order] >= SESSIONS])
        self.hashes = known[chosen]
        found = np.bincount(word, minlength=len(known))[chosen]
        self.worth = np.log((1 + len(said.types)) / (1 + found)) + 1
        self.matrix = _matrix(said, self.hashes, self.worth)
        length = np.sqrt(self.matrix.multiply(self.matrix).sum() / max(len(said.types), 1))
        self._scale(_TRUST / max(float(length), _CONSTANT))

    def _scale(self, by: float) -> None:
        self.worth = self.worth * by
        self.matrix = self.matrix * by

    def keep(self, weight: Floats, most: int) -> None:
        """Keep the words that move the rows most."""
        spread = np.sqrt(np.asarray(self.matrix.multiply(self.matrix).mean(axis=0)).ravel())
        places = np.sort(np.argsort(-np.abs(weight) * spread, kind="stable")[:most])
        self.hashes, self.worth = self.hashes[places], self.worth[places]
        self.matrix = self.matrix[:, places]


def _matrix(said: Words, hashes: Hashes, worth: Floats) -> Any:
    from scipy.sparse import csr_array

    place = np.minimum(np.searchsorted(hashes, said.hash), max(len(hashes) - 1, 0))
    there = np.flatnonzero(hashes[place] == said.hash) if len(hashes) else np.zeros(0, np.int64)
    unit, place = said.unit[there], place[there]
    values = worth[place] / np.sqrt(np.maximum(said.types, 1))[unit]
    return csr_array((values, (unit, place)), shape=(len(said.types), len(hashes)))


def _regress(dense: Floats, words: Any, counts: Floats) -> tuple[Floats, float]:
    """Give the weights and the bias."""
    try:
        from scipy.sparse import csr_array, hstack
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "train") from error
    model = LogisticRegression(C=_C, max_iter=2000)
    matrix = hstack([csr_array(dense), words]).tocsr() if words.shape[1] else dense
    model.fit(matrix, counts > 0, np.where(counts > 0, counts, 1))
    return model.coef_[0], float(model.intercept_[0])
