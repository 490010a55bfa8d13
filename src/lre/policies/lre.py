"""Learned relevance: what later actions need, kept once, per token."""

from __future__ import annotations

import numpy as np

from lre.policies.base import Floats, View
from lre.policies.lre_additive import LreAdditive
from lre.selection import Cover

_COPIED = 0.03  # worth of a hundred bytes of speech, a unit old
_RESULTS = 0.05  # share of it that the bytes of a result are worth
_LEAST = 1e-6


class Lre(LreAdditive):
    """Keeps what carries the identifiers that later actions likely need, each of them once.

    A logistic regression says of every identifier how likely a later action needs it. `scorer`
    is a `Scorer`, or the path of a file that `lre train` wrote; by default the one that ships
    for agents.
    """

    name = "lre"

    def cover(self, view: View) -> Cover:
        """Identifiers by their probability, and a little for the words themselves.

        Actions copy what was said far more often than what came back, and soon or not at all
        (docs/decisions/0009): this is what keeps plain words, and fills the room that is left.
        """
        uses = view.uses
        return Cover(uses.piece.values, uses.word.values, self.weights(view), _words(view))


def _words(view: View) -> Floats:
    """What pieces are worth beside their identifiers: shape ``(pieces,)``."""
    message = view.uses.message.values
    age = len(view.units) - view.owner[message]
    said = np.where(view.uses.result.values[message], _RESULTS, 1)
    worth: Floats = np.minimum(_LEAST + _COPIED * said * view.uses.bytes.values / 100 / age, 1)
    return worth
