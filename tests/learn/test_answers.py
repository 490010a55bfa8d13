"""Labels of units in conversations, worked out on paper."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from lre.errors import MissingExtraError
from lre.features import word_hashes
from lre.learn import answers
from lre.learn.answers import LABELS, Told
from lre.learn.talks import opened
from lre.traces import Question, Trace

UNITS = ["Ann lives in Oslo.", "Her cat is called Tom.", "Oslo is cold.", "Tom likes fish."]


def told(units: list[str], *questions: Question, how: str = "turns") -> Told:
    messages = [
        {"role": "user", "content": text, "session": i // 2} for i, text in enumerate(units)
    ]
    view = opened(Trace("", "", messages, questions=questions), how).view()
    return Told(view.moment, view.owner, questions)


def label(name: str, *questions: Question, units: list[str] = UNITS, how: str = "turns") -> object:
    return LABELS[name](told(units, *questions, how=how)).tolist()


def question(text: str = "", answer: str = "", *evidence: int) -> Question:
    return Question(text, answer, evidence=evidence)


def test_gold_is_what_the_log_cites_shared_among_the_units_of_a_question() -> None:
    assert label("gold", question("?", "!", 1), question("?", "", 1, 3)) == [0, 1.5, 0, 0.5]
    assert label("gold", question("Where?", "Oslo")) == [0, 0, 0, 0]
    assert label("gold") == [0, 0, 0, 0]


def test_evidence_in_two_messages_of_a_unit_counts_once() -> None:
    assert label("gold", question("?", "!", 2, 3), how="sessions") == [0, 1]
    assert label("gold", question("?", "!", 1, 2, 3), how="sessions") == [0.5, 0.5]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Oslo", [1, 0, 0, 0]),  # of two that have it the first
        ("a cat, Tom!", [0, 1, 0, 0]),
        ("FISH", [0, 0, 0, 1]),
        ("Oslo fish", [0, 0, 0, 1]),  # "fish" is in one unit, "oslo" in two
        ("Rome", [0, 0, 0, 0]),
        ("Rome fish", [0, 0, 0, 1]),
        ("", [0, 0, 0, 0]),
        ("her in is", [0, 0, 0, 0]),  # stop words
        ("?!", [0, 0, 0, 0]),
    ],
)
def test_answered_is_the_unit_that_has_most_of_the_answer(answer: str, expected: object) -> None:
    assert label("answered", question("Ann lives where?", answer)) == expected


def test_a_word_that_every_unit_has_is_worth_nothing() -> None:
    assert label("answered", question("", "snow"), units=["snow", "snow ice"]) == [0, 0]
    assert label("answered", question("", "snow ice"), units=["snow", "snow ice"]) == [0, 1]


def test_labels_count_how_many_questions_take_something() -> None:
    asked = [question("", "cat"), question("", "called Tom"), question("", "fish")]
    assert label("answered", *asked) == [0, 2, 0, 1]


def test_asked_has_the_words_of_the_question_too() -> None:
    assert label("answered", question("Where is it cold?", "Oslo")) == [1, 0, 0, 0]
    assert label("asked", question("Where is it cold?", "Oslo")) == [0, 0, 1, 0]
    assert label("asked", question("Where is it cold?", "")) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Oslo fish Rome cold Paris", [0, 0, 1, 0]),  # 1, 0, 2 and 1 of five
        ("Oslo Rome", [1, 0, 1, 0]),
        ("Oslo cold fish Rome Paris Nice", [0, 0, 0, 0]),  # 2 of six are a third
        ("the Oslo of it", [1, 0, 1, 0]),
        ("", [0, 0, 0, 0]),
        ("the of it", [0, 0, 0, 0]),
    ],
)
def test_covered_is_each_unit_with_two_fifths_of_the_answer(answer: str, expected: object) -> None:
    assert label("covered", question("cold?", answer)) == expected


def test_replied_is_the_earlier_unit_that_a_later_one_is_closest_to() -> None:
    units = ["Oslo winter", "Rex barks", "w1", "w2", "w3", "w4", "Oslo", "Rex", "Oslo"]
    assert label("replied", units=units) == [2, 1, 0, 0, 0, 0, 0, 0, 0]


def test_replied_leaves_out_what_is_recent_anyway() -> None:
    units = ["w0", "Oslo", "w2", "w3", "w4", "w5", "Oslo"]
    assert label("replied", units=units) == [0] * 7
    assert label("replied", units=["w", *units]) == [0] * 8
    assert label("replied", units=[*units, "Oslo"]) == [0, 1, *[0] * 6]
    assert label("replied", units=["Oslo"]) == [0]


def test_a_word_that_no_unit_has_lends_its_weight_to_none() -> None:
    """Words are found in order; one that is missing would stand just before a known one."""
    known = told(UNITS)
    hashes = [int(one) for one in known.bags.hashes]
    between = [hashes[0] - 1, hashes[0], hashes[2] - 1, hashes[2], hashes[-1] + 1]
    assert known.rows(np.array(between, dtype=np.uint64)).tolist() == [0, 2]
    assert known.rows(np.array(word_hashes(["rome"]), dtype=np.uint64)).tolist() == []


@pytest.mark.parametrize("name", LABELS)
def test_nothing_said_and_nothing_asked_is_no_label(name: str) -> None:
    assert label(name, units=[]) == []
    assert label(name, units=["", ""]) == [0, 0]
    assert label(name, question("What?", "Oslo"), units=["", ""]) == [0, 0]


def test_stop_words_need_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    answers._stop_words.cache_clear()
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(MissingExtraError, match=r"lre\[train\]"):
        label("answered", question("", "Oslo"))
