"""Fitting a scorer: L2 logistic regression, judged on tasks that it never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError, TrainingError
from lre.features import FEATURES
from lre.learn.dataset import Rows, Sampler, at_moments, once
from lre.learn.folds import folds
from lre.policies.lre_paper import FEATURES as PAPER_FEATURES
from lre.scorer import Scorer

__all__ = ["RECIPES", "Recipe", "fit", "held_out"]

Ints = npt.NDArray[np.int64]

_FOLDS = 5
_CONSTANT = 1e-9  # a spread that is no more than rounding
_FEWEST = 20  # rows of each class, and at least two tasks: less is noise


@dataclass(frozen=True)
class Recipe:
    """What a scorer is made from: features, how sessions become rows, and what is learned."""

    features: Sequence[str]
    sampler: Sampler
    label: str


_OF_IDENTIFIERS = tuple(name for name, one in FEATURES.items() if one.about == "identifier")

RECIPES: Mapping[str, Recipe] = {
    "agent": Recipe(_OF_IDENTIFIERS, at_moments("need"), "need"),
    "agent-paper": Recipe(PAPER_FEATURES, once, "reuse"),
}
"""`agent` makes scorers for the policy `lre`, `agent-paper` for `lre-paper`."""


def fit(rows: Rows, features: Sequence[str], card: Mapping[str, Any] | None = None) -> Scorer:
    """Fit a scorer to all rows, features standardised, C = 1, each as much as it counts.

    Raises
    ------
    TrainingError
        If there is too little to learn from.
    MissingExtraError
        If scikit-learn is not installed.
    """
    refuse_little(rows)
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "train") from error
    mean = np.average(rows.values, axis=0, weights=rows.weight)
    scale = np.sqrt(np.average((rows.values - mean) ** 2, axis=0, weights=rows.weight))
    scale[scale < _CONSTANT] = 1
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit((rows.values - mean) / scale, rows.labels, rows.weight / rows.weight.mean())
    weight, bias = model.coef_[0], float(model.intercept_[0])
    return Scorer(tuple(features), mean, scale, weight, bias, card or {})


def held_out(rows: Rows, features: Sequence[str]) -> dict[str, Any]:
    """Judge by five folds, no task in two of them: the mean AUC of the moments.

    A moment whose rows are all of one class has no AUC and is left out; `moments` counts the
    others. Where none is left, `auc` is None.

    Raises
    ------
    TrainingError, MissingExtraError
        As `fit`; a fold, too, can hold too little.
    """
    refuse_little(rows)
    scores = np.empty(len(rows.labels))
    parts = folds(rows.group.tolist(), min(_FOLDS, len(np.unique(rows.group))))
    for train, test in parts:
        scores[test] = fit(some(rows, train), features).probabilities(rows.values[test])
    aucs = _aucs(rows, scores)
    mean = round(float(np.mean(aucs)), 4) if aucs else None
    return {"folds": len(parts), "moments": len(aucs), "auc": mean}


def some(rows: Rows, places: Ints) -> Rows:
    """Take some of the rows."""
    columns = ("values", "labels", "group", "moment", "weight")
    return replace(rows, **{name: getattr(rows, name)[places] for name in columns})


def refuse_little(rows: Rows) -> None:
    """Raise `TrainingError` if there is too little to learn from."""
    positive = int(rows.labels.sum())
    negative = len(rows.labels) - positive
    tasks = len(np.unique(rows.group))
    if min(positive, negative) < _FEWEST or tasks < 2:
        raise TrainingError(
            f"too little to learn from: {tasks} tasks with {positive} needed and {negative} other "
            f"rows, of the needed 2, {_FEWEST} and {_FEWEST}",
            remedy="add sessions, above all long ones",
        )


def _aucs(rows: Rows, scores: npt.NDArray[np.float64]) -> list[float]:
    """AUC of the scores, for each moment that has both classes."""
    from sklearn.metrics import roc_auc_score

    parts = np.split(np.arange(len(scores)), np.flatnonzero(np.diff(rows.moment)) + 1)
    return [
        roc_auc_score(rows.labels[part], scores[part])
        for part in parts
        if 0 < rows.labels[part].sum() < len(part)
    ]
