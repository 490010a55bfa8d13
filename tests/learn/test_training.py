"""From traces to a scorer, on sessions made for the purpose."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from lre.errors import MissingExtraError, TrainingError
from lre.features import FEATURES
from lre.learn.card import card
from lre.learn.dataset import Rows, collect
from lre.learn.train import RECIPES, fit, held_out
from lre.scorer import Scorer
from lre.traces import Trace

AGENT = RECIPES["agent"]


def session(number: int) -> Trace:
    """Twenty steps: the second introduces a ticket that all later ones use, the others chat."""
    ticket = f"T-{number}77{number}"
    messages = [{"role": "user", "content": f"Please handle request {number}."}]
    messages.append({"role": "assistant", "content": f"Opened ticket {ticket}."})
    for step in range(20):
        messages.append({"role": "user", "content": f"How is it going, step {step}?"})
        messages.append({"role": "assistant", "content": f"Working on {ticket} now."})
    return Trace(f"s{number}", f"task-{number % 7}", messages)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return collect(map(session, range(14)), AGENT.features, AGENT.sampler)


def test_rows_come_from_moments_of_every_session(rows: Rows) -> None:
    assert rows.sessions == 14
    assert len(np.unique(rows.task)) == 7
    assert rows.values.shape == (len(rows.labels), len(AGENT.features))
    assert len(np.unique(rows.moment)) == 14 * 8


def test_units_of_the_recent_window_are_no_rows(rows: Rows) -> None:
    age = rows.values[:, AGENT.features.index("age")]
    assert age.min() >= np.log1p(5) - 1e-9


def test_a_scorer_finds_what_is_used_again(rows: Rows) -> None:
    figures = held_out(rows, AGENT.features)
    assert figures["auc"] > 0.95 > figures["auc_fifo"]


def test_no_task_is_in_two_folds(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    from lre.learn import train

    seen: list[set[int]] = []
    original = train.fit

    def spy(part: Rows, features: tuple[str, ...]) -> Scorer:
        seen.append(set(part.task.tolist()))
        return original(part, features)

    monkeypatch.setattr(train, "fit", spy)
    held_out(rows, AGENT.features)
    every = set(rows.task.tolist())
    left_out = [every - part for part in seen]
    assert set().union(*left_out) == every
    assert sum(map(len, left_out)) == len(every)


def test_the_paper_takes_each_unit_once() -> None:
    recipe = RECIPES["agent-paper"]
    paper = collect([session(1)], recipe.features, recipe.sampler)
    assert len(paper.labels) == paper.units == 42
    assert paper.labels.sum() == 1


def test_training_twice_gives_the_same_file(rows: Rows) -> None:
    first, second = (fit(rows, AGENT.features).to_json() for _ in range(2))
    assert first == second


def test_too_little_is_refused_in_one_line() -> None:
    little = collect([session(1)], AGENT.features, AGENT.sampler)
    with pytest.raises(TrainingError, match="too little to learn from: 1 tasks with") as refusal:
        fit(little, AGENT.features)
    assert "\n" not in str(refusal.value)
    with pytest.raises(TrainingError):
        held_out(little, AGENT.features)
    with pytest.raises(TrainingError):
        fit(collect([], AGENT.features, AGENT.sampler), AGENT.features)


def test_one_class_only_is_refused(rows: Rows) -> None:
    with pytest.raises(TrainingError):
        fit(replace(rows, labels=np.zeros_like(rows.labels)), AGENT.features)


def test_scikit_learn_is_an_extra(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lre\[train\]'"):
        fit(rows, AGENT.features)


def test_the_card_travels_with_the_file(rows: Rows) -> None:
    about = card(rows, {"auc": 0.9}, data="made up", command="lre train x", recipe="agent")
    again = Scorer.from_json(fit(rows, AGENT.features, about).to_json())
    assert again.card["command"] == "lre train x"
    assert again.card["held_out"] == {"auc": 0.9}
    assert again.card["sessions"] == 14


def test_every_feature_of_a_recipe_is_in_the_table() -> None:
    for recipe in RECIPES.values():
        assert set(recipe.features) <= set(FEATURES)
