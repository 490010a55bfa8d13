"""What is chosen fits, and is as good as it is said to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.errors import MissingExtraError
from lre.selection import by_density, exact, greedy

SCORES = st.floats(0, 1, allow_nan=False).map(lambda score: round(score, 6))
ITEMS = st.lists(st.tuples(SCORES, st.integers(0, 60)), max_size=9)


def arrays(items: list[tuple[float, int]]) -> tuple[Any, Any]:
    scores = np.array([score for score, _ in items], dtype=np.float64)
    return scores, np.array([cost for _, cost in items], dtype=np.int64)


def best_by_trying_all(items: list[tuple[float, int]], limit: int) -> float:
    best = 0.0
    for number in range(1 << len(items)):
        some = [item for place, item in enumerate(items) if number >> place & 1]
        if sum(cost for _, cost in some) <= limit:
            best = max(best, sum(score for score, _ in some))
    return best


@given(ITEMS, st.integers(0, 150))
def test_nothing_goes_over_the_limit(items: list[tuple[float, int]], limit: int) -> None:
    scores, costs = arrays(items)
    for choose in (greedy, by_density, exact):
        chosen = choose(scores, costs, limit)
        assert chosen.shape == scores.shape
        assert chosen.dtype == np.bool_
        assert costs[chosen].sum() <= limit


@given(ITEMS, st.integers(0, 150), st.integers(-9, 0))
def test_exact_is_the_best_of_all(
    items: list[tuple[float, int]], limit: int, magnitude: int
) -> None:
    """However small scores are: the solver's own tolerance is absolute."""
    scores, costs = arrays([(score * 10.0**magnitude, cost) for score, cost in items])
    value = scores[exact(scores, costs, limit)].sum()
    best = best_by_trying_all(items, limit) * 10.0**magnitude
    assert value == pytest.approx(best, rel=1e-5, abs=0)


@given(ITEMS, st.integers(0, 150))
def test_exact_is_never_below_greedy(items: list[tuple[float, int]], limit: int) -> None:
    scores, costs = arrays(items)
    value = scores[exact(scores, costs, limit)].sum()
    assert value >= scores[by_density(scores, costs, limit)].sum()


@given(ITEMS, st.integers(0, 150))
def test_density_is_within_one_score_of_the_best(
    items: list[tuple[float, int]], limit: int
) -> None:
    """Dantzig's bound: only the first that does not fit is missed, and it is one that could fit."""
    scores, costs = arrays(items)
    value = scores[by_density(scores, costs, limit)].sum()
    fitting = scores[costs <= limit]
    assert value >= best_by_trying_all(items, limit) - fitting.max(initial=0) - 1e-9


@given(ITEMS, st.integers(0, 150))
def test_skipping_goes_on_until_nothing_fits(items: list[tuple[float, int]], limit: int) -> None:
    scores, costs = arrays(items)
    for choose in (greedy, by_density):
        chosen = choose(scores, costs, limit)
        left = limit - costs[chosen].sum()
        assert (costs[~chosen] > left).all()


def test_density_alone_can_be_far_from_half_the_best() -> None:
    """Why the bound is one score, not a half: that would take the single best item as well."""
    scores, costs = np.array([0.02, 1.0]), np.array([1, 100])
    assert by_density(scores, costs, 100).tolist() == [True, False]
    assert exact(scores, costs, 100).tolist() == [False, True]


def test_ties_go_to_the_newer() -> None:
    even = np.array([0.5, 0.5, 0.5, 0.5]), np.array([4, 4, 4, 4])
    assert greedy(*even, 8).tolist() == [False, False, True, True]
    assert by_density(*even, 8).tolist() == [False, False, True, True]


def test_ties_go_to_the_newer_however_many_there_are() -> None:
    """A sort that is not stable shows only beyond a handful."""
    scores, costs = np.tile([0.5, 0.25], 100), np.full(200, 3)
    for choose in (greedy, by_density):
        assert np.flatnonzero(choose(scores, costs, 90)).tolist() == [*range(140, 200, 2)]


def test_the_smaller_goes_first_at_one_score() -> None:
    assert by_density(np.array([0.5, 0.5]), np.array([10, 9]), 10).tolist() == [False, True]


def test_what_costs_nothing_always_fits() -> None:
    scores, costs = np.array([0.1, 0.9, 0.0]), np.array([0, 5, 0])
    for choose in (greedy, by_density):
        assert choose(scores, costs, 0).tolist() == [True, False, True]


def test_nothing_to_choose_from() -> None:
    for choose in (greedy, by_density, exact):
        assert choose(np.zeros(0), np.zeros(0, dtype=np.int64), 10).tolist() == []


def test_exact_keeps_to_the_token_among_large_costs() -> None:
    """A solver's tolerance grows with the numbers; a budget does not."""
    costs = np.array([10_000_000, 10_000_001, 9_999_999])
    for limit in (19_999_999, 20_000_000, 20_000_001):
        chosen = exact(np.array([0.5, 0.6, 0.5]), costs, limit)
        assert costs[chosen].sum() <= limit


def test_exact_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lre\[train\]'"):
        exact(np.ones(1), np.ones(1, dtype=np.int64), 1)


def test_exact_ends_in_time_and_takes_nothing_of_negative_worth() -> None:
    """Scores in proportion to costs are the hardest there are."""
    costs = np.random.default_rng(1).integers(1000, 10**6, 60) * 2
    limit = int(costs.sum() // 2) | 1
    chosen = exact(costs / costs.max(), costs, limit)
    assert costs[chosen].sum() <= limit
    assert exact(np.array([0.5, -0.4]), np.array([1, 1]), 2).tolist() == [True, False]
