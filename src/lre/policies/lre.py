"""Learned relevance: the probability that later steps use a unit again, per token."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

from lre import selection
from lre.features import matrix
from lre.policies.base import Floats, Ints, Mask, View
from lre.scorer import Scorer, shipped


class Lre:
    """Scores with a logistic regression, and keeps the best score per token.

    `scorer` is a `Scorer`, or the path of a file that `lre train` wrote; by default the one
    that ships for agents.
    """

    name = "lre"
    waives: ClassVar[frozenset[int]] = frozenset()
    ships = "agent"

    def __init__(self, scorer: Scorer | str | Path | None = None) -> None:
        self._given = scorer

    @cached_property
    def scorer(self) -> Scorer:
        """The scorer, loaded at first use."""
        if self._given is None:
            return shipped(self.ships)
        return self._given if isinstance(self._given, Scorer) else Scorer.load(self._given)

    def score(self, view: View) -> Floats:
        """The probability of each unit."""
        return self.scorer.probabilities(matrix(view.moment, self.scorer.features))

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """Greedy by probability per token."""
        return selection.by_density(scores, costs, limit)

    def explain(self, view: View) -> list[list[tuple[str, float]]]:
        """What each feature added to the logit of each unit, the weightiest first."""
        values = matrix(view.moment, self.scorer.features)
        return [self.scorer.explain(row) for row in values]
