"""The published method for conversations, frozen: TF-IDF and six features, arXiv 2606.20954.

`LogisticRegression(C=1, class_weight="balanced", max_iter=1000)` over at most 10,000 terms without
English stop words and six standardised features, all of them fitted on other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.bench.conversations.sheet import Floats, Ints, Sheet
from lre.learn.talks import Talk, apart

__all__ = ["Corpus", "scores"]

_TERMS = 10_000


class Corpus:
    """The texts of all units, counted once: `counts` has a row for each distinct text.

    `rows` are those of the units of each sheet, `six` their features.
    """

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        from sklearn.feature_extraction.text import CountVectorizer

        numbers: dict[str, int] = {}
        self.rows, self.six = [], []
        for sheet in sheets:
            texts = [_text(sheet, unit) for unit in sheet.units]
            self.rows.append(np.array([numbers.setdefault(text, len(numbers)) for text in texts]))
            self.six.append(_six(texts))
        self.counts: Any = CountVectorizer(stop_words="english").fit_transform(numbers)


def scores(
    corpus: Corpus, talks: Sequence[Talk], folds: Sequence[tuple[Ints, Ints]], label: str
) -> list[Floats]:
    """Fit on the other folds, and score each: shape ``(units,)`` for each conversation."""
    found: list[Floats] = [np.zeros(0)] * len(talks)
    for train, test in folds:
        own = apart([talks[i] for i in train], [talks[i] for i in test])
        row = np.concatenate([corpus.rows[i] for i in train])[own]
        six = np.concatenate([corpus.six[i] for i in train])[own]
        taken = np.concatenate([talks[i].labels[label] for i in train])[own] > 0
        model = _Fitted(corpus.counts[row], six, taken)
        for place in test:
            counts = corpus.counts[corpus.rows[place]]
            found[place] = model.probabilities(counts, corpus.six[place])
    return found


class _Fitted:
    """Terms, features and regression, fitted to some units."""

    def __init__(self, counts: Any, six: Floats, taken: npt.NDArray[np.bool_]) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler

        total = np.asarray(counts.sum(axis=0)).ravel()
        most = min(_TERMS, np.count_nonzero(total))  # what these units lack is no term
        self._often = np.argsort(-total, kind="stable")[:most]
        self._tfidf = TfidfTransformer().fit(counts[:, self._often])
        self._standard = StandardScaler().fit(six)
        self._model = LogisticRegression(C=1, class_weight="balanced", max_iter=1000)
        self._model.fit(self._columns(counts, six), taken)

    def _columns(self, counts: Any, six: Floats) -> Any:
        from scipy.sparse import csr_array, hstack

        terms = self._tfidf.transform(counts[:, self._often])
        return hstack([terms, csr_array(self._standard.transform(six))]).tocsr()

    def probabilities(self, counts: Any, six: Floats) -> Floats:
        found: Floats = self._model.predict_proba(self._columns(counts, six))[:, 1]
        return found


def _text(sheet: Sheet, unit: Sequence[int]) -> str:
    return "\n".join(sheet.trace.messages[i]["content"] for i in unit)


def _six(texts: Sequence[str]) -> Floats:
    """Place, one over the units since, log of words, digits, a question mark, capitalised words."""
    size = len(texts)
    rows = [
        (
            place / size,
            1 / (1 + size - 1 - place),
            np.log1p(len(text.split())),
            sum(sign.isdigit() for sign in text),
            "?" in text,
            sum(word[0].isupper() for word in text.split()),
        )
        for place, text in enumerate(texts)
    ]
    return np.array(rows, dtype=np.float64)
