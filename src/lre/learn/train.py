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
from lre.policies.lre_paper import FEATURES as PAPER_FEATURES
from lre.scorer import Scorer

__all__ = ["RECIPES", "Recipe", "fit", "held_out"]

Ints = npt.NDArray[np.int64]

_FOLDS = 5
_CONSTANT = 1e-9  # a spread that is no more than rounding
_FEWEST = 20  # rows of each class, and at least two tasks: less is noise


@dataclass(frozen=True)
class Recipe:
    """What a scorer is made from: features, and how sessions become rows."""

    features: Sequence[str]
    sampler: Sampler


RECIPES: Mapping[str, Recipe] = {
    "agent": Recipe(tuple(FEATURES), at_moments),
    "agent-paper": Recipe(PAPER_FEATURES, once),
}
"""`agent` makes scorers for the policy `lre`, `agent-paper` for `lre-paper`."""


def fit(rows: Rows, features: Sequence[str], card: Mapping[str, Any] | None = None) -> Scorer:
    """Fit a scorer to all rows, features standardised, C = 1.

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
    mean, scale = rows.values.mean(axis=0), rows.values.std(axis=0)
    scale[scale < _CONSTANT] = 1
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit((rows.values - mean) / scale, rows.labels)
    weight, bias = model.coef_[0], float(model.intercept_[0])
    return Scorer(tuple(features), mean, scale, weight, bias, card or {})


def held_out(rows: Rows, features: Sequence[str]) -> dict[str, Any]:
    """Judge by five folds, no task in two of them: the mean AUC of the moments.

    `auc_fifo` is that of recency. A moment whose units are all of one class has no AUC and is
    left out; `moments` counts the others. Where none is left, both are None.

    Raises
    ------
    TrainingError, MissingExtraError
        As `fit`; a fold, too, can hold too little.
    """
    refuse_little(rows)
    scores = np.empty(len(rows.labels))
    folds = _folds(rows.task)
    for train, test in folds:
        part = replace(
            rows, values=rows.values[train], labels=rows.labels[train], task=rows.task[train]
        )
        scores[test] = fit(part, features).probabilities(rows.values[test])
    pairs = _aucs(rows, scores)
    ours, fifo = np.mean(pairs, axis=0).round(4).tolist() if pairs else (None, None)
    return {"folds": len(folds), "moments": len(pairs), "auc": ours, "auc_fifo": fifo}


def refuse_little(rows: Rows) -> None:
    """Raise `TrainingError` if there is too little to learn from."""
    positive = int(rows.labels.sum())
    negative = len(rows.labels) - positive
    tasks = len(np.unique(rows.task))
    if min(positive, negative) < _FEWEST or tasks < 2:
        raise TrainingError(
            f"too little to learn from: {tasks} tasks with {positive} re-used and {negative} other "
            f"units, of the needed 2, {_FEWEST} and {_FEWEST}",
            remedy="add sessions, above all long ones",
        )


def _folds(task: Ints) -> list[tuple[Ints, Ints]]:
    from sklearn.model_selection import GroupKFold

    splitter = GroupKFold(min(_FOLDS, len(np.unique(task))))
    return list(splitter.split(task, groups=task))


def _aucs(rows: Rows, scores: npt.NDArray[np.float64]) -> list[tuple[float, float]]:
    """AUC of the scores and of recency, for each moment that has both classes."""
    from sklearn.metrics import roc_auc_score

    parts = np.split(np.arange(len(scores)), np.flatnonzero(np.diff(rows.moment)) + 1)
    return [
        (roc_auc_score(rows.labels[part], scores[part]), roc_auc_score(rows.labels[part], part))
        for part in parts
        if 0 < rows.labels[part].sum() < len(part)
    ]
