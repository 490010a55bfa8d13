"""What is known of each unit at one moment: what its features are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lre.features.prefix import Prefix
from lre.messages import Unit
from lre.units import owners

__all__ = ["Moment"]

Floats = npt.NDArray[np.float64]


class Moment:
    """A history as it is now; arrays have shape ``(units,)``.

    `size` is the number of units, `place` that of the units before each.
    """

    def __init__(self, prefix: Prefix, units: Sequence[Unit]) -> None:
        self._prefix = prefix
        self._owner = owners(units, len(prefix))
        self.size = len(units)
        self.place = np.arange(self.size, dtype=np.float64)

    def sum(self, name: str) -> Floats:
        """One of the prefix's counts, added up over the messages of each unit."""
        column = self._prefix.column(name)
        return np.bincount(self._owner, column, minlength=self.size).astype(np.float64)
