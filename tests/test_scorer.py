"""The scorer and its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lre.errors import ScorerFileError, UnknownNameError
from lre.features import FEATURES
from lre.scorer import FORMAT, VERSION, Scorer, shipped

SCORER = Scorer(
    ("recency", "acts"),
    np.array([1.0, 0.5]),
    np.array([2.0, 1.0]),
    np.array([0.25, -3.0]),
    0.125,
    {},
)
VALUES = arrays(np.float64, (4, 2), elements=st.floats(-1e6, 1e6))


def saved(**changes: Any) -> str:
    return json.dumps({**json.loads(SCORER.to_json()), **changes})


@given(VALUES)
def test_scores_are_probabilities(values: Any) -> None:
    scores = SCORER.probabilities(values)
    assert ((scores >= 0) & (scores <= 1)).all()


@given(VALUES)
def test_the_weights_of_an_explanation_add_up_to_the_logit(values: Any) -> None:
    logit = sum(weight for _, weight in SCORER.explain(values[0])) + SCORER.bias
    expected = 1 / (1 + np.exp(-np.clip(logit, -500, 500)))
    assert SCORER.probabilities(values[:1])[0] == pytest.approx(expected)


@given(VALUES)
def test_a_batch_scores_as_one_by_one(values: Any) -> None:
    alone = [SCORER.probabilities(row[None])[0] for row in values]
    assert SCORER.probabilities(values).tolist() == alone


def test_a_file_gives_back_the_same_scorer(tmp_path: Path) -> None:
    SCORER.save(tmp_path / "mine.json")
    again = Scorer.load(tmp_path / "mine.json")
    assert again.to_json() == SCORER.to_json()
    assert (again.features, again.bias) == (SCORER.features, SCORER.bias)


@pytest.mark.parametrize(
    ("name", "about", "size"),
    [("agent", "identifier", 4096), ("agent-paper", "unit", 4096), ("chat", "unit", 65_536)],
)
def test_a_shipped_scorer_is_small_and_says_where_it_comes_from(
    name: str, about: str, size: int
) -> None:
    scorer = shipped(name)
    assert len(scorer.to_json().encode()) <= size
    assert {FEATURES[name].about for name in scorer.features} == {about}
    assert scorer.card["units"] > 10_000
    assert scorer.card["held_out"]["auc"] > 0.7
    assert "lre train" in scorer.card["command"]


def test_an_unknown_shipped_scorer_is_named_with_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="choose from agent, agent-paper, chat"):
        shipped("chat-3000")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no JSON, or cut"),
        (SCORER.to_json()[:60], "is no JSON, or cut"),
        ("[" * 100_000, "is no JSON, or cut"),
        ("[]", "is no lre scorer"),
        ('{"format": "skops"}', "is no lre scorer"),
        (saved(version=VERSION + 1), f"has version {VERSION + 1}, this lre reads up to {VERSION}"),
        (saved(version="1"), "has version '1'"),
        (saved(features=[]), "is damaged"),
        (saved(features=[["recency", 0, 1]]), "is damaged"),
        (saved(features=[["recency", 0, 0, 1]]), "is damaged"),
        (saved(features=[["recency", 0, float("nan"), 1]]), "is damaged"),
        (saved(features=[["recency", 0, 1, 1], ["recency", 0, 1, 1]]), "is damaged"),
        (saved(features=[["shoe size", 0, 1, 1]]), "knows a feature 'shoe size'"),
        (saved(bias=None), "is damaged"),
        (saved(bias=10**400), "is damaged"),
        (saved(features=[["recency", 0, 1e-300, 1e300]]), "is damaged"),
        (saved(card=[]), "is damaged"),
    ],
)
def test_a_file_that_is_cut_foreign_or_from_the_future_is_refused(
    text: str, complaint: str
) -> None:
    with pytest.raises(ScorerFileError, match=r"mine\.json") as refusal:
        Scorer.from_json(text, "mine.json")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ScorerFileError, match=r"cannot be read .* @ no/such.json: check the path"):
        Scorer.load("no/such.json")


def test_the_format_is_versioned() -> None:
    assert json.loads(SCORER.to_json())["format"] == FORMAT
