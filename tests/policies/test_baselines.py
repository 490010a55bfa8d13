"""The baselines of conversations: forgetting, and content salience."""

from __future__ import annotations

import numpy as np
import pytest

from lre.ledger import Ledger
from lre.policies import View, policy


def seen(*texts: str) -> View:
    ledger = Ledger()
    ledger.extend([{"role": "user", "content": text} for text in texts])
    return ledger.view()


def scores(name: str, *texts: str) -> list[float]:
    found: list[float] = policy(name).score(seen(*texts)).tolist()
    return found


def test_what_never_comes_up_again_is_forgotten_by_age() -> None:
    assert scores("decay", "oslo", "tea", "rex", "snow") == [-3, -2, -1, 0]


def test_a_recall_sets_the_time_back_and_makes_it_last() -> None:
    """Unit 0 is recalled by unit 2: one unit ago, at strength 2."""
    assert scores("decay", "oslo", "tea", "oslo", "snow") == [-1 / 2, -2, -1, 0]


def test_every_recall_adds_strength() -> None:
    """Unit 0 is recalled by unit 1, unit 1 by unit 2, the nearest of equals."""
    assert scores("decay", "oslo", "oslo", "oslo", "a1", "a2") == [-3 / 2, -2 / 2, -2, -1, 0]
    twice = ("oslo rex", "tea", "oslo", "rex", "snow")
    assert scores("decay", *twice)[0] == -1 / 3


def test_only_the_most_akin_is_recalled() -> None:
    """Unit 2 has "oslo" of unit 1 as well, and recalls unit 0 a second time."""
    found = scores("decay", "oslo winter snow", "oslo", "oslo winter", "a1")
    assert found == [-1 / 3, -2, -1, 0]


def test_function_words_recall_nothing() -> None:
    assert scores("decay", "I was there", "tea", "I was there") == [-2, -1, 0]


def test_what_is_old_and_what_is_older_are_told_apart() -> None:
    """e^(−t) would be 0 for both."""
    many = [f"word{i}" for i in range(2000)]
    assert scores("decay", *many)[:2] == [-1999, -1998]


def test_salience_is_central_among_all_there_is() -> None:
    """Twice "oslo", once "tea": the sum is (2, 1)."""
    found = scores("salience", "oslo", "oslo", "tea", "the")
    assert found == pytest.approx([2 / np.sqrt(5), 2 / np.sqrt(5), 1 / np.sqrt(5), 0])


def test_salience_of_the_prefix_sees_nothing_that_comes_later() -> None:
    texts = ("oslo", "tea", "oslo", "tea")
    assert scores("salience-prefix", *texts[:3]) == scores("salience-prefix", *texts)[:3]
    assert scores("salience-prefix", *texts) == pytest.approx(
        [0, 0, np.sqrt(1 / 2), 1 / np.sqrt(5)]
    )


@pytest.mark.parametrize("name", ["decay", "salience", "salience-prefix"])
def test_they_choose_by_score_whatever_it_costs(name: str) -> None:
    chosen = policy(name).choose(np.array([0.9, 0.5, 0.4]), np.array([80, 10, 20]), 100)
    assert chosen.tolist() == [True, True, False]


@pytest.mark.parametrize("name", ["decay", "salience", "salience-prefix"])
def test_nothing_has_no_scores(name: str) -> None:
    assert policy(name).score(seen()).tolist() == []
    assert policy(name).score(seen("")).tolist() == [0]
