"""From counts to the figures that are printed, saved and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.bench.replay import Replayed
from lre.bench.tally import count, figures, intervals, misses_removed, resamples
from lre.bench.walk import Row

__all__ = ["result"]

Floats = npt.NDArray[np.float64]


def result(replayed: Replayed, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Give what ``lre bench replay --json`` prints, but for the timelines."""
    chosen = _chosen(replayed)
    whole = next(iter(replayed.counts.values())).sum(axis=0)
    return {
        "rows": _rows(replayed, chosen),
        "traces": len(replayed.groups),
        "steps": int(count(whole, "steps")),
        "needed": int(count(whole, "needed")),
        "settings": {**settings, "granularity": _granularities(chosen, replayed)},
    }


def _chosen(replayed: Replayed) -> list[Row]:
    """Where no granularity was asked for, keep of each policy the one that survives more steps."""
    rows = list(replayed.counts)
    if replayed.plan.granularities:
        return rows
    best: dict[str, str] = {}
    for name in dict.fromkeys(row.policy for row in rows):
        kinds = list(dict.fromkeys(row.granularity for row in rows if row.policy == name))
        best[name] = max(kinds, key=lambda kind: _survived(replayed, name, kind))
    return [row for row in rows if row.granularity == best[row.policy]]


def _survived(replayed: Replayed, name: str, kind: str) -> float:
    counts = [c for row, c in replayed.counts.items() if row[:2] == (name, kind)]
    return sum(count(one.sum(axis=0), "whole") for one in counts)


def _granularities(chosen: Sequence[Row], replayed: Replayed) -> dict[str, str]:
    """Say in which granularity a policy ran where it could run in several."""
    if replayed.plan.granularities:
        return {}
    several = {row.policy for row in replayed.counts if row.granularity == "span"}
    return {row.policy: row.granularity for row in chosen if row.policy in several}


def _rows(replayed: Replayed, rows: Sequence[Row]) -> list[dict[str, Any]]:
    places = np.unique(replayed.groups, return_inverse=True)[1]
    drawn = resamples(replayed.groups, replayed.plan.seed)
    counts = {row: _by_group(found, places) for row, found in replayed.counts.items()}
    fifo = {row.budget: found for row, found in counts.items() if row.policy == "fifo"}
    return [
        {
            "policy": row.policy,
            "granularity": row.granularity,
            "budget": int(row.budget) if row.budget.isdigit() else row.budget,
            **_figures(counts[row], fifo.get(row.budget), drawn),
            "tokens_peak": replayed.peaks[row],
        }
        for row in rows
    ]


def _figures(ours: Floats, fifo: Floats | None, drawn: Floats) -> dict[str, Any]:
    made = figures(ours.sum(axis=0))
    theirs = None if fifo is None else figures(fifo.sum(axis=0))["step_survival"]
    removed = misses_removed(made["step_survival"], theirs)
    return {**made, "misses_removed": removed, "interval": intervals(ours, fifo, drawn)}


def _by_group(counts: Floats, places: npt.NDArray[np.int64]) -> Floats:
    summed = np.zeros((int(places.max()) + 1, counts.shape[1]))
    np.add.at(summed, places, counts)
    return summed
