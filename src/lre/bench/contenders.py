"""Who takes part in a replay, by name: policies, those that are trained first, and the oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from lre.errors import UnknownNameError
from lre.needs import Need
from lre.policies import Policy, Shortening, Summarising, known, names, policy
from lre.policies.oracle import Oracle
from lre.policies.scored import Scored
from lre.scorer import Scorer

__all__ = ["Clairvoyant", "contender", "learners", "recipe_of", "rewrites"]


@runtime_checkable
class Clairvoyant(Protocol):
    """Is told at every step what the next action needs."""

    def foresee(self, need: Need | None) -> Policy:
        """Give a policy that knows it."""
        ...


def contender(name: str, scorers: Mapping[str, Scorer]) -> Policy:
    """Make a policy; one that is trained gets the scorer of its recipe, if there is one.

    >>> contender("fifo", {}).name
    'fifo'

    Raises
    ------
    UnknownNameError
        If there is no such policy.
    """
    if name == Oracle.name:
        return Oracle()
    if not known(name):
        raise UnknownNameError("policy", name, [*names(), Oracle.name])
    made = policy(name)
    scorer = scorers.get(recipe_of(made) or "")
    return made if scorer is None else policy(name, scorer=scorer)


def recipe_of(made: Policy) -> str | None:
    """Name the recipe by which a policy's scorer is trained; None where it has none."""
    return made.ships if isinstance(made, Scored) else None


def rewrites(made: Policy) -> bool:
    """Tell whether a policy writes texts anew.

    >>> rewrites(policy("headroom")), rewrites(policy("lre"))
    (True, False)
    """
    return isinstance(made, Shortening | Summarising)


def learners(chosen: Sequence[str]) -> dict[str, list[str]]:
    """Give the recipes by which policies are trained, each with its policies.

    >>> learners(["fifo", "lre", "lre-paper", "lre-exact"])
    {'agent': ['lre', 'lre-exact'], 'agent-paper': ['lre-paper']}
    """
    found: dict[str, list[str]] = {}
    for name in chosen:
        recipe = recipe_of(contender(name, {}))
        if recipe is not None:
            found.setdefault(recipe, []).append(name)
    return found
