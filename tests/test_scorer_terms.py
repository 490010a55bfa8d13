"""What words add to a score, and how they survive the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.errors import ScorerFileError
from lre.features import FEATURES, Moment, Standing, Uses, Words, matrix, word_hashes
from lre.ledger import Ledger
from lre.scorer import Scorer, Terms

TERMS = Terms.of({"oslo": 3.0, "rain": -1.5, "你": 0.25})
SCORER = Scorer(
    ("spoken", "asking"),
    np.array([1.0, 0.5]),
    np.array([2.0, 1.0]),
    np.array([0.25, -3.0]),
    0.125,
    {"label": "gold"},
    TERMS,
)
WORDS = ["oslo", "rain", "the", "cat", "Oslo"]


def moment(*texts: str) -> Moment:
    ledger = Ledger()
    ledger.extend([{"role": "user", "content": text} for text in texts])
    return ledger.view().moment


def saved(**changes: Any) -> str:
    return json.dumps({**json.loads(SCORER.to_json()), **changes})


def test_a_word_adds_its_weight_over_the_root_of_the_distinct_words() -> None:
    said = moment("Oslo", "Oslo, OSLO in the rain", "the cat", "").said_words
    assert TERMS.add(said).tolist() == pytest.approx([3, 1.5 / np.sqrt(4), 0, 0])


def test_words_are_explained_unit_by_unit_the_weightiest_first() -> None:
    said = moment("rain in cold Oslo", "the cat", "rain").said_words
    assert TERMS.explain(said) == [[("oslo", 1.5), ("rain", -0.75)], [], [("rain", -1.5)]]


def test_without_terms_nothing_is_added_nor_explained() -> None:
    said = moment("Oslo", "").said_words
    assert Terms().add(said).tolist() == [0, 0]
    assert Terms().explain(said) == [[], []]


def test_what_is_not_spelt_is_explained_by_its_hash_and_not_written() -> None:
    hashes = np.array(word_hashes(["oslo"]), dtype=np.uint64)
    unspelt = Terms(hashes, np.array([2.0]))
    assert unspelt.explain(moment("Oslo").said_words) == [[(f"#{int(hashes[0]):x}", 2.0)]]
    assert unspelt.spelt() == {}


def test_naming_leaves_out_what_has_no_name() -> None:
    spelt = dict(zip(word_hashes(["oslo", "rome"]), ["oslo", "rome"], strict=True))
    assert TERMS.named(spelt).spelt() == {"oslo": 3}
    assert TERMS.named({}).spelt() == {}


def test_the_weightiest_terms_are_written_first() -> None:
    assert list(TERMS.spelt().items()) == [("oslo", 3), ("rain", -1.5), ("你", 0.25)]


def test_of_words_that_differ_in_case_the_last_counts() -> None:
    assert Terms.of({"Oslo": 1.0, "oslo": 2.0}).spelt() == {"oslo": 2}


def test_words_add_to_the_logit_of_the_features() -> None:
    values, said = np.array([[1.0, 0.5], [1.0, 0.5]]), moment("Oslo", "cat").said_words
    logits = np.array([3.125, 0.125])
    assert SCORER.probabilities(values, said).tolist() == pytest.approx(1 / (1 + np.exp(-logits)))
    assert SCORER.probabilities(values).tolist() == pytest.approx([1 / (1 + np.exp(-0.125))] * 2)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=6))
def test_features_one_at_a_time_give_the_very_same_numbers(texts: list[str]) -> None:
    seen = moment(*texts)
    together = SCORER.probabilities(matrix(seen, SCORER.features), seen.said_words)
    assert SCORER.of(seen).tolist() == together.tolist()


def test_identifiers_have_no_words() -> None:
    of_identifiers = Scorer(("acts",), np.zeros(1), np.ones(1), np.ones(1), 0.0, {}, TERMS)
    assert FEATURES["acts"].about == "identifier"
    empty = Standing(Uses(), np.zeros(0, dtype=np.int64), 0)
    assert of_identifiers.of(empty).tolist() == []


def test_a_file_gives_back_the_same_terms(tmp_path: Path) -> None:
    SCORER.save(tmp_path / "chat.json")
    again = Scorer.load(tmp_path / "chat.json")
    assert again.to_json() == SCORER.to_json()
    assert again.terms.spelt() == TERMS.spelt()
    seen = moment("Oslo? 你好", "no rain", "cat")
    assert again.of(seen).tolist() == SCORER.of(seen).tolist()


def test_terms_have_four_significant_digits() -> None:
    scorer = Scorer(
        ("spoken",), np.zeros(1), np.ones(1), np.ones(1), 0.0, {}, Terms.of({"a": 1 / 3})
    )
    assert json.loads(scorer.to_json())["terms"] == {"a": 0.3333}


def test_a_scorer_without_terms_has_none_in_its_file() -> None:
    assert Scorer.from_json(saved(terms={})).terms.spelt() == {}
    assert "terms" not in json.loads(Scorer.from_json(saved(terms={})).to_json())


@pytest.mark.parametrize(
    "terms",
    [
        [],
        None,
        "oslo",
        {"oslo": None},
        {"oslo": True},
        {"oslo": "3"},
        {"oslo": float("nan")},
        {"oslo": float("inf")},
        {"oslo": 1e300},
        {"": 1},
        {"x" * 65: 1},
    ],
)
def test_a_file_with_damaged_terms_is_refused(terms: object) -> None:
    with pytest.raises(ScorerFileError, match=r"is damaged @ mine\.json"):
        Scorer.from_json(saved(terms=terms), "mine.json")


def test_words_that_no_unit_has_change_nothing() -> None:
    said = Words(np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(2))
    assert TERMS.add(said).tolist() == [0, 0]
    assert TERMS.explain(said) == [[], []]
