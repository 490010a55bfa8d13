"""Replay: counts worked out by hand, and nothing learnt from what is measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lre.bench.record import telling
from lre.bench.replay import Plan, Replayed, replay
from lre.bench.results import chosen, nothing_needed, result, verdict
from lre.bench.tally import Tally, count
from lre.bench.walk import Row
from lre.errors import BudgetError, TrainingError, UnknownNameError
from lre.scorer import Scorer, shipped
from lre.traces import Trace

GOLDEN = [
    (file.stem, golden["messages"], one)
    for file in sorted((Path(__file__).parents[1] / "golden").glob("replay_*.json"))
    for golden in [json.loads(file.read_text(encoding="utf-8"))]
    for one in golden["replays"]
]
ORDERS = 8
PLAN = Plan(policies=("fifo", "lre"), budgets=("60",), granularities=("unit",))


def words(text: str) -> int:
    return len(text.split())


def session(task: str, steps: int = 24) -> Trace:
    """Eight orders, looked up again and again, in turn."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Handle {task}."}]
    for order in range(ORDERS):
        messages.append({"role": "assistant", "content": "Which one comes next?"})
        messages.append({"role": "user", "content": f"That is W{order}77{task}."})
    for step in range(steps):
        function = {"name": "get", "arguments": json.dumps({"id": f"W{step % ORDERS}77{task}"})}
        call = {"id": f"c{step}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        sent = {"role": "tool", "tool_call_id": f"c{step}", "content": f"Sent, N{step}x{task}."}
        messages.append(sent)
    return Trace(task, task, messages)


SESSIONS = [session(f"task{number}") for number in range(4)]


def counts(replayed: Replayed, row: Row) -> dict[str, float]:
    whole = replayed.counts[row].sum(axis=0)
    names = ("steps", "whole", "needed", "found", "copied", "copies", "decisions", "tokens")
    more = ("later", "shared", "traces", "survived")
    return {name: count(whole, name) for name in names + more} | {"peak": replayed.peaks[row]}


@pytest.mark.parametrize(("name", "messages", "golden"), GOLDEN)
def test_golden_counts(name: str, messages: list[Any], golden: Mapping[str, Any]) -> None:
    replayed = replay([Trace(name, name, messages)], Plan(**golden["plan"], counter=words))
    found = {" ".join(row): counts(replayed, row) for row in replayed.counts}
    assert golden["counts"].items() <= found.items()


def test_there_are_golden_replays() -> None:
    assert {name for name, _, _ in GOLDEN} >= {"replay_coding", "replay_ids", "replay_parallel"}


def test_a_session_is_measured_with_scorers_that_never_saw_its_task() -> None:
    """What becomes of one task changes no scorer that it is measured with, but the others'."""
    other = session("task0", steps=18)
    before, after = (replay([first, *SESSIONS[1:]], PLAN) for first in (SESSIONS[0], other))
    weights = [[one["agent"].weight for one in found.scorers] for found in (before, after)]
    same = [np.array_equal(ours, theirs) for ours, theirs in zip(*weights, strict=True)]
    assert same == [True, False, False, False]


def test_a_scorer_that_is_given_is_measured_as_it_is() -> None:
    given = shipped("agent")
    replayed = replay(SESSIONS[:1], replace(PLAN, scorers={"agent": given}))
    assert [dict(one) for one in replayed.scorers] == [{"agent": given}]


def test_one_task_is_not_enough_to_train_on() -> None:
    with pytest.raises(TrainingError, match=r"one task.* @ lre: .*give --scorer"):
        replay([SESSIONS[0], SESSIONS[0]], PLAN)


def test_too_little_to_train_on_is_told_with_the_policies() -> None:
    short = [session(f"task{number}", steps=0) for number in range(3)]
    with pytest.raises(TrainingError, match=r"too little to learn from.* @ lre, lre-additive: "):
        replay(short, replace(PLAN, policies=("fifo", "lre", "lre-additive")))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"policies": ("fifo", "lru")}, UnknownNameError),
        ({"budgets": ("none",)}, BudgetError),
        ({"granularities": ("line",)}, UnknownNameError),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused(
    wrong: Mapping[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        replace(PLAN, **wrong).walkers({}, 100)


def test_only_policies_that_value_pieces_run_in_spans() -> None:
    rows = replace(PLAN, policies=("fifo", "lre", "oracle"), granularities=()).rows()
    kinds = [(row.policy, row.granularity) for row in rows]
    assert kinds == [
        ("fifo", "unit"),
        *(("lre", "unit"), ("lre", "span")),
        *(("oracle", "unit"), ("oracle", "span")),
    ]
    spans = replace(PLAN, granularities=("span",)).rows()
    assert [row.granularity for row in spans] == ["unit", "span"]


def test_work_in_several_processes_gives_the_same() -> None:
    more = [*SESSIONS, *(session(f"task{number}") for number in (4, 5))]
    one, two = (replay(more, PLAN, workers=workers) for workers in (1, 2))
    for row in PLAN.rows():
        assert {**counts(one, row)} == {**counts(two, row)}


def test_every_sampling_and_every_replay_ticks() -> None:
    ticks: list[int] = []
    replay(SESSIONS, PLAN, tick=lambda: ticks.append(1))
    assert len(ticks) == PLAN.ticks(len(SESSIONS)) == 2 * len(SESSIONS)


def made(survived: Mapping[tuple[str, str], float]) -> Replayed:
    """Counts of two traces, of 100 steps each, of which so many survive."""
    tally = np.zeros((2, len(Tally().counts())))
    found = {}
    for (policy, kind), share in survived.items():
        tally[:, 0], tally[:, 1] = 100, 100 * share
        tally[:, 2:4] = tally[:, :2]
        found[Row(policy, kind, "512")] = tally.copy()
    plan = Plan(policies=tuple({name for name, _ in survived}), budgets=("512",))
    return Replayed(plan, found, dict.fromkeys(found, 0), [0, 1], [{}, {}])


def test_where_no_granularity_is_asked_for_the_better_one_is_reported() -> None:
    replayed = made({("fifo", "unit"): 0.5, ("lre", "unit"): 0.7, ("lre", "span"): 0.9})
    assert [row[:2] for row in chosen(replayed)] == [("fifo", "unit"), ("lre", "span")]
    found = result(replayed, {})
    assert found["settings"]["granularity"] == {"lre": "span"}
    assert [row["misses_removed"] for row in found["rows"]] == [0, 0.8]
    asked = replace(replayed, plan=replace(replayed.plan, granularities=("unit", "span")))
    assert len(chosen(asked)) == 3


@pytest.mark.parametrize(
    ("fifo", "lre", "says"),
    [
        (0.5, 0.9, "Of what fifo misses, lre removes 80 % at 512 tokens."),
        (0.9, 0.5, "On these traces no gain over dropping the oldest can be shown."),
        (0.995, 1.0, "On these traces dropping the oldest will do."),
        (1.0, 1.0, "On these traces dropping the oldest will do."),
    ],
)
def test_a_sentence_says_what_a_policy_gains(fifo: float, lre: float, says: str) -> None:
    found = result(made({("fifo", "unit"): fifo, ("lre", "unit"): lre}), {})
    assert verdict(found, "lre") == says


def test_a_session_in_which_nothing_is_needed_counts_for_nothing() -> None:
    function = {"name": "search", "arguments": '{"for": "all"}'}
    call = {"id": "c1", "type": "function", "function": function}
    acts = {"role": "assistant", "content": None, "tool_calls": [call]}
    idle = Trace("x", "x", [{"role": "user", "content": "Hi"}, acts])
    replayed = replay([idle], replace(PLAN, policies=("fifo",)))
    assert nothing_needed(replayed)
    (row,) = result(replayed, {})["rows"]
    assert row["step_survival"] is row["copy_survival"] is row["misses_removed"] is None
    assert row["tokens_mean"] > 0


def test_the_timeline_is_of_the_trace_in_which_fifo_misses_most() -> None:
    traces = [session("task0", steps=4), session("task1"), session("task2", steps=9)]
    scorers: Mapping[str, Scorer] = {"agent": shipped("agent")}
    plan = Plan(("lre", "fifo"), ("60", "30"), ("unit",), scorers=scorers)
    replayed = replay(traces, plan)
    found = telling(traces, replayed, chosen(replayed))
    assert {one["trace"] for one in found} == {"task1"}
    assert [(one["policy"], one["budget"]) for one in found] == [("lre", "60"), ("fifo", "60")]
    missed = sum(bool(step["missing"]) for step in found[1]["steps"])
    steps, whole = replayed.counts[Row("fifo", "unit", "60")][1][:2]
    assert missed == steps - whole > 0
