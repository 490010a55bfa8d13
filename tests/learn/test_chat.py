"""Fitting a scorer of conversations: what is learnt, and which words may enter the file."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack
from sklearn.linear_model import LogisticRegression

from lre.errors import MissingExtraError, TrainingError
from lre.features import Words, word_hashes
from lre.learn.chat import Course, fit
from lre.learn.talks import Talk, spellings
from lre.scorer import Scorer

FEATURES = ("spoken", "naming")


def rows(texts: Sequence[str], session: Sequence[int], taken: Sequence[float]) -> Talk:
    """Make rows of the words of texts; the features are noise."""
    unit, word = [], []
    for place, text in enumerate(texts):
        for one in sorted(set(word_hashes(text.split()))):
            unit.append(place)
            word.append(one)
    values = np.random.default_rng(0).normal(3, 2, (len(texts), 2))
    types = np.bincount(unit, minlength=len(texts)).astype(np.float64)
    said = Words(np.array(unit), np.array(word, dtype=np.uint64), types)
    labels = {"gold": np.array(taken, dtype=np.float64)}
    return Talk(FEATURES, values, said, np.array(session), labels)


def telling(word: str, sessions: Sequence[int]) -> Talk:
    """Ten sessions of ten units; in some of them every unit with the word is taken."""
    number = [i // 10 for i in range(100)]
    has = [session in sessions and i % 10 < 6 for i, session in enumerate(number)]
    texts = [f"common {word}" if one else "common other" for one in has]
    taken = [float(one or i % 10 == 9) for i, one in enumerate(has)]
    return rows(texts, number, taken)


def terms(scorer: Scorer, *words: str) -> list[bool]:
    known = scorer.terms.hashes.tolist()
    return [one in known for one in word_hashes(words)]


GOLD = Course(FEATURES, "gold")


def test_a_word_of_five_sessions_is_learnt() -> None:
    assert terms(fit(telling("oslo", range(5)), GOLD), "oslo", "common") == [True, True]


def test_a_word_of_four_sessions_is_not_however_telling() -> None:
    assert terms(fit(telling("oslo", range(4)), GOLD), "oslo", "common") == [False, True]


def test_the_same_session_in_two_conversations_counts_once() -> None:
    five = telling("oslo", range(5))
    again = replace(five, session=np.where(five.session == 4, 3, five.session))
    assert terms(fit(again, GOLD), "oslo") == [False]


def test_no_more_words_are_kept_than_asked_for_the_telling_ones() -> None:
    learnt = telling("oslo", range(5))
    assert len(fit(learnt, replace(GOLD, terms=2)).terms) == 2
    assert terms(fit(learnt, replace(GOLD, terms=1)), "oslo", "common") == [True, False]


def test_without_words_none_is_learnt() -> None:
    scorer = fit(telling("oslo", range(5)), replace(GOLD, terms=0))
    assert len(scorer.terms) == 0
    assert "terms" not in json.loads(scorer.to_json())


def test_a_word_that_is_not_spelt_is_left_out_of_the_file() -> None:
    made = fit(telling("oslo", range(5)), GOLD)
    assert json.loads(made.to_json()).get("terms") is None
    spelt = spellings(["Oslo, in May"], made.terms.hashes)
    named = replace(made, terms=made.terms.named(spelt))
    assert list(json.loads(named.to_json())["terms"]) == ["oslo"]


def test_it_is_a_logistic_regression_over_features_and_scaled_tf_idf() -> None:
    """Against scikit-learn on columns made one by one."""
    learnt = telling("oslo", range(6))
    vocabulary = sorted({int(one) for one in learnt.said.hash})
    matrix = np.zeros((100, len(vocabulary)))
    for unit, word in zip(learnt.said.unit, learnt.said.hash, strict=True):
        matrix[unit, vocabulary.index(int(word))] = 1
    idf = np.log(101 / (1 + matrix.sum(axis=0))) + 1
    matrix *= idf / np.sqrt(learnt.said.types)[:, None]
    matrix *= 9 / np.sqrt((matrix**2).sum() / 100)
    dense = (learnt.values - learnt.values.mean(axis=0)) / learnt.values.std(axis=0)
    model = LogisticRegression(C=0.005, max_iter=2000)
    columns = hstack([csr_array(dense), csr_array(matrix)]).tocsr()
    model.fit(columns, learnt.labels["gold"] > 0)
    expected = model.predict_proba(columns)[:, 1]
    found = fit(learnt, GOLD).probabilities(learnt.values, learnt.said)
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-4)


def test_a_unit_counts_more_the_oftener_it_is_taken() -> None:
    """Two kinds are taken as often as not; one of them by five questions at a time."""
    taken = [5.0, 1, 0, 0] * 25
    learnt = rows(["hm"] * 100, [0] * 100, taken)
    learnt.values[:, 0] = np.tile([1.0, 0, 1, 0], 25)
    course = Course(("spoken",), "gold", 0)
    assert fit(learnt, course).weight[0] > 0.1
    even = replace(learnt, labels={"gold": np.array([1.0, 1, 0, 0] * 25)})
    assert fit(even, course).weight[0] == pytest.approx(0, abs=1e-6)


def test_features_are_those_of_the_course_in_its_order() -> None:
    learnt = telling("oslo", range(5))
    scorer = fit(learnt, Course(("naming", "spoken"), "gold", 0), {"label": "gold"})
    assert scorer.features == ("naming", "spoken")
    assert scorer.mean.tolist() == pytest.approx(learnt.values.mean(axis=0)[::-1].tolist())
    assert scorer.card == {"label": "gold"}


def test_a_feature_that_never_changes_adds_nothing() -> None:
    learnt = telling("oslo", range(5))
    learnt.values[:, 1] = 7
    scorer = fit(learnt, replace(GOLD, terms=0))
    assert (scorer.scale[1], scorer.weight[1]) == (1, 0)


@pytest.mark.parametrize("taken", [19, 81])
def test_too_little_of_either_kind_is_refused(taken: int) -> None:
    few = rows(["hm"] * 100, [0] * 100, [1.0] * taken + [0.0] * (100 - taken))
    with pytest.raises(TrainingError, match=f"{taken} units .* and {100 - taken} others"):
        fit(few, GOLD)


def test_learning_needs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"lre\[train\]"):
        fit(telling("oslo", range(5)), replace(GOLD, terms=0))


def test_the_same_rows_give_the_same_file() -> None:
    made: list[Any] = [fit(telling("oslo", range(5)), GOLD) for _ in range(2)]
    assert made[0].to_json() == made[1].to_json()
    assert made[0].terms.weights.tolist() == made[1].terms.weights.tolist()
