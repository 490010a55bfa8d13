"""Counts that can be added, and the figures and intervals that are made of them."""

from __future__ import annotations

import numpy as np
import pytest

from lre.bench.tally import METRICS, Tally, count, figures, intervals, misses_removed, resamples


def tally(*steps: tuple[int, int]) -> Tally:
    """Steps as pairs of needed and found identifiers."""
    made = Tally()
    for needed, found in steps:
        made.need(needed, found)
    return made


def test_survival_is_pooled_over_steps_and_not_a_mean_of_shares() -> None:
    found = figures(tally((8, 8), (2, 0)).counts())
    assert found["identifier_survival"] == 0.8
    assert found["step_survival"] == 0.5
    assert found["trace_survival"] == 0


def test_a_step_that_needs_no_identifier_is_no_step() -> None:
    counts = tally((0, 0), (1, 1)).counts()
    assert count(counts, "steps") == count(counts, "traces") == 1
    assert figures(counts)["trace_survival"] == 1


def test_a_trace_that_needs_nothing_is_no_trace_and_has_no_figures() -> None:
    counts = Tally().counts()
    assert count(counts, "traces") == 0
    assert set(figures(counts).values()) == {None}


def test_the_first_prompt_has_none_before_it_to_share_with() -> None:
    made = Tally()
    made.prompt(100, 0, 0.5)
    made.prompt(200, 80, 0.1)
    found = figures(made.counts())
    assert found["prefix_reuse"] == 0.4
    assert found["tokens_mean"] == 150
    assert found["seconds_per_decision"] == 0.3
    assert made.peak == 200


def test_copied_characters_are_counted_apart_from_steps() -> None:
    made = Tally()
    made.copy(40, 30)
    counts = made.counts()
    assert figures(counts)["copy_survival"] == 0.75
    assert count(counts, "steps") == 0


@pytest.mark.parametrize(
    ("ours", "fifo", "removed"),
    [(0.9, 0.8, 0.5), (0.7, 0.8, -0.5), (1.0, 0.8, 1.0), (1.0, 1.0, None), (None, 0.8, None)],
)
def test_misses_removed_is_of_what_fifo_misses(
    ours: float | None, fifo: float, removed: float | None
) -> None:
    assert misses_removed(ours, fifo) == removed


def grouped(*survived: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Groups of ten steps, of which so many survive."""
    return np.array([tally(*[(1, int(i < n)) for i in range(10)]).counts() for n in survived])


def test_an_interval_holds_the_figure_and_is_a_point_where_groups_agree() -> None:
    drawn = resamples(range(4), seed=0)
    low, high = intervals(grouped(2, 9, 5, 8), None, drawn)["step_survival"]
    assert low < 0.6 < high
    assert intervals(grouped(7, 7, 7, 7), None, drawn)["step_survival"] == [0.7, 0.7]


def test_differences_are_paired() -> None:
    """One step more in every group is one step more in every draw, however groups differ."""
    drawn = resamples(range(4), seed=0)
    found = intervals(grouped(3, 10, 6, 9), grouped(2, 9, 5, 8), drawn)
    assert found["step_survival_over_fifo"] == pytest.approx([0.1, 0.1])


def test_a_figure_that_nothing_was_needed_for_has_no_interval() -> None:
    found = intervals(grouped(10, 10), grouped(10, 10), resamples(range(2), seed=0))
    assert "copy_survival" not in found
    assert "misses_removed" not in found
    assert set(found) <= {*METRICS, "step_survival_over_fifo"}
    assert np.isfinite(list(found.values())).all()


def test_groups_are_drawn_and_not_sessions() -> None:
    drawn = resamples([0, 0, 0, 1], seed=0)
    assert drawn.shape == (1000, 2)
    assert (drawn.sum(axis=1) == 2).all()
    assert (resamples([0, 0, 0, 1], seed=0) == drawn).all()
