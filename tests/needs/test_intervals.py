"""Intervals behave as the sets of offsets that they stand for."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lre.needs.intervals import Interval, common, length, meets, merged, without

ANY = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted).map(tuple), max_size=6)


def offsets(intervals: list[Interval]) -> set[int]:
    return {offset for start, end in intervals for offset in range(start, end)}


@given(ANY)
def test_merged_intervals_are_apart_and_cover_the_same(some: list[Interval]) -> None:
    found = merged(some)
    assert offsets(found) == offsets(some)
    assert all(b < c for (_, b), (c, _) in pairwise(found))
    assert length(found) == len(offsets(some))


@given(ANY, ANY)
def test_they_intersect_and_subtract_as_sets(some: list[Interval], others: list[Interval]) -> None:
    one, two = merged(some), merged(others)
    assert offsets(common(one, two)) == offsets(one) & offsets(two)
    assert offsets(without(one, two)) == offsets(one) - offsets(two)
    assert merged(without(one, two)) == without(one, two)


@given(ANY, ANY)
def test_intervals_meet_where_they_share_an_offset(
    some: list[Interval], others: list[Interval]
) -> None:
    for one in merged(some):
        assert meets(one, merged(others)) == bool(offsets([one]) & offsets(others))
