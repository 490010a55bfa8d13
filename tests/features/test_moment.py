"""States of units, worked out by hand, and the table that names them."""

from __future__ import annotations

import numpy as np
import pytest

from lre.errors import UnknownNameError
from lre.features import FEATURES, Moment, Prefix, matrix
from lre.features.feature import OURS, PAPER
from lre.messages import Message, Role, Text, ToolResult, Unit
from lre.policies import lre_chat, lre_paper

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


def test_the_features_of_units_are_those_of_the_paper_and_those_of_conversations() -> None:
    units = [f for f in FEATURES.values() if f.about == "unit"]
    assert [f.name for f in units if f.source == PAPER] == [*lre_paper.FEATURES]
    assert {f.name for f in units if f.source == OURS} == {*lre_chat.FEATURES} - {"position"}


def test_an_unknown_feature_gets_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="unknown feature 'mood'"):
        matrix(moment(TEXTS), ["mood"])


def test_the_table_documents_every_feature() -> None:
    for name, entry in FEATURES.items():
        assert entry.name == name
        assert len(entry.meaning) > 10
        assert entry.source
        assert entry.high > 0


def test_the_unit_before_and_after_are_of_the_same_session() -> None:
    sessions = talk(("a", "one"), ("a", "two"), ("b", "three"), ("b", "four"))
    values = np.array([1.0, 2, 3, 4])
    assert sessions.before(values).tolist() == [0, 1, 0, 3]
    assert sessions.after(values).tolist() == [2, 0, 4, 0]
    assert sessions.of_session(values).tolist() == [3, 3, 7, 7]


def test_without_marks_all_is_one_session() -> None:
    assert moment(["one", "two"]).session.tolist() == [0, 0]


def test_a_unit_is_of_the_session_that_it_begins_in() -> None:
    prefix = Prefix()
    prefix.extend([entry("a"), entry("b"), entry("b")], [0, 0, 2])
    units = [Unit((0, 1), "user"), Unit((2,), "user")]
    assert Moment(prefix, units).session.tolist() == [1, 2]


def test_said_is_what_users_say_or_all_where_none_does() -> None:
    messages = [entry("a", "tea please"), entry("a", "one cup", "assistant")]
    messages.append(entry("b", "who is there", "assistant"))
    prefix = Prefix()
    prefix.extend(messages, [0, 0, 2])
    seen = Moment(prefix, [Unit((0, 1), "user"), Unit((2,), "assistant")])
    assert seen.said("words").tolist() == [2, 3]
    assert seen.sum("words").tolist() == [4, 3]
    assert seen.said_words.types.tolist() == [2, 3]
    assert seen.words.words.types.tolist() == [4, 0]  # "who is there" are function words


def test_a_result_that_a_user_hands_back_is_not_said() -> None:
    prefix = Prefix()
    prefix.extend([Message("user", (ToolResult("c", "42 items"),)), entry("a", "thanks")], [0, 0])
    seen = Moment(prefix, [Unit((0, 1), "user")])
    assert seen.said("words").tolist() == [1]


def talk(*turns: tuple[str, str]) -> Moment:
    prefix = Prefix()
    prefix.extend([entry(session, text) for session, text in turns], range(len(turns)))
    return Moment(prefix, [Unit((i,), "user") for i in range(len(turns))])


def entry(session: str, text: str = "hm", role: Role = "user") -> Message:
    return Message(role, (Text(text),), {"session": session})
