"""From a ledger and rules to what stays: pins, recent window, and the policy's choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lre.errors import SettingError
from lre.ledger import Ledger
from lre.messages import Budget, Selection
from lre.policies import Policy, View
from lre.policies.base import Floats, Mask
from lre.receipt import Outcome, Receipt

__all__ = ["Eviction", "Rules", "decide"]


@dataclass(frozen=True)
class Eviction:
    """What came of it: the messages that stay, the caller's own objects, and the receipt."""

    messages: list[Any]
    dialect: str
    receipt: Receipt = field(repr=False)

    @property
    def selection(self) -> Selection:
        """A decision for each unit."""
        return self.receipt.selection

    @property
    def over_budget(self) -> bool:
        """Whether pins and recent window alone exceed the budget."""
        return self.receipt.over_budget

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, as ``lre trim --json`` prints it."""
        return {"messages": self.messages, "dialect": self.dialect, **self.receipt.to_dict()}


@dataclass(frozen=True)
class Rules:
    """How much may stay, who decides, and how many of the latest units are kept anyway."""

    budget: Budget
    policy: Policy
    recent: int

    def limit(self, ledger: Ledger) -> int:
        """Give the budget in tokens."""
        whole = ledger.total + (ledger.extra if self.budget.scope == "total" else 0)
        return self.budget.tokens(whole)

    def __post_init__(self) -> None:
        if not isinstance(self.recent, int) or isinstance(self.recent, bool) or self.recent < 0:
            raise SettingError(
                f"{self.recent!r} is no number of units", where="recent", remedy="give 0 or more"
            )


def decide(ledger: Ledger, rules: Rules) -> Eviction:
    """Apply the rules to a history as it is now."""
    view = ledger.view()
    held = _held(ledger, view, rules.recent)
    free = np.ones(len(view.units), dtype=np.bool_)
    free[list(held)] = False
    limit = rules.limit(ledger)
    fixed = 0 if rules.budget.scope == "older" else ledger.extra + int(view.costs[~free].sum())
    scores, kept = None, np.ones(len(free), dtype=np.bool_)
    if fixed + view.costs[free].sum() > limit:
        scores, kept[free] = _ask(rules.policy, view, free, max(limit - fixed, 0))
    receipt = Receipt(
        policy=rules.policy.name,
        before=ledger.total + ledger.extra,
        after=int(view.costs[kept].sum()) + ledger.extra,
        limit=limit,
        scope=rules.budget.scope,
        over_budget=bool(fixed + view.costs[free & kept].sum() > limit),
        outcome=Outcome(view.units, view.costs, scores, kept, held),
        heads=[ledger.messages[unit.messages[0]] for unit in view.units],
    )
    stay = np.flatnonzero(kept[view.owner]).tolist()
    return Eviction([ledger.entries[i] for i in stay], ledger.dialect.name, receipt)


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


def _ask(policy: Policy, view: View, free: Mask, room: int) -> tuple[Floats, Mask]:
    """Let the policy choose; one that miscounts would evict the wrong units, or none."""
    scores = _numbers(policy.score(view))
    if scores is None or scores.shape != free.shape or not np.isfinite(scores).all():
        raise _miscounted(policy, "scores", len(free))
    if not free.any():
        return scores, np.empty(0, dtype=np.bool_)
    chosen = np.asarray(policy.choose(scores[free], view.costs[free], room))
    if chosen.shape != (free.sum(),) or chosen.dtype != np.bool_:
        raise _miscounted(policy, "a choice", int(free.sum()))
    return scores, chosen


def _numbers(values: object) -> Floats | None:
    """Copy scores, for the policy may use its array again; None if they are no numbers."""
    try:
        given = np.array(values)
        return None if np.iscomplexobj(given) else given.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _miscounted(policy: Policy, what: str, units: int) -> SettingError:
    return SettingError(
        f"policy {policy.name!r} gave {what} that cannot be used for {units} units",
        where="policy",
        remedy="give one finite score, and one True or False, for each",
    )
