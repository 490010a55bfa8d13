"""How well the scores of each policy rank evidence: PROTOCOL, section 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lre.bench.conversations.sheet import Floats, Mask, Ranked, Sheet
from lre.bench.conversations.sums import about, bounds, means
from lre.bench.tally import resamples
from lre.errors import LogError, MissingExtraError

__all__ = ["BASELINES", "SELF_SUPERVISED", "auc", "rank"]

BASELINES = ("salience", "fifo")
"""Of the lead over these an interval is given."""

SELF_SUPERVISED: Mapping[str, str] = {
    "lre-self": "lre",
    "lre-self-answers": "lre",
    "lre-self-replies": "lre",
    "lre-self-paper": "lre",
    "lre-paper-self": "lre-paper",
}
"""What learns without annotation, and what learns the same from gold evidence."""

Aucs = Mapping[str, Floats]


def auc(gold: Mask, scores: Floats) -> float:
    """Give the chance that a unit of evidence scores above another; ties count half.

    `gold` and `scores` have shape ``(units,)``; both kinds have to be among the units.

    >>> auc(np.array([True, False, False]), np.array([0.5, 0.5, 0.1]))
    0.75

    Raises
    ------
    MissingExtraError
        If SciPy is not installed.
    """
    try:
        from scipy.stats import rankdata
    except ImportError as error:
        raise MissingExtraError("SciPy", "train") from error
    yes, no = int(gold.sum()), int((~gold).sum())
    # Mann and Whitney's U, from mean ranks, over the number of pairs.
    return float((rankdata(scores)[gold].sum() - yes * (yes + 1) / 2) / (yes * no))


def rank(
    dataset: str, sheets: Sequence[Sheet], ranked: Sequence[Ranked], seed: int = 0
) -> dict[str, Any]:
    """Give what ``lre bench rank --json`` prints, but for the settings.

    A conversation all of whose units are evidence, or none, is left out and counted. Intervals
    are bootstrapped over conversations, those of leads and of recovery paired.

    Raises
    ------
    LogError
        If every conversation is left out.
    """
    both = [place for place, sheet in enumerate(sheets) if 0 < sheet.gold.sum() < len(sheet.units)]
    if not both:
        raise LogError("no conversation has evidence", where=dataset, remedy="give another file")
    aucs = {
        one.name: np.array([auc(sheets[i].gold, one.scores[i]) for i in both]) for one in ranked
    }
    ones = np.ones(len(both))
    drawn = resamples(range(len(both)), seed)
    samples = {name: means(values, ones, drawn) for name, values in aucs.items()}
    middle = {name: values.mean(keepdims=True) for name, values in aucs.items()}
    recoveries, spreads = _recoveries(middle), _recoveries(samples)
    return {
        **about(dataset, sheets, ranked),
        "left_out": len(sheets) - len(both),
        "macro_auc": {name: float(value[0]) for name, value in middle.items()},
        "recovery": _first(recoveries.get("lre-self")),
        "recoveries": {name: _first(value) for name, value in recoveries.items()},
        "lead": _leads(middle, samples),
        "folds": _by_fold(aucs, [sheets[i].fold for i in both]),
        "per_conversation": {name: values.tolist() for name, values in aucs.items()},
        "interval": {
            "macro_auc": {name: bounds(values) for name, values in samples.items()},
            "recovery": bounds(spreads.get("lre-self", np.array([]))),
            "recoveries": {name: bounds(values) for name, values in spreads.items()},
        },
    }


def _recoveries(aucs: Aucs) -> dict[str, Floats]:
    """Give the share of what gold evidence teaches that is learnt without it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            name: (aucs[name] - 0.5) / (aucs[gold] - 0.5)
            for name, gold in SELF_SUPERVISED.items()
            if name in aucs and gold in aucs
        }


def _first(values: Floats | None) -> float | None:
    return None if values is None or not np.isfinite(values[0]) else float(values[0])


def _leads(middle: Aucs, samples: Aucs) -> dict[str, dict[str, Any]]:
    return {
        base: {
            name: {
                "value": float(middle[name][0] - middle[base][0]),
                "interval": bounds(samples[name] - samples[base]),
            }
            for name in samples
            if name != base
        }
        for base in BASELINES
        if base in samples
    }


def _by_fold(aucs: Aucs, folds: Sequence[int]) -> dict[str, list[float]]:
    """Give the mean of every fold, in the order of their numbers."""
    of = np.array(folds)
    numbers = np.unique(of)
    return {name: [float(v[of == one].mean()) for one in numbers] for name, v in aucs.items()}
