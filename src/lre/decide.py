"""From a ledger and rules to what stays: pins, recent window, and the policy's choice."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lre.choose import choose
from lre.contest import Choice, Contest
from lre.errors import SettingError, UnknownNameError
from lre.ledger import Ledger
from lre.messages import Budget, Selection
from lre.oversize import shrunk
from lre.pieces import SPLITTERS
from lre.policies import Policy, View
from lre.receipt import Outcome, Receipt
from lre.remains import Remains

__all__ = ["Eviction", "Rules", "decide"]

OVERSIZE = (None, "span")
Held = Mapping[int, tuple[str, str]]


@dataclass(frozen=True)
class Eviction:
    """What came of it: the messages that stay, and the receipt.

    A message is the caller's own object, or, where spans were cut, a copy without these. What a
    compressor wrote anew is a copy too, and a summary an object of its own; the receipt says
    that not all is verbatim then.
    """

    messages: list[Any]
    dialect: str
    receipt: Receipt = field(repr=False)

    @property
    def selection(self) -> Selection:
        """A decision for each unit."""
        return self.receipt.selection

    @property
    def is_unchanged(self) -> bool:
        """Whether everything stays as it came."""
        return self.receipt.is_unchanged

    @property
    def places(self) -> list[int | None]:
        """For each of `messages` its place in the list that was given; None for a summary."""
        kept: list[int | None] = list(self.selection.kept)
        note = self.receipt.outcome.choice.note
        if note is not None:
            at = bisect_left(self.selection.kept, note.at)
            kept[at:at] = [None] * len(note.entries)
        return kept

    @property
    def remains(self) -> Remains:
        """What later decisions may still choose from."""
        return self.receipt.outcome.remains

    @property
    def over_budget(self) -> bool:
        """Whether pins and recent window alone exceed the budget."""
        return self.receipt.over_budget

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, as ``lre trim --json`` prints it."""
        return {"messages": self.messages, "dialect": self.dialect, **self.receipt.to_dict()}


@dataclass(frozen=True)
class Rules:
    """How much may stay, who decides, and how many of the latest units are kept anyway.

    `granularity` says what stays or goes. Once the budget is passed, `low` of it is filled.
    `oversize` "span" cuts oversized results among what is kept anyway, if that alone exceeds.
    """

    budget: Budget
    policy: Policy
    recent: int
    granularity: str = "unit"
    low: float = 1
    oversize: str | None = None

    def limit(self, ledger: Ledger) -> int:
        """Give the budget in tokens."""
        whole = ledger.total + (ledger.extra if self.budget.scope == "total" else 0)
        return self.budget.tokens(whole)

    def __post_init__(self) -> None:
        if not isinstance(self.recent, int) or isinstance(self.recent, bool) or self.recent < 0:
            raise SettingError(
                f"{self.recent!r} is no number of units", where="recent", remedy="give 0 or more"
            )
        if self.granularity not in SPLITTERS:
            raise UnknownNameError("granularity", self.granularity, SPLITTERS)
        if self.oversize not in OVERSIZE:
            raise UnknownNameError("oversize", self.oversize, map(str, OVERSIZE))
        if not isinstance(self.low, int | float) or not 0 < self.low <= 1:
            raise SettingError(
                f"{self.low!r} is no share of the budget", where="low", remedy="give 0.7, say"
            )


def decide(ledger: Ledger, rules: Rules, remains: Remains | None = None) -> Eviction:
    """Apply the rules to a history as it is now, or to what `remains` of it."""
    remains = remains or Remains()
    view = ledger.view(rules.granularity)
    held = _held(ledger, view, rules.recent)
    alive = remains.alive(view.units)
    free = alive.copy()
    free[list(held)] = False
    costs = remains.left(view.costs, view.owner, ledger.costs)
    limit = rules.limit(ledger)
    older = rules.budget.scope == "older"
    fixed = 0 if older else ledger.extra + int(costs[alive & ~free].sum())
    choice = Choice(None, alive, remains.cuts, remains.lost, remains.note)
    if fixed + costs[free].sum() + (remains.note.cost if remains.note else 0) > limit:
        room = max(int(limit * rules.low) - fixed, 0)
        choice = choose(rules.policy, Contest(ledger, view, free, room, remains))
        choice = replace(choice, kept=choice.kept & alive)
    if fixed > limit and rules.oversize:
        room = limit - ledger.extra
        cuts, lost = shrunk(ledger, rules.policy, alive & ~free, room, choice.lost)
        choice = replace(choice, cuts={**choice.cuts, **cuts}, lost=lost)
    return _eviction(ledger, rules, view, held, choice, limit)


def _eviction(
    ledger: Ledger, rules: Rules, view: View, held: Held, choice: Choice, limit: int
) -> Eviction:
    """Make out what came of it."""
    left = Remains(cuts=choice.cuts).left(view.costs, view.owner, ledger.costs)
    outcome = Outcome(view.units, view.costs, left, choice, held)
    older = rules.budget.scope == "older"
    free = np.ones(len(left), dtype=np.bool_)
    free[list(held)] = not older
    told = 0 if choice.note is None else choice.note.cost
    spent = int(left[choice.kept & free].sum()) + told + (0 if older else ledger.extra)
    receipt = Receipt(
        policy=rules.policy.name,
        before=ledger.total + ledger.extra,
        after=int(left[choice.kept].sum()) + told + ledger.extra,
        limit=limit,
        scope=rules.budget.scope,
        over_budget=spent > limit,
        outcome=outcome,
        heads=[ledger.messages[unit.messages[0]] for unit in view.units],
    )
    stay = np.flatnonzero(choice.kept[view.owner]).tolist()
    entries = [choice.cuts[i].entry if i in choice.cuts else ledger.entries[i] for i in stay]
    if choice.note is not None:
        at = bisect_left(stay, choice.note.at)
        entries[at:at] = choice.note.entries
    return Eviction(entries, ledger.dialect.name, receipt)


def _held(ledger: Ledger, view: View, recent: int) -> dict[int, tuple[str, str]]:
    """Units that stay whatever the policy says, with the reason and what they are pinned for."""
    units, owner = view.units, view.owner
    latest = range(max(len(units) - recent, 0), len(units))
    held = dict.fromkeys(latest, ("recent", ""))
    if len(owner):
        held.setdefault(int(owner[-1]), ("pinned", "latest"))
    held |= {place: ("pinned", "open call") for place, unit in enumerate(units) if unit.open}
    notes = dict.fromkeys(ledger.pins.places(len(ledger)), "caller") | ledger.pinned
    held |= {int(owner[i]): ("pinned", notes[i]) for i in sorted(notes, reverse=True)}
    return held
