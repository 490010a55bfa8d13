"""Token F1: words shared, whatever their case, articles and punctuation."""

from __future__ import annotations

import pytest

from lre.bench.f1 import token_f1


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("7 May 2023", "7 May 2023"),
        ("The Sweden.", "sweden"),
        ("  an apple,\n a pear ", "apple pear"),
        ("It's", "its"),
        ("pear apple", "apple pear"),
    ],
)
def test_the_same_words_score_one(answer: str, gold: str) -> None:
    assert token_f1(answer, gold) == 1.0


def test_precision_and_recall_count_alike() -> None:
    assert token_f1("May", "7 May 2023") == token_f1("7 May 2023", "May") == 0.5


def test_a_word_said_twice_counts_once_where_the_gold_has_it_once() -> None:
    assert token_f1("red red", "red") == pytest.approx(2 / 3)


def test_articles_inside_words_stay() -> None:
    assert token_f1("theatre", "atre") == 0.0
    assert token_f1("Athena", "then") == 0.0


def test_words_are_not_stemmed() -> None:
    assert token_f1("painting", "painted") == 0.0


def test_nothing_in_common_scores_zero() -> None:
    assert token_f1("", "Sweden") == 0.0
    assert token_f1("Norway", "Sweden") == 0.0


def test_what_is_only_articles_and_punctuation_scores_zero() -> None:
    assert token_f1("the", "A.") == 0.0


def test_punctuation_joins_what_it_stood_between_as_in_squad() -> None:
    assert token_f1("well-known", "wellknown") == 1.0
