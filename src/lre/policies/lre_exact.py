"""Learned relevance with the best possible choice."""

from __future__ import annotations

from lre import selection
from lre.policies.base import Floats, Ints, Mask
from lre.policies.lre import Lre


class LreExact(Lre):
    """The scores of `lre`, chosen for the highest sum: exact, and too slow for a hot path."""

    name = "lre-exact"

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """The highest sum of scores within the limit."""
        return selection.exact(scores, costs, limit)
