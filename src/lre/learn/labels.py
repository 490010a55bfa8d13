"""Hindsight labels: what the future says of units and identifiers. Only this room reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lre.features import Uses
from lre.messages import Message, Unit
from lre.needs import carried

__all__ = ["LABELS", "Future", "Label", "reused"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_AGAIN = 3  # later units, arXiv 2606.20954


def reused(messages: Sequence[Message], units: Sequence[Unit]) -> Mask:
    """Label units as the paper does: three later units re-use an identifier that it introduces.

    >>> from lre.messages import Text
    >>> said = [Message("user", (Text(t),)) for t in ("id A1B2", "A1B2", "so A1B2", "A1B2?")]
    >>> reused(said, [Unit((i,), "user") for i in range(4)]).tolist()
    [True, False, False, False]
    """
    carriers: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        for word in set().union(*(carried(messages[index]) for index in unit.messages)):
            carriers.setdefault(word, []).append(place)
    labels = np.zeros(len(units), dtype=np.bool_)
    labels[[places[0] for places in carriers.values() if len(places) > _AGAIN]] = True
    return labels


class Future:
    """What comes from one message of a session on: where each identifier stands there.

    `word` and `message` say which message carries which identifier, in order, and `acting`
    whether an action says it; `owner` is the unit of each message, `size` counts identifiers.
    """

    def __init__(self, uses: Uses, owner: Ints, start: int) -> None:
        message = uses.message.values[uses.piece.values]
        begin = int(np.searchsorted(message, start))
        self.message, self.owner = message[begin:], owner
        self.word = uses.word.values[begin:]
        self.acting = uses.acting.values[uses.piece.values[begin:]]
        self.size = len(uses.first)


def need(future: Future) -> Mask:
    """An action needs it before anything else brings it back: just then it has to be kept."""
    words, first = np.unique(future.word, return_index=True)
    labels = np.zeros(future.size, dtype=np.bool_)
    labels[words] = future.acting[first]
    return labels


def reuse_in_action(future: Future) -> Mask:
    """An action needs it, sooner or later."""
    labels = np.zeros(future.size, dtype=np.bool_)
    labels[future.word[future.acting]] = True
    return labels


def reuse(future: Future) -> Mask:
    """At least three units carry it: the paper's label, asked of an identifier."""
    units = future.owner[future.message]
    pairs = np.unique(np.stack([future.word, units]), axis=1)
    labels: Mask = np.bincount(pairs[0], minlength=future.size) >= _AGAIN
    return labels


Label = Callable[[Future], Mask]

LABELS: Mapping[str, Label] = {
    "need": need,
    "reuse-in-action": reuse_in_action,
    "reuse": reuse,
}
"""Labels of identifiers by name; each gives shape ``(identifiers,)``."""
