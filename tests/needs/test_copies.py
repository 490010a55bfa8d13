"""Copied text, against a reference that compares everything with everything."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.needs import CopyIndex, Interval, Match, clipped
from lre.needs import copies as module

FOX = "the quick brown fox jumps over the lazy dog"
# Few words and few blanks, so that stretches repeat, overlap and begin or end inside words.
TEXT = st.lists(
    st.sampled_from(["alpha", "beta", "alphabeta", "é_1", " ", " ", "  ", "\n", "-", "(", "."]),
    max_size=40,
).map("".join)


def words(text: str) -> list[Interval]:
    return [match.span() for match in re.finditer(r"\w+", text)]


def reference(texts: list[str], value: str) -> list[Match[int]]:
    """Try every pair of words, and follow it word by word."""
    found = [match for key, text in enumerate(texts) for match in pairs(key, text, value)]
    return sorted(found, key=lambda match: (match.start, match.end, match.key, match.at))


def pairs(key: int, text: str, value: str) -> Iterator[Match[int]]:
    mine, theirs = words(value), words(text)

    def same(i: int, j: int, count: int) -> bool:
        if i < 0 or j < 0 or i + count > len(mine) or j + count > len(theirs):
            return False
        ours = value[mine[i][0] : mine[i + count - 1][1]]
        return ours == text[theirs[j][0] : theirs[j + count - 1][1]]

    for i in range(len(mine)):
        for j in range(len(theirs)):
            if not same(i, j, 1) or same(i - 1, j - 1, 2):
                continue
            count = 1
            while same(i, j, count + 1):
                count += 1
            start, end = mine[i][0], mine[i + count - 1][1]
            if count >= 3 and end - start >= 16:
                yield Match(key, start, end, theirs[j][0])


def index_of(*texts: str) -> CopyIndex[int]:
    index: CopyIndex[int] = CopyIndex()
    for key, text in enumerate(texts):
        index.add(key, text)
    return index


@given(st.lists(TEXT, max_size=3), TEXT)
def test_finds_what_comparing_everything_finds(texts: list[str], value: str) -> None:
    assert index_of(*texts).find(value) == reference(texts, value)


@pytest.mark.parametrize(
    ("value", "stretches"),
    [
        (FOX, [FOX]),
        ("a quick brown fox!", []),
        ("see: quick brown fox jumps; lazy dog", ["quick brown fox jumps"]),
        ("quick  brown fox jumps over", ["brown fox jumps over"]),
        ("Quick Brown Fox Jumps Over", []),
        ("quick brown fox jump", []),
        ("thequick brown fox jumps overt", []),
        ("thequick brown fox jumped over the lazy dogs", []),
        ("thequick brown fox jumps over", ["brown fox jumps over"]),
        ("own fox jumps over the", ["fox jumps over the"]),
        ("over the lazy dog", ["over the lazy dog"]),
        ("incomprehensibilities dog", []),
    ],
)
def test_a_stretch_is_long_whole_words_and_exact(value: str, stretches: list[str]) -> None:
    assert [value[m.start : m.end] for m in index_of(FOX).find(value)] == stretches


def test_two_long_words_are_not_enough() -> None:
    text = "incomprehensibilities internationally"
    assert index_of(text).find(text) == []


def test_sixteen_characters_are_enough_and_fifteen_are_not() -> None:
    assert index_of("(aaaa bbbbb ccccc)").find("aaaa bbbbb ccccc") == [Match(0, 0, 16, 1)]
    assert index_of("(aaaa bbbbb cccc)").find("aaaa bbbbb cccc") == []


def test_every_text_and_place_that_holds_a_stretch_is_named() -> None:
    found = index_of(f"{FOX}. {FOX}!", "", FOX, "nothing", f"- {FOX}").find(FOX)
    assert [(match.key, match.at) for match in found] == [(0, 0), (0, 45), (2, 0), (4, 2)]


def test_stretches_of_one_value_may_overlap() -> None:
    value = "the quick brown fox jumps over"
    found = index_of("the quick brown fox sits", "a brown fox jumps over").find(value)
    assert [value[m.start : m.end] for m in found] == [
        "the quick brown fox",
        "brown fox jumps over",
    ]


def test_an_index_grows() -> None:
    index: CopyIndex[str] = CopyIndex()
    assert index.find(FOX) == []
    index.add("later", FOX)
    assert [match.key for match in index.find(FOX)] == ["later"]


def test_of_many_places_the_newest_are_found() -> None:
    index = index_of(*[FOX] * 100)
    assert [match.key for match in index.find(FOX)] == [*range(100 - module._PLACES, 100)]


def test_a_stretch_with_rare_words_is_found_however_common_the_others() -> None:
    index = index_of(f"{FOX}, said Ada", *[FOX] * 100)
    assert index.find(f"{FOX}, said Ada")[-1] == Match(0, 0, len(FOX) + 10, 0)


@pytest.mark.parametrize("period", [["0"], ["0", "1"], ["ab", "cd", "ef"]])
def test_texts_that_repeat_themselves_take_no_time(period: list[str]) -> None:
    text, start = ", ".join(period * 20_000), time.process_time()
    assert index_of(text).find(text[: len(text) // 4])
    assert time.process_time() - start < 20


def test_a_clipped_match_keeps_what_is_shown_of_it() -> None:
    match = Match("k", 4, 4 + len(FOX), 10)
    value = f"say {FOX}"
    assert clipped(match, value, [(0, 200)]) == [match.span]
    assert clipped(match, value, [(0, 10), (53, 99)]) == []


def test_kept_parts_that_touch_are_one() -> None:
    match = Match("k", 0, len(FOX), 0)
    assert clipped(match, FOX, [(12, 20), (0, 12), (20, 25)]) == [(0, 25)]
    assert clipped(match, FOX, [(0, 12), (13, 25)]) == []


def test_a_clipped_match_is_trimmed_to_whole_words_and_stays_long_enough() -> None:
    match = Match("k", 0, len(FOX), 0)
    assert clipped(match, FOX, [(1, 25)]) == [(4, 25)]
    assert clipped(match, FOX, [(4, 25)]) == [(4, 25)]
    assert clipped(match, FOX, [(0, 24)]) == [(0, 19)]
    assert clipped(match, FOX, [(3, 20)]) == []
    assert clipped(match, FOX, [(3, 26), (30, 43)]) == [(4, 25)]


def test_two_long_words_of_a_match_are_not_enough() -> None:
    value = "incomprehensibilities internationally and so on"
    assert clipped(Match("k", 0, len(value), 0), value, [(0, 38)]) == []
    assert clipped(Match("k", 0, len(value), 0), value, [(0, 42)]) == [(0, 41)]


@given(TEXT, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
def test_what_is_clipped_is_found_in_what_is_shown(text: str, kept: list[Interval]) -> None:
    merged = [(a, b) for a, b in sorted(kept) if a < b]
    for match in index_of(text).find(text):
        for start, end in clipped(match, text, merged):
            stretch = text[start:end]
            assert match.start <= start < end <= match.end
            assert any(m.end - m.start == len(stretch) for m in index_of(stretch).find(stretch))
            shown = set().union(*(range(a, b) for a, b in merged))
            at = start + match.at - match.start
            assert set(range(at, at + len(stretch))) <= shown
