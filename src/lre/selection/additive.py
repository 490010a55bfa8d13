"""(scores, costs, budget) → what stays. Arrays only: no text, no policies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lre.errors import MissingExtraError

__all__ = ["by_density", "exact", "greedy"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_NODES = 2_000


def greedy(priority: Floats, costs: Ints, limit: int) -> Mask:
    """Take the highest priority first, skipping what no longer fits; ties go to the newer.

    >>> greedy(np.array([3.0, 2.0, 1.0]), np.array([5, 6, 4]), 10).tolist()
    [True, False, True]
    """
    chosen = np.zeros(len(costs), dtype=np.bool_)
    newest_first = np.arange(len(costs))[::-1]
    order = newest_first[np.argsort(-priority[::-1], kind="stable")]
    left = limit
    for index, cost in zip(order.tolist(), costs[order].tolist(), strict=True):
        if cost <= left:
            chosen[index] = True
            left -= cost
    return chosen


def by_density(scores: Floats, costs: Ints, limit: int) -> Mask:
    """Greedy by score per token: within one unit's score of the best (Dantzig, 1957).

    >>> by_density(np.array([0.9, 0.8, 0.7]), np.array([10, 4, 4]), 10).tolist()
    [False, True, True]
    """
    return greedy(scores / np.maximum(costs, 1), costs, limit)


def exact(scores: Floats, costs: Ints, limit: int) -> Mask:
    """Choose the highest sum of scores within the limit, by SciPy's HiGHS.

    A search that grows beyond 2,000 nodes ends with the best that it found, never worse than
    `by_density`. HiGHS may print a line on the process's standard output.

    >>> exact(np.array([0.9, 0.8, 0.7]), np.array([10, 4, 5]), 10).tolist()
    [False, True, True]

    Raises
    ------
    MissingExtraError
        If SciPy is not installed.
    """
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
    except ImportError as error:
        raise MissingExtraError("SciPy", "train") from error
    best = by_density(scores, costs, limit)
    fits = np.flatnonzero((costs <= limit) & (scores > 0))
    if costs[fits].sum() <= limit:
        everything = np.zeros(len(costs), dtype=np.bool_)
        everything[fits] = True
        return everything
    found = milp(
        -scores[fits] / scores[fits].max(),  # HiGHS's tolerances are absolute
        integrality=np.ones(len(fits)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(costs[fits][None, :], ub=limit),
        options={"mip_rel_gap": 0, "node_limit": _NODES},
    )
    if found.x is None:
        return best
    solved = np.zeros(len(costs), dtype=np.bool_)
    taken = fits[np.round(found.x) > 0]
    # HiGHS respects the limit to within a tolerance, this to the token.
    solved[taken] = greedy(scores[taken], costs[taken], limit)
    return solved if scores[solved].sum() > scores[best].sum() else best
