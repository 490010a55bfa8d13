"""What is known of each identifier at one moment: what its features are made of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lre.features.uses import Uses

__all__ = ["Standing"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Standing:
    """Identifiers as they are now; arrays have shape ``(identifiers,)``.

    `owner` gives the place of each message's unit, `size` the number of units.
    """

    def __init__(self, uses: Uses, owner: Ints, size: int) -> None:
        self.uses, self.owner, self.units = uses, owner, size
        self.size = len(uses.first)

    @property
    def spread(self) -> Floats:
        """How many units carry it."""
        return self.uses.units.values.astype(np.float64)

    @property
    def age(self) -> Floats:
        """How many units came since the last that carries it."""
        return self._since(self.uses.last.values)

    @property
    def lifetime(self) -> Floats:
        """How many units came since the first that carries it."""
        return self._since(self.uses.first.values)

    @property
    def acts(self) -> Floats:
        """How many units act with it."""
        return self.uses.acts.values.astype(np.float64)

    @property
    def idle(self) -> Floats:
        """How many units came since the last that acts with it; 0 where none does."""
        acted = self.uses.acted.values
        idle: Floats = np.where(acted < 0, 0, self._since(acted))
        return idle

    def _since(self, message: Ints) -> Floats:
        since: Floats = (self.units - 1 - self.owner[message]).astype(np.float64)
        return since
