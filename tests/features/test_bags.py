"""Words of units: by hand, and against a plain reference in dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.features import Bags

Vector = dict[int, float]

SIZE = 12
PAIRS = st.lists(st.tuples(st.integers(1, 7), st.integers(0, SIZE - 1)), max_size=60)


def bags(pairs: list[tuple[int, int]], size: int = SIZE) -> Bags:
    """Make bags of a hash and a unit for each message that has the word."""
    hashes = np.array([word for word, _ in pairs], dtype=np.uint64)
    return Bags(hashes, np.array([unit for _, unit in pairs], dtype=np.int64), size)


def having(word: int, *units: int) -> list[tuple[int, int]]:
    return [(word, unit) for unit in units]


def weights(pairs: list[tuple[int, int]]) -> list[Vector]:
    """Inverse document frequency among the units before, scaled to length 1."""
    units = [{word for word, at in pairs if at == unit} for unit in range(SIZE)]
    found = []
    for unit, words in enumerate(units):
        before = {word: sum(word in one for one in units[:unit]) for word in words}
        found.append(unit_length({w: log((1 + unit) / (1 + before[w])) + 1 for w in words}))
    return found


def unit_length(vector: Vector) -> Vector:
    length = sqrt(sum(value**2 for value in vector.values()))
    return {word: value / length for word, value in vector.items()}


def total(vectors: list[Vector]) -> Vector:
    return {w: sum(one.get(w, 0) for one in vectors) for one in vectors for w in one}


def cosine(one: Vector, other: Vector) -> float:
    dot = sum(value * other.get(word, 0) for word, value in one.items())
    lengths = [sqrt(sum(value**2 for value in v.values())) for v in (one, other)]
    return dot / (lengths[0] * lengths[1]) if dot else 0.0


def similarities(pairs: list[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Of pairs of units, by words that two to eight units have."""
    spread = Counter(word for word, _ in set(pairs))
    of = [{w: v for w, v in one.items() if spread[w] <= 8} for one in weights(pairs)]
    return {
        (a, b): sum(of[a][word] * of[b][word] for word in of[a].keys() & of[b].keys())
        for a, b in combinations(range(SIZE), 2)
        if of[a].keys() & of[b].keys()
    }


@given(PAIRS)
def test_weights_are_of_the_moment_when_the_unit_came(pairs: list[tuple[int, int]]) -> None:
    made, expected = bags(pairs), weights(pairs)
    found: list[Vector] = [{} for _ in range(SIZE)]
    for word, unit, weight in zip(made.word, made.unit, made.weight, strict=True):
        found[unit][int(made.hashes[word])] = float(weight)
    assert found == [pytest.approx(one) for one in expected]


@given(PAIRS)
def test_salience_is_the_cosine_to_the_sum_of_what_came_before(
    pairs: list[tuple[int, int]],
) -> None:
    known = weights(pairs)
    expected = [cosine(one, total(known[:unit])) for unit, one in enumerate(known)]
    assert bags(pairs).salience().tolist() == pytest.approx(expected, abs=1e-9)


@given(PAIRS)
def test_centrality_is_the_cosine_to_the_sum_of_all(pairs: list[tuple[int, int]]) -> None:
    counts = [Counter(word for word, at in pairs if at == unit) for unit in range(SIZE)]
    spread = Counter(word for word, _ in set(pairs))
    rows = [
        unit_length({w: n * (log((1 + SIZE) / (1 + spread[w])) + 1) for w, n in one.items()})
        for one in counts
    ]
    expected = [cosine(one, total(rows)) for one in rows]
    assert bags(pairs).centrality().tolist() == pytest.approx(expected, abs=1e-9)


@given(PAIRS)
def test_kinship_is_the_greatest_similarity_to_another_unit(pairs: list[tuple[int, int]]) -> None:
    near = similarities(pairs)
    most = [max((v for k, v in near.items() if unit in k), default=0) for unit in range(SIZE)]
    assert bags(pairs).kinship().tolist() == pytest.approx(most, abs=1e-9)


@given(PAIRS)
def test_a_unit_recalls_the_most_akin_of_those_before_it(pairs: list[tuple[int, int]]) -> None:
    near, recalls = similarities(pairs), bags(pairs).recalls()
    assert [by for by, _ in recalls] == sorted({later for _, later in near})
    for by, recalled in recalls:
        most = max(value for (_, later), value in near.items() if later == by)
        assert near[recalled, by] == pytest.approx(most)


@given(PAIRS)
def test_bags_do_not_depend_on_the_order_of_the_words(pairs: list[tuple[int, int]]) -> None:
    one, other = bags(pairs), bags(pairs[::-1])
    assert one.weight.tolist() == other.weight.tolist()
    assert one.salience().tolist() == other.salience().tolist()
    assert one.kinship().tolist() == other.kinship().tolist()


def test_of_two_that_are_as_akin_the_later_is_recalled() -> None:
    assert bags(having(1, 2, 3), SIZE).recalls() == [(3, 2)]
    assert bags(having(1, 0, 1) + having(2, 1, 2) + having(3, 0, 2), 3).recalls()[-1][0] == 2
    assert bags(having(1, 4, 5, 6), SIZE).recalls() == [(5, 4), (6, 5)]


def test_a_word_links_up_to_eight_units() -> None:
    assert bags(having(1, *range(8))).kinship().tolist() == [1] * 8 + [0] * 4
    assert bags(having(1, *range(9))).kinship().tolist() == [0] * SIZE
    assert bags(having(1, 4)).kinship().tolist() == [0] * SIZE


def test_the_first_unit_and_one_of_new_words_have_no_salience() -> None:
    made = bags([*having(1, 0, 1), *having(2, 2), *having(1, 3)], 4)
    assert made.salience().tolist() == pytest.approx([0, 1, 0, made.salience()[3]])
    assert 0 < made.salience()[3] < 1


def test_words_are_by_hash_each_pair_once() -> None:
    made = bags([(9, 1), (9, 1), (7, 0), (9, 0)], 3)
    assert made.words.hash.tolist() == [7, 9, 9]
    assert made.words.unit.tolist() == [0, 0, 1]
    assert made.words.types.tolist() == [2, 1, 0]
    assert made.count.tolist() == [1, 1, 2]
    assert made.bounds.tolist() == [0, 1, 3]
    assert made.spread.tolist() == [1, 2, 2]


@pytest.mark.parametrize("size", [0, 3])
def test_units_without_words_are_nothing_to_anything(size: int) -> None:
    empty = bags([], size)
    for values in (empty.salience(), empty.centrality(), empty.kinship(), empty.words.types):
        assert values.tolist() == [0] * size
    assert empty.recalls() == []
