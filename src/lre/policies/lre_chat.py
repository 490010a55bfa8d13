"""Learned relevance for conversations: what later questions are likely about, per token."""

from __future__ import annotations

import numpy as np

from lre import selection
from lre.features import matrix
from lre.policies.base import Floats, Ints, Mask, View
from lre.policies.scored import Scored

__all__ = ["FEATURES", "STYLE", "LreChat"]

STYLE = ("turn_words", "exclaiming", "breaking")
"""Features of how somebody writes, whatever about: see docs/conversations.md."""

FEATURES = (
    "position",
    "speaker",
    "spoken",
    "reply_words",
    "asking",
    "naming",
    "counting",
    "selves",
    "self_share",
    "times",
    "topics",
    "courtesy",
    "novelty",
    "picture",
    "asked",
    "words_before",
    "asks_after",
    "courtesy_after",
    "session_units",
    "outlength",
    "salience",
    "kinship",
    *STYLE,
)


class LreChat(Scored):
    """Keeps the turns, or sessions, that later questions and answers likely take something from.

    A logistic regression over features of what is told, by whom and around what, and over words
    where its scorer has some. `scorer` is a `Scorer`, or the path of a file that
    ``lre train --recipe chat`` wrote; by default the one that ships for conversations.
    """

    name = "lre-chat"
    about = "unit"
    ships = "chat"

    def score(self, view: View) -> Floats:
        """The probability of each unit."""
        return self.scorer.of(view.moment)

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """Greedy by probability per token."""
        return selection.by_density(scores, costs, limit)

    def explain(self, view: View) -> list[list[tuple[str, float]]]:
        """What each feature and word added to the logit of each unit, the weightiest first."""
        scorer = self.scorer
        values = matrix(view.moment, scorer.features)
        words = scorer.terms.explain(view.moment.said_words)
        found = [scorer.explain(row) + said for row, said in zip(values, words, strict=True)]
        return [sorted(parts, key=lambda part: -np.abs(part[1])) for parts in found]
