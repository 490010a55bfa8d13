"""Which questions are put, and why others are not."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.conversations.sheets import ASKED, sheet
from lre.bench.conversations.draw import draw
from lre.bench.conversations.sheet import Asked, Sheet


def many(conversation: int, size: int = 40) -> Sheet:
    """Three of four questions are easy."""
    kinds = ["hard" if i % 4 == 0 else "easy" for i in range(size)]
    return sheet([Asked(f"{conversation}.{i}?", "yes", kind, ()) for i, kind in enumerate(kinds)])


def test_all_questions_come_in_their_order() -> None:
    questions, left_out = draw([sheet(), many(1)], None)
    assert questions == [list(ASKED), list(many(1).asked)]
    assert left_out == {}


def test_questions_that_have_no_answer_are_left_out_by_reason() -> None:
    odd = (
        Asked("Why did Bo move?", "", "adversarial", (1,)),
        Asked("Why did Bo leave?", "to mislead", "adversarial", (1,)),
        Asked("Who?", " ", "single-hop", (1,)),
    )
    abstaining = sheet(ASKED[:1], meta={"abstention": True})
    questions, left_out = draw([sheet([*ASKED, *odd]), abstaining], None)
    assert questions == [list(ASKED), []]
    assert left_out == {"adversarial": 2, "no answer": 1, "abstention": 1}


@pytest.mark.parametrize("seed", range(5))
def test_each_conversation_gives_as_many_and_each_category_its_share(seed: int) -> None:
    questions, left_out = draw([many(0), many(1), many(2)], 24, seed)
    assert [len(some) for some in questions] == [8, 8, 8]
    for some in questions:
        assert Counter(one.category for one in some) == {"hard": 2, "easy": 6}
    assert left_out == {"not drawn": 96}


def test_a_conversation_with_few_questions_gives_them_all() -> None:
    questions, _ = draw([many(0), many(1, size=4)], 20)
    assert [len(some) for some in questions] == [16, 4]


def test_where_questions_are_fewer_than_conversations_these_are_drawn_by_category() -> None:
    kinds = ["rare"] * 2 + ["common"] * 8
    sheets = [sheet([Asked("?", "yes", kind, ())]) for kind in kinds]
    questions, left_out = draw(sheets, 5, seed=1)
    assert Counter(one.category for some in questions for one in some) == {"rare": 1, "common": 4}
    assert left_out == {"not drawn": 5}


def test_a_draw_is_the_same_again_and_another_by_another_seed() -> None:
    sheets = [many(0), many(1)]
    assert draw(sheets, 10, seed=1) == draw(sheets, 10, seed=1) != draw(sheets, 10, seed=2)


def test_more_questions_include_those_of_fewer() -> None:
    (few, *_), (more, *_) = (draw([many(0), many(1)], count)[0] for count in (10, 20))
    assert {one.text for one in few} < {one.text for one in more}
