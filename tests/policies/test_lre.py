"""The policy `lre`: identifiers by their chance to be needed, each kept once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lre import evict, explain
from lre.errors import SettingError
from lre.features import word_hashes
from lre.ledger import Ledger
from lre.policies import View, policy
from lre.policies.lre import Lre
from lre.scorer import Scorer, shipped
from lre.testing.samples import LISTS

ACTS = Scorer(("acts",), np.zeros(1), np.ones(1), np.array([2.0]), -2.0)
EVEN = Scorer(("lifetime",), np.zeros(1), np.ones(1), np.zeros(1), 0.0)


def said(*texts: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text} for text in texts]


def seen(messages: list[Any], granularity: str = "unit") -> View:
    ledger = Ledger()
    ledger.extend(messages)
    return ledger.view(granularity)


def test_a_score_is_how_many_needs_a_unit_is_expected_to_meet() -> None:
    view = seen(said("the task", "W1001 and W2002", "W1001, W1001!", "nothing"))
    assert Lre(EVEN).score(view).tolist() == [0, 1, 0.5, 0]


@pytest.mark.parametrize("granularity", ["unit", "span"])
def test_scores_do_not_depend_on_pieces(granularity: str) -> None:
    whole = Lre().score(seen(LISTS["anthropic"]))
    assert np.allclose(Lre().score(seen(LISTS["anthropic"], granularity)), whole)


def test_weights_are_those_of_the_scorer() -> None:
    code = "I run it.\n```bash\ncat W1001\n```"
    messages = [*said("task"), {"role": "assistant", "content": code}, *said("W2002")]
    view = seen(messages)
    weights = dict(zip(view.uses.index.hashes.tolist(), Lre(ACTS).weights(view), strict=True))
    acted, other = word_hashes(["W1001", "W2002"])
    assert weights[acted] == pytest.approx(1 / (1 + np.exp(2 - 2 * np.log(2))))
    assert weights[other] == pytest.approx(1 / (1 + np.exp(2)))


def test_every_piece_is_worth_a_little_and_speech_more_than_results() -> None:
    text = "plain words without a name of any kind " * 4
    result = {"role": "tool", "tool_call_id": "c1", "content": text}
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    turn = {"role": "assistant", "content": text, "tool_calls": [call]}
    view = seen([*said("task"), turn, result])
    worth = Lre(EVEN).cover(view).worth
    task, speech, came_back = worth[[0, -2, -1]]
    assert 0 < came_back < speech / 10 <= 1
    assert task > 0


def test_what_is_carried_twice_is_kept_once() -> None:
    """Two of the three carry the same; there is room for two."""
    texts = ("W1001 W2002 W3003 W4004", "W1001 W2002 W3003 W4004", "W5005 W6006", "end")
    messages = said("task", *texts)
    result = evict(
        messages,
        older_budget=30,
        recent=1,
        policy=policy("lre", scorer=EVEN),
        counter=lambda _text: 10,
    )
    assert result.messages == [messages[index] for index in (0, 2, 3, 4)]
    additive = policy("lre-additive", scorer=EVEN)
    result = evict(messages, older_budget=30, recent=1, policy=additive, counter=lambda _text: 10)
    assert result.messages == [messages[index] for index in (0, 1, 2, 4)]


def test_it_explains_by_identifiers_the_likeliest_first() -> None:
    explained = explain(LISTS["anthropic"], budget="50%", policy=policy("lre", scorer=ACTS))
    for weights in explained.weights:
        values = [weight for _, weight in weights]
        assert values == sorted(values, reverse=True)
    assert "W2378151" in {name for name, _ in explained.weights[-2]}


def test_a_scorer_of_units_is_refused() -> None:
    with pytest.raises(SettingError, match="lre scores by features of each identifier, and"):
        evict(said("a", "b", "c"), budget=12, policy=policy("lre", scorer=shipped("agent-paper")))
    with pytest.raises(SettingError, match="lre-paper scores by features of each unit, and"):
        evict(said("a", "b", "c"), budget=12, policy=policy("lre-paper", scorer=shipped("agent")))


def test_a_scorer_of_features_that_are_not_there_is_refused_in_one_line() -> None:
    strange = Scorer(("no_such_feature",), np.zeros(1), np.ones(1), np.zeros(1), 0.0)
    with pytest.raises(SettingError, match="and 'no_such_feature' is none"):
        evict(said("a", "b", "c"), budget=12, policy=policy("lre", scorer=strange))


def test_a_scorer_may_be_a_file(tmp_path: Path) -> None:
    ACTS.save(tmp_path / "mine.json")
    view = seen(LISTS["anthropic"])
    given = policy("lre", scorer=str(tmp_path / "mine.json"))
    assert given.score(view).tolist() == Lre(ACTS).score(view).tolist()
