"""Hindsight labels: what the future says of each unit. Only this room reads the future."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lre.messages import Message, Unit
from lre.needs import carried

__all__ = ["Reuse"]

_AGAIN = 3  # later units, arXiv 2606.20954


class Reuse:
    """The paper's label: an identifier that the unit introduces is re-used by three later units.

    Asked at a moment, "later" means after that moment.

    >>> from lre.messages import Text
    >>> said = [Message("user", (Text(t),)) for t in ("id A1B2", "A1B2", "so A1B2", "A1B2?")]
    >>> label = Reuse(said, [Unit((i,), "user") for i in range(4)])
    >>> label.after(1).tolist(), label.after(2).tolist()
    ([True], [False, False])
    """

    def __init__(self, messages: Sequence[Message], units: Sequence[Unit]) -> None:
        carriers: dict[str, list[int]] = {}
        for place, unit in enumerate(units):
            for word in set().union(*(carried(messages[index]) for index in unit.messages)):
                carriers.setdefault(word, []).append(place)
        self._carriers = [places for places in carriers.values() if len(places) > _AGAIN]

    def after(self, size: int) -> npt.NDArray[np.bool_]:
        """Label the first `size` units by what comes after them: shape ``(size,)``."""
        labels = np.zeros(size, dtype=np.bool_)
        for places in self._carriers:
            if places[0] < size <= places[-_AGAIN]:
                labels[places[0]] = True
        return labels

    def after_each(self, size: int) -> npt.NDArray[np.bool_]:
        """Label each of `size` units by what comes after itself, as the paper does."""
        labels = np.zeros(size, dtype=np.bool_)
        labels[[places[0] for places in self._carriers]] = True
        return labels
