"""From counts to the figures that are printed, saved and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.bench.contenders import contender
from lre.bench.figures import budget_name, percent
from lre.bench.replay import Replayed
from lre.bench.tally import count, figures, intervals, misses_removed, resamples
from lre.bench.walk import Row
from lre.policies import Covering

__all__ = ["brief", "chosen", "nothing_needed", "result", "verdict"]

Floats = npt.NDArray[np.float64]

_WILL_DO = "dropping the oldest will do"
_UNSHOWN = "no gain over dropping the oldest can be shown"
_ENOUGH = 0.99  # step survival of FIFO beyond which there is next to nothing to gain


def result(replayed: Replayed, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Give what ``lre bench replay --json`` prints, but for what was skipped."""
    rows = chosen(replayed)
    whole = next(iter(replayed.counts.values())).sum(axis=0)
    return {
        "rows": _rows(replayed, rows),
        "traces": len(replayed.groups),
        "steps": int(count(whole, "steps")),
        "needed": int(count(whole, "needed")),
        "summaries": dict(replayed.summaries),
        "settings": {**settings, "granularity": _granularities(rows)},
    }


def nothing_needed(replayed: Replayed) -> bool:
    """Tell whether no action takes anything from what came before."""
    whole = next(iter(replayed.counts.values())).sum(axis=0)
    return not (count(whole, "needed") or count(whole, "copied"))


def chosen(replayed: Replayed) -> list[Row]:
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


def _granularities(rows: Sequence[Row]) -> dict[str, str]:
    """Say of each policy that values pieces in which granularity it is reported."""
    kinds: dict[str, dict[str, None]] = {}
    for row in rows:
        if isinstance(contender(row.policy, {}), Covering):
            kinds.setdefault(row.policy, {})[row.granularity] = None
    return {name: ", ".join(found) for name, found in kinds.items()}


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


def brief(found: Mapping[str, Any], policy: str) -> dict[str, Any]:
    """Give a few figures of a result for the card of a scorer: step survival by budget."""
    rows = [row for row in found["rows"] if row["policy"] in ("fifo", policy, "oracle")]
    survival: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["step_survival"] is not None:
            at = survival.setdefault(str(row["budget"]), {})
            at[row["policy"]] = round(row["step_survival"], 4)
    return {"steps": found["steps"], "step_survival": survival}


def verdict(found: Mapping[str, Any], policy: str) -> str:
    """Say in one sentence what a policy gains over FIFO, which took part; or that FIFO will do.

    A gain counts where the paired interval lies above zero, and FIFO survives less than 99 % of
    the steps. Where FIFO misses more and no gain counts, the traces are too few to tell, or none
    is there.
    """
    fifo = {row["budget"]: row["step_survival"] for row in found["rows"] if row["policy"] == "fifo"}
    ours = [row for row in found["rows"] if row["policy"] == policy]
    gains = [row for row in ours if _gains(row, fifo[row["budget"]])]
    rest = [row["budget"] for row in ours if row not in gains]
    few = [budget_name(budget) for budget in rest if (fifo[budget] or 0) < _ENOUGH]
    enough = [budget_name(budget) for budget in rest if (fifo[budget] or 0) >= _ENOUGH]
    if not gains:
        return f"On these traces {_UNSHOWN if few else _WILL_DO}."
    said = [f"{percent(row['misses_removed'])} at {budget_name(row['budget'])}" for row in gains]
    ends = [(few, _UNSHOWN), (enough, _WILL_DO)]
    end = "".join(f"; at {_listed(budgets)} {what}" for budgets, what in ends if budgets)
    spans = ours[0]["granularity"] == "span"
    how = ' That is in spans: use it with granularity="span".' if spans else ""
    return f"Of what fifo misses, {policy} removes {_listed(said)}{end}.{how}"


def _gains(row: Mapping[str, Any], fifo: float | None) -> bool:
    low = row["interval"].get("step_survival_over_fifo", (0, 0))[0]
    return bool(low > 0) and fifo is not None and fifo < _ENOUGH


def _listed(words: Sequence[str]) -> str:
    """Join words as in a sentence.

    >>> _listed(["one"]), _listed(["one", "two", "three"])
    ('one', 'one, two and three')
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
