"""States of units, worked out by hand, and the table that names them."""

from __future__ import annotations

import numpy as np
import pytest

from lre.errors import UnknownNameError
from lre.features import FEATURES, Moment, Prefix, matrix
from lre.messages import Message, Text, Unit

TEXTS = ["order W1001 for mia_li_22", "hello", "W1001 is B2002", "B2002 W1001", "bye"]


def moment(texts: list[str], units: list[tuple[int, ...]] | None = None) -> Moment:
    groups = units or [(i,) for i in range(len(texts))]
    opener = {index: group[0] for group in groups for index in group}
    prefix = Prefix()
    messages = [Message("user", (Text(text),)) for text in texts]
    prefix.extend(messages, [opener[i] for i in range(len(texts))])
    return Moment(prefix, [Unit(group, "user") for group in groups])


def feature(name: str, texts: list[str] = TEXTS) -> list[float]:
    return [round(float(v), 6) for v in matrix(moment(texts), [name])[:, 0]]


def test_reuse_counts_later_units_of_the_most_used_identifier() -> None:
    assert moment(TEXTS).reuse.tolist() == [2, 0, 1, 0, 0]


def test_reused_counts_introduced_identifiers_that_came_again() -> None:
    assert moment(TEXTS).reused.tolist() == [1, 0, 1, 0, 0]


def test_sole_identifiers_are_in_no_later_unit() -> None:
    assert moment(TEXTS).sole.tolist() == [1, 0, 0, 2, 0]


def test_live_identifiers_were_seen_in_the_latest_five_units() -> None:
    assert moment(["W1001", *["-"] * 4]).live.tolist() == [1, 0, 0, 0, 0]
    assert moment(["W1001", *["-"] * 5]).live.tolist() == [0] * 6
    assert moment(["W1001", *["-"] * 5, "W1001"]).live.tolist() == [1, 0, 0, 0, 0, 0, 1]


def test_idle_counts_units_since_it_mattered() -> None:
    assert moment(TEXTS).idle.tolist() == [1, 3, 1, 1, 0]


def test_a_re_use_within_the_unit_itself_is_none() -> None:
    assert moment(["W1001", "W1001", "W1001"], [(0, 1), (2,)]).reuse.tolist() == [1, 0]
    assert moment(["W1001", "W1001"], [(0, 1)]).reuse.tolist() == [0]


def test_a_unit_adds_up_its_messages() -> None:
    together = moment(["a b", "c ? W1001"], [(0, 1)])
    assert together.sum("words").tolist() == [4]
    assert matrix(together, ["question", "link"]).tolist() == [[1, 1]]


def test_age_and_position_are_of_the_moment() -> None:
    assert feature("position") == [0, 0.2, 0.4, 0.6, 0.8]
    assert feature("age") == [round(float(np.log1p(i)), 6) for i in (4, 3, 2, 1, 0)]


def test_a_moment_of_nothing_is_empty() -> None:
    assert matrix(moment([]), list(FEATURES)).shape == (0, len(FEATURES))


def test_an_unknown_feature_gets_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="unknown feature 'mood'"):
        matrix(moment(TEXTS), ["mood"])


def test_the_table_documents_every_feature() -> None:
    for name, entry in FEATURES.items():
        assert entry.name == name
        assert len(entry.meaning) > 10
        assert entry.source
        assert entry.high > 0
