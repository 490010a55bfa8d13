"""From a ledger and rules to what stays: pins, recent window, and the policy's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lre.errors import SettingError
from lre.features import reading
from lre.ledger import Ledger
from lre.messages import Budget, Decision, Selection, Unit
from lre.policies import Policy
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
    limit = rules.budget.tokens(ledger.total)
    fixed = 0 if rules.budget.scope == "older" else ledger.extra + int(costs[~free].sum())
    scores, fates = None, [_Fate(True, "under budget")] * len(units)
    if fixed + costs[free].sum() > limit:
        scores = rules.policy.score(view)
        chosen = rules.policy.choose(scores[free], costs[free], max(limit - fixed, 0))
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
        texts=[reading(ledger.messages[unit.messages[0]]) for unit in units],
    )
    kept = [ledger.messages[index].raw for index in selection.kept]
    return Eviction(kept, ledger.dialect.name, receipt)


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
    costs: npt.NDArray[np.int64],
    fates: Sequence[_Fate],
    scores: npt.NDArray[np.float64] | None,
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
