"""The scores of `lre`, without coverage: what several units carry counts for each of them."""

from __future__ import annotations

import numpy as np

from lre import selection
from lre.features import reading, word_hashes
from lre.needs import identifiers
from lre.policies.base import Floats, Ints, Mask, View
from lre.policies.scored import Scored


class LreAdditive(Scored):
    """Worth is the needs that a unit is expected to meet; the best per token stay."""

    name = "lre-additive"
    about = "identifier"
    ships = "agent"

    def weights(self, view: View) -> Floats:
        """How likely a later action needs each identifier, and finds it nowhere else."""
        if self not in view.notes:
            view.notes[self] = self.scorer.of(view.standing)
        return view.notes[self]

    def score(self, view: View) -> Floats:
        """How many of its identifiers a later action is expected to need."""
        uses, weights = view.uses, self.weights(view)
        fine = np.rint(weights * selection.FINE)  # whole numbers: a sum in any order is the same
        unit = view.owner[uses.message.values][uses.piece.values]
        pairs = np.sort(unit * max(len(weights), 1) + uses.word.values)
        pairs = pairs[np.diff(pairs, prepend=-1) > 0]  # np.unique hashes, ten times as long
        unit, word = np.divmod(pairs, max(len(weights), 1))
        scores: Floats = np.bincount(unit, fine[word], len(view.units)) / selection.FINE
        return scores

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """Greedy by worth per token."""
        return selection.by_density(scores, costs, limit)

    def explain(self, view: View) -> list[list[tuple[str, float]]]:
        """The identifiers of each unit, each with how likely it is needed, the likeliest first."""
        weights = self.weights(view).tolist()
        likely = dict(zip(view.uses.index.hashes.tolist(), weights, strict=True))
        return [_likeliest(view, unit.messages, likely) for unit in view.units]


def _likeliest(
    view: View, messages: tuple[int, ...], likely: dict[int, float]
) -> list[tuple[str, float]]:
    texts = (reading(view.messages[index]) for index in messages)
    names = sorted(set().union(*map(identifiers, texts)))
    found = zip(names, map(likely.get, word_hashes(names)), strict=True)
    pairs = [(name, weight) for name, weight in found if weight is not None]
    return sorted(pairs, key=lambda pair: -pair[1])
