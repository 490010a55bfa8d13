"""The study: who takes part, what it is trained on, and figures that can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from lre.bench.loop.results import FIGURES, result
from lre.bench.loop.session import Foresight
from lre.bench.loop.study import COUNTS, WHOLE, Plan, Studied, entrant, study
from lre.bench.walk import Row
from lre.errors import BudgetError, SettingError, TrainingError, UnknownNameError
from lre.policies.lre import Lre
from lre.scorer import shipped

PLAN = Plan(policies=("fifo", "lre", "oracle"), levels=("easy",), budgets=("50%",), seeds=2)
FEW = Plan(
    policies=("fifo", "oracle"), levels=("easy",), budgets=("30%", "900"), seeds=2, training=2
)


def counts(*tasks: Mapping[str, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[task.get(name, 0.0) for name in COUNTS] for task in tasks])


def found(**rows: Any) -> dict[str, dict[str, Any]]:
    """Figures of two tasks under some policies, by policy and granularity."""
    plan = Plan(("fifo", "lre"), ("easy",), ("25%",), seeds=2)
    keys = {"full": WHOLE, "fifo": Row("fifo", "unit", "25%")}
    keys |= {f"lre_{kind}": Row("lre", kind, "25%") for kind in ("unit", "span")}
    studied = Studied(
        plan, {("easy", keys[name]): counts(*tasks) for name, tasks in rows.items()}, LIMITS
    )
    made = result(studied, {})["rows"]
    return dict(zip(rows, made, strict=True))


LIMITS = {"easy": {"25%": 2_500}}
GOOD = {"success": 1, "steps": 20, "fewest": 20, "tokens": 40_000, "peak": 3_000}
POOR = {"success": 0, "steps": 60, "fewest": 20, "refetches": 8, "tokens": 80_000, "over": 30}


def test_figures_are_pooled_over_tasks() -> None:
    fifo = found(fifo=[GOOD, POOR])["fifo"]
    assert (fifo["success"], fifo["steps"], fifo["fewest"], fifo["thrift"]) == (0.5, 40, 20, 0.5)
    assert (fifo["refetches"], fifo["tokens_mean"], fifo["tokens_peak"]) == (4, 1_500, 1_500)
    assert (fifo["over_budget"], fifo["tokens"]) == (30 / 80, 2_500)


def test_an_interval_holds_its_figure_and_is_a_point_where_tasks_agree() -> None:
    rows = found(fifo=[GOOD, POOR], lre_unit=[GOOD, GOOD])
    assert set(rows["fifo"]["interval"]) == set(FIGURES)
    assert rows["fifo"]["interval"]["success"] == [0, 1]
    assert rows["lre_unit"]["interval"]["steps"] == [20, 20]


def test_leads_are_paired_with_lre_at_the_same_budget_in_each_granularity() -> None:
    better = {**POOR, "steps": 50}
    rows = found(
        full=[GOOD, GOOD], fifo=[GOOD, POOR], lre_unit=[GOOD, better], lre_span=[POOR, POOR]
    )
    assert rows["full"]["lre_leads"] == {}
    assert set(rows["fifo"]["lre_leads"]) == {"unit", "span"}
    assert set(rows["lre_unit"]["lre_leads"]) == {"span"}
    assert rows["fifo"]["lre_leads"]["unit"]["steps"] == {"lead": -5, "interval": [-10, 0]}
    assert rows["fifo"]["lre_leads"]["unit"]["success"] == {"lead": 0, "interval": [0, 0]}
    assert rows["fifo"]["lre_leads"]["span"]["success"]["lead"] == -0.5


def test_the_whole_history_has_no_budget() -> None:
    full = found(full=[GOOD, GOOD])["full"]
    assert (full["budget"], full["tokens"], full["policy"]) == (None, None, "full")


def test_lre_takes_part_in_units_and_in_spans_and_the_whole_history_always_does() -> None:
    kinds = [(row.policy, row.granularity) for row in PLAN.rows()]
    expected = [("full", "unit"), ("fifo", "unit"), ("lre", "unit"), ("lre", "span")]
    assert kinds == [*expected, ("oracle", "unit")]


def test_only_what_does_not_ship_is_trained() -> None:
    plan = Plan(("lre-shipped", "lre-paper", "fifo"), ("easy",), ("50%",))
    assert plan.learners() == {"agent-paper": ["lre-paper"]}
    given = {"agent": shipped("agent")}
    assert isinstance(trained := entrant("lre", given), Lre)
    assert isinstance(as_it_ships := entrant("lre-shipped", given), Lre)
    assert (trained._given, as_it_ships._given) == (given["agent"], None)
    assert isinstance(entrant("oracle", given), Foresight)


def test_budgets_are_shares_of_the_training_tasks_peak_and_the_same_for_all() -> None:
    studied = study(FEW)
    other = study(Plan(("fifo",), ("easy",), ("30%", "900"), seeds=1, training=2))
    assert studied.limits == other.limits
    assert studied.limits["easy"]["900"] == 900
    assert 2_000 < studied.limits["easy"]["30%"] < 4_500


def test_the_fewest_calls_are_those_of_the_whole_history_and_nobody_makes_fewer() -> None:
    studied = study(FEW)
    steps, fewest = COUNTS.index("steps"), COUNTS.index("fewest")
    whole = studied.counts["easy", WHOLE]
    assert (whole[:, steps] == whole[:, fewest]).all()
    for some in studied.counts.values():
        assert (some[:, fewest] == whole[:, fewest]).all()
        assert (some[:, steps] >= some[:, fewest]).all()
        assert (some[:, steps] <= 2.5 * some[:, fewest]).all()


def test_on_several_cores_the_figures_are_the_same() -> None:
    plan = Plan((), ("easy",), (), seeds=5, training=2)
    ticks: list[int] = []
    one, many = study(plan, 1, lambda: ticks.append(1)), study(plan, 2)
    assert len(ticks) == plan.ticks() == 7
    for key, some in one.counts.items():
        assert (some == many.counts[key]).all()


def test_a_learned_policy_is_trained_on_other_tasks_than_it_plays() -> None:
    """More tasks played, or others, change nothing that the first are measured with."""
    plan = Plan(("lre",), ("easy",), ("30%",), seeds=1, training=4)
    more = Plan(("lre",), ("easy",), ("30%",), seeds=2, training=4)
    row = plan.rows()[1]
    assert (study(plan).counts["easy", row] == study(more).counts["easy", row][:1]).all()


def test_too_little_training_is_told() -> None:
    with pytest.raises(TrainingError, match="too little to learn from"):
        study(Plan(("lre",), ("easy",), ("50%",), seeds=1, training=1))


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        (Plan(("lru",), ("easy",), ("50%",), seeds=1, training=1), UnknownNameError),
        (Plan(("fifo",), ("none",), ("50%",), seeds=1, training=1), UnknownNameError),
        (Plan(("fifo",), ("easy",), ("half",), seeds=1, training=1), BudgetError),
        (Plan(("fifo",), ("easy",), ("50%",), seeds=0), SettingError),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused(plan: Plan, error: type[Exception]) -> None:
    with pytest.raises(error):
        study(plan)
