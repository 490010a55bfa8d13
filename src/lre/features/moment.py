"""What is known of each unit at one moment: what its features are made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lre.features.bags import Bags, Words
from lre.features.prefix import Prefix
from lre.messages import Unit
from lre.units import owners

__all__ = ["Moment"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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

    def said(self, name: str) -> Floats:
        """The same over what users say in it; over all its messages, where no user says any."""
        column = self._prefix.column(name) * self._heard
        return np.bincount(self._owner, column, minlength=self.size).astype(np.float64)

    @cached_property
    def bags(self) -> Bags:
        """The words of what is said."""
        message, word = self._prefix.message.values, self._prefix.word.values
        heard = self._heard[message]
        return Bags(self._prefix.hashes[word[heard]], self._owner[message[heard]], self.size)

    @property
    def said_words(self) -> Words:
        """The words of what is said, by hash."""
        return self.bags.words

    @cached_property
    def words(self) -> Bags:
        """All its words, whoever says them, but for function words."""
        kept = self._prefix.telling
        message, word = self._prefix.message.values[kept], self._prefix.word.values[kept]
        return Bags(self._prefix.hashes[word], self._owner[message], self.size)

    @cached_property
    def _heard(self) -> npt.NDArray[np.bool_]:
        said = self._prefix.column("said")
        silent = self.sum("said") == 0
        heard: npt.NDArray[np.bool_] = (said > 0) | silent[self._owner]
        return heard

    def before(self, values: Floats) -> Floats:
        """The value of the unit before each; 0 for the first of a session."""
        same = np.diff(self.session, prepend=-1) == 0
        return np.where(same, np.append(0.0, values)[: self.size], 0)

    def after(self, values: Floats) -> Floats:
        """The value of the unit after each; 0 for the last of a session."""
        same = np.diff(self.session, append=-1) == 0
        return np.where(same, np.append(values, 0.0)[1:], 0)

    def of_session(self, values: Floats) -> Floats:
        """The sum over all units of its session, for each."""
        summed = np.bincount(self.session, values).astype(np.float64)
        return summed[self.session]

    @cached_property
    def session(self) -> Ints:
        """Number of the session that each unit begins in; all the same where none is marked."""
        number = np.cumsum(self._prefix.column("opens")).astype(np.int64)
        first = np.full(self.size, len(number))
        np.minimum.at(first, self._owner, np.arange(len(number)))
        session: Ints = number[first]
        return session
