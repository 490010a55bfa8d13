"""From a ledger and rules to what stays: pins, recent window, and the policy's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from lre.errors import SettingError
from lre.features import reading
from lre.ledger import Ledger
from lre.messages import Budget, Decision, Message, Reasoning, Selection, Unit
from lre.policies import Policy, View
from lre.policies.base import Floats, Ints, Mask
from lre.receipt import Receipt

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
        return self.selection.over_budget

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


class _Fate(NamedTuple):
    """Whether a unit stays, why, and what it is pinned for."""

    stays: bool
    reason: str
    note: str = ""


def decide(ledger: Ledger, rules: Rules) -> Eviction:
    """Apply the rules to a history as it is now."""
    view = ledger.view()
    units, costs = view.units, view.costs
    held = _held(ledger, units, rules.recent)
    free = np.array([fate is None for fate in held], dtype=np.bool_)
    limit = rules.limit(ledger)
    fixed = 0 if rules.budget.scope == "older" else ledger.extra + int(costs[~free].sum())
    scores, fates = None, [_Fate(True, "under budget")] * len(units)
    if fixed + costs[free].sum() > limit:
        scores, chosen = _ask(rules.policy, view, free, max(limit - fixed, 0))
        verdicts = iter(chosen.tolist())
        fates = [fate or _chosen(next(verdicts)) for fate in held]
    stays = np.array([fate.stays for fate in fates], dtype=np.bool_)
    over = bool(fixed + costs[free & stays].sum() > limit)
    selection = Selection(tuple(_decisions(units, costs, fates, scores)), over)
    receipt = Receipt(
        selection,
        rules.policy.name,
        before=ledger.total + ledger.extra,
        after=int(costs[stays].sum()) + ledger.extra,
        limit=limit,
        scope=rules.budget.scope,
        texts=[_says(ledger.messages[unit.messages[0]]) for unit in units],
    )
    kept = [ledger.messages[index].raw for index in selection.kept]
    return Eviction(kept, ledger.dialect.name, receipt)


def _says(message: Message) -> str:
    """What a unit says to a reader: thoughts only where there is nothing else."""
    spoken = tuple(part for part in message.parts if not isinstance(part, Reasoning))
    return reading(replace(message, parts=spoken) if spoken else message)


def _ask(policy: Policy, view: View, free: Mask, room: int) -> tuple[Floats, Mask]:
    """Let the policy choose; one that miscounts would evict the wrong units, or none."""
    scores = np.asarray(policy.score(view))
    if scores.shape != free.shape or not np.isfinite(scores).all():
        raise _miscounted(policy, "scores", len(free))
    chosen = np.asarray(policy.choose(scores[free], view.costs[free], room))
    if chosen.shape != (free.sum(),) or chosen.dtype != np.bool_:
        raise _miscounted(policy, "a choice", int(free.sum()))
    return scores, chosen


def _miscounted(policy: Policy, what: str, units: int) -> SettingError:
    return SettingError(
        f"policy {policy.name!r} gave {what} that does not fit {units} units",
        where="policy",
        remedy="give one finite score, and one True or False, for each",
    )


def _held(ledger: Ledger, units: Sequence[Unit], recent: int) -> list[_Fate | None]:
    """What stays whatever the policy says; None for the units that compete."""
    notes = ledger.pinned | dict.fromkeys(ledger.pins.places(len(ledger)), "caller")
    latest = len(ledger) - 1
    held: list[_Fate | None] = []
    for place, unit in enumerate(units):
        note = next((notes[i] for i in unit.messages if i in notes), "")
        note = note or "open call" * unit.open or "latest" * (latest in unit.messages)
        if place >= len(units) - recent and note in ("", "latest"):
            held.append(_Fate(True, "recent"))
        else:
            held.append(_Fate(True, "pinned", note) if note else None)
    return held


def _chosen(stays: bool) -> _Fate:
    return _Fate(True, "selected") if stays else _Fate(False, "no room")


def _decisions(
    units: Sequence[Unit],
    costs: Ints,
    fates: Sequence[_Fate],
    scores: Floats | None,
) -> list[Decision]:
    return [
        Decision(
            unit=place,
            messages=unit.messages,
            verdict="kept" if fate.stays else "evicted",
            reason=fate.reason,
            score=None if scores is None else float(scores[place]),
            tokens=int(costs[place]),
            note=fate.note,
        )
        for place, (unit, fate) in enumerate(zip(units, fates, strict=True))
    ]
