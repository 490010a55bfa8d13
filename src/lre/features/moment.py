"""What is known of each unit at one moment: the sums and states that features are made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lre.features.prefix import Prefix
from lre.messages import Unit
from lre.units import owners

__all__ = ["Moment"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

_NEAR = 5  # units: how far back an identifier counts as in use


class Moment:
    """A history as it is now, one number a unit; arrays have shape ``(units,)``."""

    def __init__(self, prefix: Prefix, units: Sequence[Unit]) -> None:
        self._prefix = prefix
        self.size = len(units)
        self.place = np.arange(self.size, dtype=np.float64)
        self._unit = owners(units, len(prefix)).astype(np.int32)
        self._first = np.array([unit.messages[0] for unit in units], dtype=np.int64)

    def sum(self, name: str) -> Floats:
        """One of the prefix's counts, added up over the messages of each unit."""
        column = self._prefix.column(name)
        return np.bincount(self._unit, column, minlength=self.size).astype(np.float64)

    @property
    def begun(self) -> Floats:
        """How many units had begun when its first message came, whatever has merged since."""
        begun = np.cumsum(self._prefix.opens)[self._first] - 1
        return begun.astype(np.float64)

    @property
    def age(self) -> Floats:
        """How many units came after."""
        return self.size - 1 - self.place

    @property
    def reuse(self) -> Floats:
        """Of the identifiers that the unit introduced: most later units that carry one."""
        return self._greatest(self._later[self._introduced], self._owner[self._introduced])

    @property
    def reused(self) -> Floats:
        """How many identifiers that the unit introduced later units carry."""
        again = self._introduced & (self._later > 0)
        return self._tally(self._owner[again])

    @property
    def sole(self) -> Floats:
        """How many of its identifiers no later unit carries."""
        return self._tally(self._owner[self._seen <= self._owner])

    @property
    def live(self) -> Floats:
        """How many of its identifiers one of the latest five units carries."""
        return self._tally(self._owner[self._seen >= self.size - _NEAR])

    @property
    def idle(self) -> Floats:
        """How many units ago one of its identifiers, or the unit itself, was last there."""
        return self.size - 1 - np.maximum(self._greatest(self._seen, self._owner), self.place)

    @cached_property
    def _owner(self) -> Ints:
        """The unit of each identifier that a message carries."""
        return self._unit[self._prefix.identifiers.message]

    @cached_property
    def _seen(self) -> Ints:
        """The unit that carries it last."""
        return self._unit[self._prefix.index.last[self._prefix.identifiers.word]]

    @cached_property
    def _later(self) -> Ints:
        """How many other units carry it."""
        return self._prefix.index.units[self._prefix.identifiers.word] - np.int32(1)

    @cached_property
    def _introduced(self) -> npt.NDArray[np.bool_]:
        """Whether the message is the first to carry it."""
        message, word = self._prefix.identifiers
        first: npt.NDArray[np.bool_] = self._prefix.index.first[word] == message
        return first

    def _tally(self, owner: Ints) -> Floats:
        return np.bincount(owner, minlength=self.size).astype(np.float64)

    def _greatest(self, values: Ints, owner: Ints) -> Floats:
        greatest = np.zeros(self.size, dtype=np.int32)
        np.maximum.at(greatest, owner, values)
        return greatest.astype(np.float64)
