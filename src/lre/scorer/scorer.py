"""The scorer: standardised features in, probability out; a few KB of versioned JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.errors import ScorerFileError
from lre.features import FEATURES, Moment, Standing, Words
from lre.scorer import file
from lre.scorer.terms import Terms

__all__ = ["Scorer"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scorer:
    """A logistic regression over named features, and over words where there are `terms`.

    `mean`, `scale` and `weight` have shape ``(len(features),)``; `card` says what it was
    trained on, how well it does on held-out sessions, and with which command.

    >>> scorer = Scorer(("recency", "acts"), np.zeros(2), np.ones(2), np.array([-1.0, 2.0]), 0.5)
    >>> scorer.probabilities(np.array([[0.5, 0.0], [0.5, 1.0]])).round(3).tolist()
    [0.5, 0.881]
    >>> scorer.explain(np.array([0.5, 1.0]))
    [('acts', 2.0), ('recency', -0.5)]
    """

    features: tuple[str, ...]
    mean: Floats
    scale: Floats
    weight: Floats
    bias: float
    card: Mapping[str, Any] = field(default_factory=dict)
    terms: Terms = field(default_factory=Terms)

    def probabilities(self, values: Floats, said: Words | None = None) -> Floats:
        """Score rows: `values` has shape ``(rows, len(features))``; the result lies in [0, 1].

        `said` are the words of the rows, without which terms add nothing.
        """
        beside = np.zeros(len(values)) if said is None else self.terms.add(said)
        return self._weigh(values.T, beside)

    def of(self, seen: Moment | Standing) -> Floats:
        """Score all that is seen, a feature at a time: no matrix, and the very same numbers."""
        columns = (FEATURES[name].of(seen) for name in self.features)
        if isinstance(seen, Moment) and len(self.terms):
            return self._weigh(columns, self.terms.add(seen.said_words))
        return self._weigh(columns, np.zeros(seen.size))

    def _weigh(self, columns: Iterable[Floats], beside: Floats) -> Floats:
        logits = self.bias + beside
        terms = zip(columns, self.mean, self.scale, self.weight, strict=True)
        for column, mean, scale, weight in terms:
            logits += (column - mean) / scale * weight
        odds = np.exp(-np.abs(logits))
        positive: Floats = np.where(logits >= 0, 1, odds) / (1 + odds)
        return positive

    def explain(self, values: Floats) -> list[tuple[str, float]]:
        """Split one row's logit by feature, the weightiest first.

        The sum lacks only the bias, and what `terms` add.
        """
        parts = (values - self.mean) / self.scale * self.weight
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(self.features[i], float(parts[i])) for i in order]

    def to_json(self) -> str:
        """Write as text: one line a feature."""
        rows = zip(self.features, self.mean, self.scale, self.weight, strict=True)
        return file.written(rows, self.bias, self.terms.spelt(), self.card)

    @classmethod
    def from_json(cls, text: str | bytes, where: str = "scorer") -> Scorer:
        """Read what `to_json` wrote.

        Raises
        ------
        ScorerFileError
            If the text is no scorer, or one of a later version.
        """
        data = file.parse(text, where)
        rows = file.rows(data, where)
        mean, scale, weight = np.array([row[1:] for row in rows], dtype=np.float64).T
        names = tuple(row[0] for row in rows)
        terms = Terms.of(data.get("terms", {}))
        return cls(names, mean, scale, weight, float(data["bias"]), data.get("card", {}), terms)

    def save(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Scorer:
        """Read a file.

        Raises
        ------
        ScorerFileError
            If there is no such file, or it holds no scorer of this version.
        """
        try:
            return cls.from_json(Path(path).read_bytes(), str(path))
        except OSError as error:
            raise ScorerFileError(
                f"cannot be read ({error.strerror})", where=str(path), remedy="check the path"
            ) from error
