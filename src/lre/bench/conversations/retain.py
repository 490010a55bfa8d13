"""How much evidence each policy keeps within a budget: PROTOCOL, section 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lre.bench.conversations.sheet import Floats, Mask, Ranked, Sheet
from lre.bench.conversations.sums import about, bounds, means
from lre.bench.tally import misses_removed, resamples
from lre.messages import Budget

__all__ = ["METRICS", "retain"]

_COUNTS = ("conversations", "questions", "found", "whole", "tokens", "units")
_AT = {name: place for place, name in enumerate(_COUNTS)}

METRICS: Mapping[str, tuple[str, str]] = {
    "evidence_kept": ("found", "questions"),
    "questions_whole": ("whole", "questions"),
    "tokens_mean": ("tokens", "conversations"),
    "units_mean": ("units", "conversations"),
}
"""Each figure is a sum over a sum: over questions that have evidence, or over conversations."""


def retain(
    dataset: str,
    sheets: Sequence[Sheet],
    ranked: Sequence[Ranked],
    budgets: Sequence[str],
    seed: int = 0,
) -> dict[str, Any]:
    """Give what ``lre bench retain --json`` prints, but for the settings.

    Nothing is pinned and no window is recent. `budgets` are tokens, or shares of those of a
    conversation such as ``"10%"``. Intervals are bootstrapped over conversations, paired where
    they are of a difference to FIFO.
    """
    drawn = resamples(range(len(sheets)), seed)
    counts = {(one.name, amount): _all(sheets, one, amount) for one in ranked for amount in budgets}
    rows = [
        {
            "policy": name,
            "budget": int(amount) if amount.isdigit() else amount,
            **_figures(ours, counts.get(("fifo", amount)), drawn),
        }
        for (name, amount), ours in counts.items()
    ]
    return {**about(dataset, sheets, ranked), "with_evidence": _with_evidence(sheets), "rows": rows}


def _with_evidence(sheets: Sequence[Sheet]) -> int:
    return sum(bool(one.evidence) for sheet in sheets for one in sheet.asked)


def _all(sheets: Sequence[Sheet], one: Ranked, amount: str) -> Floats:
    """Count every conversation: shape ``(conversations, counts)``."""
    budget = Budget.of(older_budget=amount)
    made = []
    for sheet, scores in zip(sheets, one.scores, strict=True):
        limit = budget.tokens(int(sheet.costs.sum()))
        made.append(_count(sheet, one.policy.choose(scores, sheet.costs, limit)))
    return np.array(made)


def _count(sheet: Sheet, kept: Mask) -> list[float]:
    """Count what is kept, in the order of `_COUNTS`."""
    shares = [kept[list(one.evidence)].mean() for one in sheet.asked if one.evidence]
    whole = sum(share == 1 for share in shares)
    return [1, len(shares), sum(shares), whole, int(sheet.costs[kept].sum()), int(kept.sum())]


def _figures(ours: Floats, fifo: Floats | None, drawn: Floats) -> dict[str, Any]:
    made, spread = _pooled(ours), _drawn(ours, drawn)
    interval = {name: bounds(values) for name, values in spread.items()}
    removed = None
    if fifo is not None:
        removed = misses_removed(made["questions_whole"], _pooled(fifo)["questions_whole"])
        interval |= _against(spread, _drawn(fifo, drawn))
    known = {name: ends for name, ends in interval.items() if ends}
    return {**made, "misses_removed": removed, "interval": known}


def _pooled(counts: Floats) -> dict[str, float | None]:
    once = _drawn(counts, np.ones((1, len(counts))))
    return {name: None if np.isnan(one[0]) else float(one[0]) for name, one in once.items()}


def _drawn(counts: Floats, drawn: Floats) -> dict[str, Floats]:
    return {
        name: means(counts[:, _AT[part]], counts[:, _AT[whole]], drawn)
        for name, (part, whole) in METRICS.items()
    }


def _against(ours: Mapping[str, Floats], fifo: Mapping[str, Floats]) -> dict[str, Any]:
    """Give the intervals of what is gained over FIFO."""
    gains = {
        f"{name}_over_fifo": bounds(ours[name] - fifo[name])
        for name in ("evidence_kept", "questions_whole")
    }
    missed, left = 1 - fifo["questions_whole"], 1 - ours["questions_whole"]
    with np.errstate(divide="ignore", invalid="ignore"):
        removed = np.where(missed > 0, 1 - left / missed, np.nan)
    return {**gains, "misses_removed": bounds(removed)}
