"""What of a conversation the studies measure on: its units, their price, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lre.policies import Policy
from lre.traces import Trace

__all__ = ["Asked", "Ranked", "Sheet"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """A question; `evidence` are the places of the units that hold its answer, ascending."""

    text: str
    answer: str
    category: str
    evidence: tuple[int, ...]
    asked: str = ""


@dataclass(frozen=True)
class Sheet:
    """A conversation: `units` are the messages of each unit, `costs` its tokens.

    `fold` is the fold that it is tested in.
    """

    trace: Trace
    units: Sequence[tuple[int, ...]]
    costs: Ints
    asked: tuple[Asked, ...]
    fold: int

    @property
    def gold(self) -> Mask:
        """Which units are evidence of any question: shape ``(units,)``."""
        gold = np.zeros(len(self.units), dtype=np.bool_)
        gold[[place for one in self.asked for place in one.evidence]] = True
        return gold


@dataclass(frozen=True)
class Ranked:
    """What a policy makes of each sheet: `scores` have shape ``(units,)`` each.

    `policy` chooses by them; `note` says in one line how it was trained, or what it needs.
    """

    name: str
    policy: Policy
    scores: Sequence[Floats]
    note: str = ""
