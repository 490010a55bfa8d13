"""The hindsight label, on traces worked out by hand."""

from __future__ import annotations

from lre.learn.labels import Reuse
from lre.messages import Message, Text, Unit


def reuse(*texts: str) -> Reuse:
    messages = [Message("user", (Text(text),)) for text in texts]
    return Reuse(messages, [Unit((i,), "user") for i in range(len(texts))])


def test_three_later_units_make_a_unit_load_bearing() -> None:
    found = reuse("id A1001", "A1001", "A1001", "A1001 again").after_each(4)
    assert found.tolist() == [True, False, False, False]


def test_two_later_units_do_not() -> None:
    assert not reuse("id A1001", "A1001", "A1001").after_each(3).any()


def test_only_the_unit_that_introduces_an_identifier_is_credited() -> None:
    found = reuse("nothing", "A1001 B2002", "A1001", "A1001 B2002", "A1001").after_each(5)
    assert found.tolist() == [False, True, False, False, False]


def test_three_different_identifiers_once_each_do_not_add_up() -> None:
    assert not reuse("A1001 B2002 C3003", "A1001", "B2002", "C3003").after_each(4).any()


def test_asked_at_a_moment_only_what_comes_after_it_counts() -> None:
    label = reuse("A1001", "A1001", "A1001", "A1001", "A1001")
    assert [label.after(size).any() for size in range(6)] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_unit_that_repeats_an_identifier_counts_once() -> None:
    assert not reuse("A1001", "A1001 A1001 A1001").after_each(2).any()
