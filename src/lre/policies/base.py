"""What a policy is: a score for each unit, and a choice among those that compete."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from lre.features import Moment
from lre.messages import Message, Unit

__all__ = ["LAWS", "Explaining", "Floats", "Ints", "Mask", "Policy", "View"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


LAWS: Mapping[int, str] = {
    1: "verbatim",
    2: "valid",
    3: "within budget",
    4: "under budget nothing changes",
    5: "causal",
    6: "deterministic and idempotent",
    7: "pure",
    8: "incremental = batch",
}
"""What eviction promises, by number; `lre.testing.laws` checks it, a policy may waive some."""


@dataclass(frozen=True)
class View:
    """The history at one moment, as a policy sees it: nothing of it lies in the future.

    `owner` is the place of each message's unit, `costs` are the tokens of each unit. `moment` is
    made at first use, so that a policy that reads no features pays for none.
    """

    messages: Sequence[Message]
    units: Sequence[Unit]
    owner: Ints
    costs: Ints
    look: Callable[[Sequence[Unit]], Moment]

    @cached_property
    def moment(self) -> Moment:
        """What features are made of."""
        return self.look(self.units)


@runtime_checkable
class Policy(Protocol):
    """Decides what stays.

    `name` is how it is called, `waives` the laws that it does not keep (`full`: 3).
    """

    name: str
    waives: ClassVar[frozenset[int]]

    def score(self, view: View) -> Floats:
        """Give every unit a finite number, for the receipt and for `choose`: shape ``(units,)``."""
        ...

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """Say which of the units that compete stay, within `limit` tokens.

        These are the units that are neither pinned nor recent, in order; `scores`, `costs` and
        the answer have one entry for each.
        """
        ...


@runtime_checkable
class Explaining(Protocol):
    """A policy that can take its scores apart."""

    def explain(self, view: View) -> list[list[tuple[str, float]]]:
        """For each unit, what each feature added to its score, the weightiest first."""
        ...
