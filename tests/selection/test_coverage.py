"""What is covered is paid for once, and never more than there is to spend."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.selection import Cover, Stock, cover


def links(*carried: str) -> tuple[Any, Any]:
    """Say which pieces carry which words, a letter for each."""
    pairs = [(piece, ord(word) - ord("a")) for piece, words in enumerate(carried) for word in words]
    piece, word = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return piece, word


def carried(*said: str, weight: Any = (1.0,) * 8, worth: Any = None) -> Cover:
    extra = np.zeros(len(said)) if worth is None else np.array(worth, dtype=np.float64)
    return Cover(*links(*said), np.array(weight, dtype=np.float64), extra)


def whole(*price: int) -> Stock:
    """Units of one piece that is never cut."""
    size = len(price)
    return Stock(np.array(price), np.arange(size), np.zeros(size, int), np.full(size, -1), 0)


def spans(unit: list[int], cost: list[int], slot: list[int], marker: int = 0) -> Stock:
    """Units that cost 2 without their spans but for the markers."""
    slots = {u: {k for v, k in zip(unit, slot, strict=True) if v == u and k >= 0} for u in unit}
    price = [2 + marker * len(slots[u]) for u in sorted(slots)]
    return Stock(np.array(price), np.array(unit), np.array(cost), np.array(slot), marker)


def free(size: int, *held: int) -> Any:
    mask = np.ones(size, dtype=np.bool_)
    mask[list(held)] = False
    return mask


def spent(stock: Stock, units: Any, pieces: Any, among: Any) -> int:
    """Tokens of the free units that are open: pieces, and a marker for each gap."""
    total = 0
    for u in np.flatnonzero(units & among).tolist():
        own = np.flatnonzero(stock.unit == u).tolist()
        slots = {k for k in stock.slot[own].tolist() if k >= 0}
        total += int(stock.price[u]) - stock.marker * len(slots)
        for slot in slots:
            there = [bool(pieces[p]) for p in own if stock.slot[p] == slot]
            total += sum(int(stock.cost[p]) for p in own if stock.slot[p] == slot and pieces[p])
            starts = [True, *there]
            total += stock.marker * sum(a and not b for a, b in pairwise(starts))
    return total


def opened(what: Cover, stock: Stock, limit: int, *held: int) -> list[int]:
    units, pieces = cover(what, stock, free(len(stock.price), *held), limit)
    assert spent(stock, units, pieces, free(len(stock.price), *held)) <= limit
    return np.flatnonzero(units).tolist()


def taken(what: Cover, stock: Stock, limit: int, *held: int) -> list[int]:
    among = free(len(stock.price), *held)
    units, pieces = cover(what, stock, among, limit)
    assert spent(stock, units, pieces, among) <= limit
    return np.flatnonzero(pieces).tolist()


# Whole units


def test_ties_go_to_the_newer() -> None:
    assert opened(carried("a", "b", "c"), whole(5, 5, 5), 10) == [1, 2]


def test_the_same_word_is_not_paid_for_twice() -> None:
    assert opened(carried("ab", "ab", "c"), whole(5, 5, 5), 10) == [1, 2]
    assert opened(carried("a", "a", "a"), whole(1, 1, 1), 10) == [2]


def test_what_the_held_carry_counts_nothing() -> None:
    assert opened(carried("a", "ab", "c"), whole(5, 9, 5), 14, 0) == [0, 1, 2]
    assert opened(carried("ab", "ab", "c"), whole(5, 5, 5), 10, 0) == [0, 2]


def test_the_held_stay_and_cost_nothing() -> None:
    assert opened(carried("", "a"), whole(99, 5), 5, 0) == [0, 1]
    assert opened(carried("", "a"), whole(99, 5), 4, 0) == [0]


def test_the_most_worth_per_token_goes_first() -> None:
    what = carried("a", "b", weight=[0.9, 0.5])
    assert opened(what, whole(10, 5), 10) == [1]
    assert opened(what, whole(8, 5), 10) == [0]


def test_worth_falls_as_more_is_covered() -> None:
    """The first would be second by what it carries alone."""
    assert opened(carried("abc", "ab", "d"), whole(3, 3, 3), 6) == [0, 2]


def test_what_is_worth_nothing_stays_out_even_for_nothing() -> None:
    assert opened(carried("a", "b", weight=[0.0, 1.0]), whole(0, 5), 10) == [1]


def test_worth_beside_the_words_is_never_covered() -> None:
    assert opened(carried("a", "a", worth=[0.1, 0.1]), whole(5, 5), 10) == [0, 1]


def test_nothing_to_choose_from() -> None:
    assert opened(carried("a", "b"), whole(1, 1), 0, 0, 1) == [0, 1]


# Spans


def test_a_unit_is_opened_for_the_sake_of_a_span() -> None:
    stock = spans([0, 0, 0, 1], [0, 3, 30, 9], [-1, 0, 0, -1])
    assert taken(carried("", "abc", "d", ""), stock, 5) == [0, 1]


def test_spans_are_bought_one_by_one() -> None:
    stock = spans([0, 0, 0, 0], [0, 4, 4, 4], [-1, 0, 0, 0])
    what = carried("", "a", "b", "c", weight=[0.9, 0.5, 0.7])
    assert taken(what, stock, 6) == [0, 1]
    assert taken(what, stock, 10) == [0, 1, 3]
    assert taken(what, stock, 14) == [0, 1, 2, 3]


def test_a_span_with_the_words_of_another_is_left_out() -> None:
    stock = spans([0, 0, 0], [0, 4, 4], [-1, 0, 0])
    assert taken(carried("", "ab", "a"), stock, 99) == [0, 1]


def test_a_span_that_fills_a_gap_pays_for_no_marker() -> None:
    """Two spans in the middle: with the last but one gap between them gone, there is room."""
    stock = spans([0] * 4, [0, 5, 5, 5], [-1, 0, 0, 0], marker=4)
    what = carried("", "a", "b", "c", weight=[1.0, 0.25, 1.0])
    assert taken(what, stock, 16) == [0, 1, 3]
    assert taken(what, stock, 17) == [0, 1, 2, 3]


def test_a_span_between_gaps_pays_for_a_marker() -> None:
    stock = spans([0] * 4, [0, 5, 5, 5], [-1, 0, 0, 0], marker=4)
    what = carried("", "", "a", "")
    assert taken(what, stock, 2 + 4 + 5 + 4) == [0, 2]
    assert taken(what, stock, 2 + 4 + 5 + 3) == []


def test_slots_of_a_unit_have_gaps_of_their_own() -> None:
    stock = spans([0] * 4, [5, 5, 5, 5], [0, 0, 1, 1], marker=4)
    assert taken(carried("", "a", "b", ""), stock, 2 + 8 + 10) == [1, 2]


def test_fixed_pieces_come_with_their_unit() -> None:
    stock = spans([0, 0, 1], [0, 4, 0], [-1, 0, -1])
    assert taken(carried("ab", "a", "a"), stock, 99) == [0]


WORDS = st.text("abcdef", max_size=3).map(lambda word: "".join(sorted({*word})))
UNITS = st.lists(st.tuples(WORDS, st.integers(0, 12)), max_size=6)
WEIGHTS = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=6, max_size=6)


def value(what: Cover, pieces: list[int]) -> float:
    words = {w for p, w in zip(what.piece.tolist(), what.word.tolist(), strict=True) if p in pieces}
    return sum(what.weight[list(words)]) + sum(what.worth[pieces])


@given(UNITS, WEIGHTS, st.integers(0, 40))
def test_greedy_is_within_a_unit_of_half_of_the_best(
    units: list[tuple[str, int]], weights: list[float], limit: int
) -> None:
    """By density, a cover or the best single unit reaches (1 - 1/e) / 2 (Leskovec et al.)."""
    what, stock = carried(*(w for w, _ in units), weight=weights), whole(*(c for _, c in units))
    best, single = 0.0, 0.0
    for number in range(1 << len(units)):
        some = [place for place in range(len(units)) if number >> place & 1]
        if sum(units[place][1] for place in some) <= limit:
            best = max(best, value(what, some))
            single = max(single, value(what, some)) if len(some) == 1 else single
    found = value(what, opened(what, stock, limit))
    assert max(found, single) >= 0.316 * best - 1e-9


@given(UNITS, WEIGHTS, st.integers(0, 40))
def test_nothing_that_fits_and_adds_is_left(
    units: list[tuple[str, int]], weights: list[float], limit: int
) -> None:
    what, stock = carried(*(w for w, _ in units), weight=weights), whole(*(c for _, c in units))
    chosen = opened(what, stock, limit)
    left = limit - sum(units[place][1] for place in chosen)
    for place in {*range(len(units))} - {*chosen}:
        adds = value(what, [*chosen, place]) > value(what, chosen)
        assert not (adds and units[place][1] <= left)


@st.composite
def stocked(draw: st.DrawFn) -> tuple[Cover, Stock, Any]:
    """Draw units with fixed pieces and slots of several spans."""
    unit, cost, slot, said = [], [], [], []
    count = draw(st.integers(1, 4))
    slots = iter(range(99))
    for number in range(count):
        for size in (-1, *draw(st.lists(st.integers(1, 4), max_size=2))):
            place = next(slots) if size > 0 else -1
            for _ in range(max(size, 1)):
                unit.append(number)
                slot.append(place)
                cost.append(draw(st.integers(0, 9)) if size > 0 else 0)
                said.append(draw(WORDS))
    held = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    stock = spans(unit, cost, slot, marker=draw(st.integers(0, 4)))
    return carried(*said, weight=draw(WEIGHTS)), stock, ~np.array(held)


@given(stocked(), st.integers(0, 60))
def test_spans_never_go_over_the_limit(case: tuple[Cover, Stock, Any], limit: int) -> None:
    what, stock, among = case
    units, pieces = cover(what, stock, among, limit)
    assert spent(stock, units, pieces, among) <= limit
    assert units[~among].all()
    assert not pieces[~units[stock.unit]].any()
    fixed = (stock.slot < 0) & units[stock.unit]
    assert pieces[fixed].all()


@given(stocked(), st.integers(0, 60), st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_matter(
    case: tuple[Cover, Stock, Any], limit: int, random: Any
) -> None:
    what, stock, among = case
    order = [*range(len(what.piece))]
    random.shuffle(order)
    mixed = Cover(what.piece[order], what.word[order], what.weight, what.worth)
    first, second = cover(what, stock, among, limit), cover(mixed, stock, among, limit)
    assert first.units.tolist() == second.units.tolist()
    assert first.pieces.tolist() == second.pieces.tolist()


@pytest.mark.parametrize("size", [50, 400])
def test_ties_go_to_the_newer_however_many_there_are(size: int) -> None:
    what = Cover(np.arange(size), np.arange(size), np.full(size, 0.5), np.zeros(size))
    assert opened(what, whole(*[3] * size), 30) == [*range(size - 10, size)]
