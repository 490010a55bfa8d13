"""States of units, worked out by hand, and the table that names them."""

from __future__ import annotations

import pytest

from lre.errors import UnknownNameError
from lre.features import FEATURES, Moment, Prefix, matrix
from lre.messages import Message, Text, ToolResult, Unit
from lre.policies import lre_paper

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


def test_a_unit_adds_up_its_messages() -> None:
    together = moment(["a b", "c W1001"], [(0, 1)])
    assert together.sum("words").tolist() == [4]
    assert matrix(together, ["words", "link"]).tolist() == [[4, 1]]


def test_position_is_of_the_moment() -> None:
    assert feature("position") == [0, 0.2, 0.4, 0.6, 0.8]
    assert feature("position", TEXTS[:4]) == [0, 0.25, 0.5, 0.75]


def test_similarity_is_the_share_of_words_that_the_unit_before_has() -> None:
    assert feature("similarity", ["a b", "b c", "a"]) == [0, 0.5, 0]


def test_three_words_of_program_code_make_code() -> None:
    assert feature("code", ["def return", "def return class", "nothing"]) == [0, 1, 0]


def test_a_failed_result_is_an_error_whatever_it_says() -> None:
    said: list[ToolResult | Text] = [
        ToolResult("a", "done", is_error=True),
        ToolResult("b", "KeyError"),
        Text("done"),
    ]
    prefix = Prefix()
    prefix.extend([Message("tool", (part,)) for part in said], [0, 1, 2])
    units = [Unit((i,), "tool") for i in range(3)]
    assert matrix(Moment(prefix, units), ["error"])[:, 0].tolist() == [1, 1, 0]


def test_a_moment_of_nothing_is_empty() -> None:
    assert matrix(moment([]), lre_paper.FEATURES).shape == (0, 10)


def test_the_features_of_units_are_those_of_the_paper() -> None:
    assert [f.name for f in FEATURES.values() if f.about == "unit"] == [*lre_paper.FEATURES]


def test_an_unknown_feature_gets_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="unknown feature 'mood'"):
        matrix(moment(TEXTS), ["mood"])


def test_the_table_documents_every_feature() -> None:
    for name, entry in FEATURES.items():
        assert entry.name == name
        assert len(entry.meaning) > 10
        assert entry.source
        assert entry.high > 0
