"""From counts to the figures that are printed, saved and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.bench.loop.study import COUNTS, WHOLE, Studied
from lre.bench.tally import bounds, resamples
from lre.bench.walk import Row

__all__ = ["FIGURES", "result"]

Floats = npt.NDArray[np.float64]

FIGURES: Mapping[str, tuple[str, str]] = {
    "success": ("success", "tasks"),
    "steps": ("steps", "tasks"),
    "thrift": ("fewest", "steps"),
    "refetches": ("refetches", "tasks"),
    "tokens_mean": ("tokens", "steps"),
    "tokens_peak": ("peak", "tasks"),
    "over_budget": ("over", "steps"),
    "compressor_calls": ("calls", "steps"),
    "compressor_failures": ("failures", "steps"),
}
"""Each figure is one count by another, both summed over tasks."""

_AT = {name: place for place, name in enumerate((*COUNTS, "tasks"))}
_COMPARED = ("success", "steps")
_RIVAL = "lre"


def result(studied: Studied, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Give what ``lre bench loop --json`` prints."""
    plan = studied.plan
    drawn = resamples(range(plan.seeds), plan.seed)
    counts = {key: _with_tasks(found) for key, found in studied.counts.items()}
    rows = [
        {
            "level": level,
            "policy": row.policy,
            "granularity": row.granularity,
            "budget": None if row == WHOLE else _number(row.budget),
            "tokens": studied.limits[level].get(row.budget),
            **_figures(found, drawn),
            "fewest": float(found[:, _AT["fewest"]].mean()),
            "lre_leads": _leads(counts, level, row, drawn),
        }
        for (level, row), found in counts.items()
    ]
    return {"rows": rows, "summaries": dict(studied.summaries), "settings": dict(settings)}


def _number(budget: str) -> int | str:
    return int(budget) if budget.isdigit() else budget


def _with_tasks(counts: Floats) -> Floats:
    return np.hstack([counts, np.ones((len(counts), 1))])


def _figures(counts: Floats, drawn: Floats) -> dict[str, Any]:
    """Give every figure, and 95 % intervals by bootstrap over tasks."""
    whole = np.ones((1, len(counts)))
    figures = {name: float(_ratio(counts, name, whole)[0]) for name in FIGURES}
    return {**figures, "interval": {n: bounds(_ratio(counts, n, drawn)) for n in FIGURES}}


def _leads(
    counts: Mapping[tuple[str, Row], Floats], level: str, row: Row, drawn: Floats
) -> dict[str, dict[str, Any]]:
    """Give what `lre` has more than a row at the same budget, paired by task, by granularity.

    For each figure the difference and its interval. The whole history is compared at no budget.
    """
    found: dict[str, dict[str, Any]] = {}
    for (other, ours), theirs in counts.items():
        if (other, ours.policy, ours.budget) == (level, _RIVAL, row.budget) and ours != row:
            both = theirs, counts[level, row]
            found[ours.granularity] = {name: _lead(*both, name, drawn) for name in _COMPARED}
    return found


def _lead(ours: Floats, theirs: Floats, name: str, drawn: Floats) -> dict[str, Any]:
    whole = np.ones((1, len(ours)))
    more, ends = (_ratio(ours, name, some) - _ratio(theirs, name, some) for some in (whole, drawn))
    return {"lead": float(more[0]), "interval": bounds(ends)}


def _ratio(counts: Floats, name: str, drawn: Floats) -> Floats:
    part, whole = FIGURES[name]
    sums = drawn @ counts
    ratio: Floats = sums[:, _AT[part]] / sums[:, _AT[whole]]
    return ratio
