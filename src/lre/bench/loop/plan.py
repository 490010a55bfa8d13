"""What the study is of: who takes part, at which levels and budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lre.bench.contenders import contender, learners
from lre.bench.loop.session import Foresight
from lre.bench.walk import Row
from lre.pieces import SPLITTERS
from lre.policies import Covering, Policy
from lre.scorer import Scorer
from lre.tokens import CounterSpec

__all__ = ["SHIPPED", "WHOLE", "Plan", "entrant"]

SHIPPED = "-shipped"
"""Ends the name of a learned policy that takes part with the scorer that ships."""

WHOLE = Row("full", "unit", "")
"""The row of the whole history, which no budget applies to."""


@dataclass(frozen=True)
class Plan:
    """What is measured: policies, levels, budgets as shares of the peak of the whole history.

    `seeds` tasks a level are played, `training` others a level are learnt from.
    """

    policies: Sequence[str]
    levels: Sequence[str]
    budgets: Sequence[str]
    seeds: int = 100
    training: int = 30
    recent: int = 3
    counter: CounterSpec = "o200k"
    seed: int = 0

    def rows(self) -> list[Row]:
        """List what is measured at each level; a policy that values pieces also runs in spans."""
        found = [WHOLE]
        for name in (name for name in self.policies if name != WHOLE.policy):
            kinds = tuple(SPLITTERS) if isinstance(entrant(name, {}), Covering) else ("unit",)
            found += [Row(name, kind, amount) for kind in kinds for amount in self.budgets]
        return found

    def learners(self) -> dict[str, list[str]]:
        """Give the recipes of the scorers to be trained, each with its policies."""
        return learners([name for name in self.policies if not name.endswith(SHIPPED)])

    def ticks(self) -> int:
        """Count the tasks that are played."""
        return len(self.levels) * (self.training + self.seeds)


def entrant(name: str, scorers: Mapping[str, Scorer]) -> Policy:
    """Make a policy that takes part; one that is trained gets the scorer of its recipe.

    >>> entrant("lre-shipped", {}).name
    'lre'

    Raises
    ------
    UnknownNameError
        If there is no such policy.
    """
    if name == Foresight.name:
        return Foresight()
    if name.endswith(SHIPPED):
        return contender(name.removesuffix(SHIPPED), {})
    return contender(name, scorers)
