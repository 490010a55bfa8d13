"""Cutting texts leaves everything else of a message as it was, in every dialect."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.dialects import DIALECTS, Dialect, Problem, parse
from lre.dialects.slots import slot_text, with_texts
from lre.messages import Message, Text, ToolResult
from lre.spans import bounds, gaps, shortened
from lre.testing.samples import KNOTS, SAMPLES
from lre.testing.strategies import conversations, texts, valid_conversations
from realdata import sessions

ANSWERS = st.lists(st.booleans(), min_size=1, max_size=9)
SPOKEN = st.sampled_from(sorted(DIALECTS)).flatmap(
    lambda name: st.tuples(
        st.just(DIALECTS[name]),
        st.sampled_from([SAMPLES[name], KNOTS[name]])
        | conversations(name)
        | valid_conversations(name),
    )
)


def skeleton(dialect: Dialect, entries: Sequence[Any]) -> list[Message]:
    """Give the messages without their texts and results' texts."""
    read = parse(entries, dialect)[1]
    return [replace(message, parts=tuple(map(_bare, message.parts))) for message in read]


def _bare(part: Any) -> Any:
    return replace(part, text="") if isinstance(part, Text | ToolResult) else part


def cut(
    dialect: Dialect, entries: Sequence[Any], slots: Iterator[bool], spans: Iterator[bool]
) -> list[Any]:
    """Cut in some slots, and keep some spans there."""
    chosen = [[path for path in dialect.slots(entry) if next(slots)] for entry in entries]
    return [
        with_texts(entry, {path: _shortened(slot_text(entry, path), spans) for path in paths})
        for entry, paths in zip(entries, chosen, strict=True)
    ]


def _shortened(words: str, spans: Iterator[bool]) -> str:
    offsets = bounds(words)
    gone = gaps(words, offsets, [next(spans) for _ in offsets[1:]])
    return shortened(words, gone, [end - start for start, end in gone])


def added(dialect: Dialect, before: Sequence[Any], after: Sequence[Any]) -> set[Problem]:
    had, found = ({*dialect.problems(parse(some, dialect)[1])} for some in (before, after))
    return found - had


@given(SPOKEN, ANSWERS, ANSWERS)
def test_cutting_changes_nothing_but_texts_and_adds_no_problem(
    case: tuple[Dialect, list[Any]], slots: list[bool], spans: list[bool]
) -> None:
    dialect, entries = case
    before = copy.deepcopy(entries)
    short = cut(dialect, entries, cycle(slots), cycle(spans))
    assert entries == before
    assert skeleton(dialect, short) == skeleton(dialect, entries)
    assert added(dialect, entries, short) == set()


@given(SPOKEN, st.lists(texts().filter(bool), min_size=1, max_size=5))
def test_any_words_in_the_slots_leave_the_rest_as_it_was(
    case: tuple[Dialect, list[Any]], words: list[str]
) -> None:
    dialect, entries = case
    said = cycle(words)
    other = [with_texts(e, {path: next(said) for path in dialect.slots(e)}) for e in entries]
    assert skeleton(dialect, other) == skeleton(dialect, entries)


@given(SPOKEN)
def test_the_slots_are_the_texts_of_the_message(case: tuple[Dialect, list[Any]]) -> None:
    """Nothing else is there to cut, for the strategies write no annotations."""
    dialect, entries = case
    for entry, message in zip(entries, parse(entries, dialect)[1], strict=True):
        said = [part.text for part in message.parts if isinstance(part, Text | ToolResult)]
        slots = [slot_text(entry, path) for path in dialect.slots(entry)]
        assert sorted(slots) == sorted(filter(None, said))


@pytest.mark.parametrize("collection", ["agent/tau_bench", "agent/mini_swe_agent"])
def test_real_sessions_keep_their_shape(collection: str) -> None:
    for name, entries in sessions(collection)[:40]:
        dialect = parse(entries)[0]
        short = cut(dialect, entries, cycle([True]), cycle([False, True, False]))
        assert skeleton(dialect, short) == skeleton(dialect, entries), name
        assert added(dialect, entries, short) == set(), name
