"""From traces to a scorer, on sessions made for the purpose."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lre.errors import MissingExtraError, TrainingError
from lre.features import FEATURES
from lre.learn.card import card
from lre.learn.dataset import Rows, collect
from lre.learn.folds import groups
from lre.learn.recipes import AGENT as RECIPES
from lre.learn.train import Recipe, Rowed, fit, held_out, some
from lre.scorer import Scorer
from lre.traces import Trace

AGENT = RECIPES["agent"]


STEPS, ORDERS = 24, 8


def session(number: int) -> Trace:
    """Eight orders, looked up again and again; each result has an id that nobody needs."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Handle request {number}."}]
    for order in range(ORDERS):
        messages.append({"role": "assistant", "content": "Which one comes next?"})
        messages.append({"role": "user", "content": f"That is W{order}77{number:03}."})
    for step in range(STEPS):
        messages += _step(number, step)
    return Trace(f"s{number}", f"task-{number % 7}", messages)


def _step(number: int, step: int) -> list[dict[str, Any]]:
    order = json.dumps({"id": f"W{step % ORDERS}77{number:03}"})
    call = {"id": f"c{step}", "type": "function", "function": {"name": "get", "arguments": order}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{step}", "content": f"Sent as N{step}x{number}."},
    ]


def collected(recipe: Recipe, *numbers: int) -> Rows:
    traces = [session(number) for number in numbers]
    return collect(traces, groups(traces), recipe.features, recipe.sampler)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return collected(AGENT, *range(14))


def test_rows_come_from_many_moments_of_every_session(rows: Rows) -> None:
    assert rows.sessions == 14
    assert len(np.unique(rows.group)) == 7
    assert rows.values.shape == (len(rows.labels), len(AGENT.features))
    assert len(np.unique(rows.moment)) >= 10 * rows.sessions


def test_every_session_counts_for_one(rows: Rows) -> None:
    assert rows.weight.sum() == pytest.approx(rows.sessions)


def test_identifiers_of_the_recent_window_are_no_rows(rows: Rows) -> None:
    recency = rows.values[:, AGENT.features.index("recency")]
    assert recency.min() >= np.log1p(5) - 1e-9


def test_a_scorer_finds_what_is_used_again(rows: Rows) -> None:
    figures = held_out(rows, AGENT.features)
    assert figures["auc"] > 0.95
    assert figures["folds"] == 5


def test_no_task_is_in_two_folds(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    from lre.learn import train

    seen: list[set[int]] = []
    original = train.fit

    def spy(part: Rows, features: tuple[str, ...]) -> Scorer:
        seen.append(set(part.group.tolist()))
        return original(part, features)

    monkeypatch.setattr(train, "fit", spy)
    held_out(rows, AGENT.features)
    every = set(rows.group.tolist())
    left_out = [every - part for part in seen]
    assert set().union(*left_out) == every
    assert sum(map(len, left_out)) == len(every)


def test_the_paper_takes_each_unit_once() -> None:
    recipe = RECIPES["agent-paper"]
    paper = collected(recipe, 1)
    assert len(paper.labels) == paper.units == 1 + 2 * ORDERS + STEPS
    assert paper.labels.sum() == ORDERS


def test_training_twice_gives_the_same_file(rows: Rows) -> None:
    first, second = (fit(rows, AGENT.features).to_json() for _ in range(2))
    assert first == second


def test_too_little_is_refused_in_one_line() -> None:
    little = collected(AGENT, 1)
    with pytest.raises(TrainingError, match="too little to learn from: 1 task with") as refusal:
        fit(little, AGENT.features)
    assert "\n" not in str(refusal.value)
    with pytest.raises(TrainingError):
        held_out(little, AGENT.features)
    with pytest.raises(TrainingError):
        fit(some(little, np.arange(0)), AGENT.features)


def test_one_class_only_is_refused(rows: Rows) -> None:
    with pytest.raises(TrainingError):
        fit(replace(rows, labels=np.zeros_like(rows.labels)), AGENT.features)


def test_scikit_learn_is_an_extra(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lre\[train\]'"):
        fit(rows, AGENT.features)


def test_the_card_travels_with_the_file(rows: Rows) -> None:
    counts = Rowed(AGENT, rows).about()
    about = card(counts, {"auc": 0.9}, data="made up", command="lre train x", recipe="agent")
    again = Scorer.from_json(fit(rows, AGENT.features, about).to_json())
    assert again.card["command"] == "lre train x"
    assert again.card["held_out"] == {"auc": 0.9}
    assert again.card["sessions"] == 14
    assert "replay" not in again.card


def test_every_feature_of_a_recipe_is_in_the_table() -> None:
    for recipe in RECIPES.values():
        assert set(recipe.features) <= set(FEATURES)
