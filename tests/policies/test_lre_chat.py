"""The policy `lre-chat`: features and words of each unit, per token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lre import History, evict, explain
from lre.errors import SettingError
from lre.features import FEATURES as TABLE
from lre.features import matrix
from lre.ledger import Ledger
from lre.policies import View, policy
from lre.policies.lre_chat import FEATURES, STYLE, LreChat
from lre.scorer import Scorer, Terms, shipped
from lre.testing import check_policy

WEIGHT = np.linspace(-1, 1, len(FEATURES))
SCORER = Scorer(
    FEATURES,
    np.zeros(len(FEATURES)),
    np.ones(len(FEATURES)),
    WEIGHT,
    -0.5,
    {},
    Terms.of({"oslo": 2}),
)
TELLS = Scorer(("selves",), np.zeros(1), np.ones(1), np.ones(1), -1.0, {}, Terms.of({"oslo": 2}))

SAID = [
    {"role": "user", "content": text, "session": place // 3}
    for place, text in enumerate(
        ["Hi!", "I moved to Oslo", "Great, thanks!", "What is new?", "My cat likes Oslo", "Bye"]
    )
]


def seen(messages: list[Any]) -> View:
    ledger = Ledger()
    ledger.extend(messages)
    return ledger.view()


def test_it_knows_the_features_of_units_alone_and_each_once() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert {TABLE[name].about for name in FEATURES} == {"unit"}
    assert set(STYLE) < set(FEATURES)


def test_a_score_is_the_probability_of_a_unit() -> None:
    logits = np.array([0, np.log(2) + 1, 0, 0, np.log(2) + 1, 0]) - 1
    assert LreChat(TELLS).score(seen(SAID)).tolist() == pytest.approx(1 / (1 + np.exp(-logits)))


def test_it_keeps_what_is_likely_per_token() -> None:
    chosen = LreChat(TELLS).choose(np.array([0.9, 0.5, 0.4]), np.array([90, 10, 20]), 95)
    assert chosen.tolist() == [False, True, True]


def test_an_explanation_adds_up_to_the_logit() -> None:
    view = seen(SAID)
    for parts, score in zip(
        LreChat(SCORER).explain(view), LreChat(SCORER).score(view), strict=True
    ):
        logit = SCORER.bias + sum(weight for _, weight in parts)
        assert 1 / (1 + np.exp(-logit)) == pytest.approx(score)
        sizes = [abs(weight) for _, weight in parts]
        assert sizes == sorted(sizes, reverse=True)


def test_words_are_explained_beside_features() -> None:
    explained = explain(SAID, budget="90%", recent=1, policy=policy("lre-chat", scorer=TELLS))
    assert [name for name, _ in explained.weights[1]] == ["oslo", "selves"]
    assert [one for _, one in explained.weights[1]] == pytest.approx([1, np.log(2)])
    assert [name for name, _ in explained.weights[0]] == ["selves"]


def test_a_scorer_may_be_a_file(tmp_path: Path) -> None:
    SCORER.save(tmp_path / "mine.json")
    given = policy("lre-chat", scorer=str(tmp_path / "mine.json"))
    assert given.score(seen(SAID)).tolist() == pytest.approx(
        LreChat(SCORER).score(seen(SAID)).tolist(), rel=1e-5
    )


def test_a_scorer_of_identifiers_is_refused() -> None:
    with pytest.raises(SettingError, match="lre-chat scores by features of each unit, and"):
        evict(SAID, budget=12, recent=1, policy=policy("lre-chat", scorer=shipped("agent")))


@pytest.mark.parametrize("name", ["decay", "salience", "salience-prefix", "lre-chat"])
def test_a_history_gives_what_evict_gives(name: str) -> None:
    chosen = policy(name, **({"scorer": SCORER} if name == "lre-chat" else {}))
    history = History(older_budget="40%", recent=1, policy=chosen)
    for count, message in enumerate(SAID * 3, 1):
        history.append(message)
        fresh = evict((SAID * 3)[:count], older_budget="40%", recent=1, policy=chosen)
        assert history.messages == fresh.messages
        scores = [decision.score for decision in history.eviction.selection.decisions]
        assert scores == [decision.score for decision in fresh.selection.decisions]


@pytest.mark.parametrize("law", [5, 6, 8, 9])
def test_it_keeps_the_laws_with_any_scorer(law: int) -> None:
    check_policy(policy("lre-chat", scorer=SCORER), laws=[law], examples=10)


def test_its_features_are_those_of_the_matrix() -> None:
    assert matrix(seen(SAID).moment, FEATURES).shape == (6, len(FEATURES))
