"""The word index against a dictionary."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lre.features.index import WordIndex

# A narrow range makes hashes collide in the table's slots.
BATCHES = st.lists(st.sets(st.integers(0, 2**40) | st.integers(0, 50).map(lambda i: i << 12)))


@given(BATCHES)
def test_each_hash_keeps_its_row_and_no_other_has_it(batches: list[set[int]]) -> None:
    index, known = WordIndex(), dict[int, int]()
    for batch in batches:
        rows = index.rows(np.array(sorted(batch), dtype=np.uint64)).tolist()
        for value, row in zip(sorted(batch), rows, strict=True):
            assert known.setdefault(value, row) == row
    assert sorted(known.values()) == list(range(len(index)))


def test_rows_survive_growth() -> None:
    index = WordIndex()
    values = np.random.default_rng(0).integers(0, 2**40, 20_000).astype(np.uint64)
    values = np.unique(values)
    first = index.rows(values[:300]).tolist()
    index.rows(values)
    assert index.rows(values[:300]).tolist() == first
    assert len(index) == len(values)
