"""Fitting a scorer: L2 logistic regression, judged on tasks that it never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError, TrainingError
from lre.learn.dataset import Rows, Sampler, Watch, collect
from lre.learn.folds import folds
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["Recipe", "Rowed", "fit", "held_out"]

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

    def learn(self, traces: Sequence[Trace], groups: Sequence[int], watch: Watch = iter) -> Rowed:
        """Sample all sessions; those of one group are never on both sides of a split."""
        return Rowed(self, collect(watch(traces), groups, self.features, self.sampler))

    def wordless(self) -> Recipe:
        """Give the same: no word ever enters these scorers."""
        return self


@dataclass(frozen=True)
class Rowed:
    """What was learnt from, and what comes of it."""

    recipe: Recipe
    rows: Rows

    def about(self) -> dict[str, Any]:
        """Count it, for the card."""
        return {
            "label": self.recipe.label,
            "sessions": self.rows.sessions,
            "units": self.rows.units,
            "rows": len(self.rows.labels),
            "positive": round(float(self.rows.labels.mean()), 4),
        }

    def held_out(self) -> dict[str, Any]:
        """Judge by folds, see `held_out`."""
        return held_out(self.rows, self.recipe.features)

    def scorer(self, card: Mapping[str, Any] | None = None) -> Scorer:
        """Fit to all rows."""
        return fit(self.rows, self.recipe.features, card)


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
            f"too little to learn from: {tasks} task{'s' * (tasks != 1)} with {positive:,} "
            f"examples that were needed later and {negative:,} that were not; it takes 2 tasks and "
            f"{_FEWEST} of each",
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
