"""Conversations as rows: what goes together stays together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lre.features import matrix, word_hashes
from lre.learn.talks import Talk, joined, opened, picked, spellings, talk
from lre.traces import Question, Trace

FEATURES = ("spoken", "asking")
OSLO = Question("Where?", "Oslo", evidence=(1,))


def trace(*turns: tuple[object, str], how: str = "turns", **marks: Any) -> Trace:
    messages = [{"role": "user", "content": t, "session": s, **marks} for s, t in turns]
    return Trace("", "", messages, questions=(OSLO,), segmenter=how)


def made(one: Trace) -> Talk:
    return talk(one, opened(one).view(), FEATURES, ["gold", "answered"])


ANN = made(trace(("a", "Hi, who are you?"), ("a", "Ann of Oslo, Oslo!"), ("b", "")))
BO = made(trace(("b", "Oslo?"), ("c", "Oslo in May")))


def words(rows: Talk) -> list[list[int]]:
    units: list[list[int]] = [[] for _ in rows.said.types]
    for unit, word in zip(rows.said.unit, rows.said.hash, strict=True):
        units[unit].append(int(word))
    return units


def same(one: Talk, other: Talk) -> bool:
    arrays = [(one.values, other.values), (one.session, other.session)]
    arrays += [(one.said.types, other.said.types)]
    arrays += [(one.labels[name], other.labels[name]) for name in ("gold", "answered")]
    return all(np.array_equal(a, b) for a, b in arrays) and words(one) == words(other)


def test_a_row_is_a_unit_with_its_words_session_and_labels() -> None:
    assert ANN.values.tolist() == [[np.log(5), 1], [np.log(5), 0], [0, 0]]
    assert [len(one) for one in words(ANN)] == ANN.said.types.tolist() == [4, 3, 0]
    assert ANN.session[0] == ANN.session[1] != ANN.session[2]
    assert ANN.labels["gold"].tolist() == ANN.labels["answered"].tolist() == [0, 1, 0]


def test_units_are_those_of_the_log_unless_others_are_asked_for() -> None:
    one = trace(("a", "Hi"), ("a", "you"), ("b", "Bye"), how="sessions")
    assert [unit.messages for unit in opened(one).units()] == [(0, 1), (2,)]
    assert [unit.messages for unit in opened(one, "turns").units()] == [(0,), (1,), (2,)]


def test_a_session_is_known_again_by_what_is_said_not_by_its_mark_or_time() -> None:
    early = made(trace((1, "Hi"), (1, "Bye"), time="May"))
    again = made(trace((7, "Hi"), (7, "Bye"), (8, "Hi"), time="June"))
    assert again.session[0] == again.session[1] == early.session[0]
    assert again.session[2] != early.session[0]


def test_a_session_of_other_people_is_another() -> None:
    said = made(trace(("a", "Hi"), ("b", "Hi")))
    replied = trace(("a", "Hi"), ("b", "Bye"))
    replied.messages[0]["role"] = "assistant"
    assert said.session[0] == said.session[1] != made(replied).session[0]


def test_joined_rows_stand_end_to_end_with_their_words() -> None:
    both = joined([ANN, BO])
    assert both.values.tolist() == [*ANN.values.tolist(), *BO.values.tolist()]
    assert words(both) == [*words(ANN), *words(BO)]
    assert both.said.types.tolist() == [4, 3, 0, 1, 3]
    assert both.labels["gold"].tolist() == [0, 1, 0, 0, 1]
    assert matrix(opened(trace(("a", "x"))).view().moment, FEATURES).shape == (1, 2)


def test_picking_undoes_joining() -> None:
    both = joined([ANN, BO])
    assert same(picked(both, np.arange(3)), ANN)
    assert same(picked(both, np.array([3, 4])), BO)
    assert words(picked(both, np.array([1, 4]))) == [words(ANN)[1], words(BO)[1]]
    assert len(picked(both, np.zeros(0, dtype=np.int64)).values) == 0


def test_no_conversations_cannot_be_joined() -> None:
    with pytest.raises(ValueError, match="at least one array"):
        joined([])


def test_a_conversation_of_nothing_has_no_rows() -> None:
    empty = talk(Trace("", "", []), opened(Trace("", "", [])).view(), FEATURES, ["gold"])
    assert (empty.values.shape, len(empty.session)) == ((0, 2), 0)


def spelt(text: str, *wanted: str) -> list[str]:
    hashes = np.array(word_hashes(wanted), dtype=np.uint64)
    return sorted(spellings([text], hashes).values())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I love OSLO.", "oslo"),
        ("See ./src/App.py-", "src/app.py"),
        ("mail mia@example.org!", "mia@example.org"),
        ("Über Äpfel", "Äpfel"),  # only ASCII is folded
        ("我叫王小明", "王"),
        ("T-1001,T-1002", "t-1002"),
    ],
)
def test_words_are_spelt_in_lower_case_as_the_lexer_parts_them(text: str, word: str) -> None:
    assert spelt(text, word) == [word]


@pytest.mark.parametrize("text", ["thanks..secret", "thanks--secret", "(thanks)...secret@home"])
def test_a_spelling_tells_nothing_of_the_word_beside_it(text: str) -> None:
    """Only words that many sessions have are asked for; their neighbours may be private."""
    assert spelt(text, "thanks") == ["thanks"]
    assert spelt("我叫王小明", "我") == ["我"]


def test_what_no_text_has_or_no_file_could_hold_is_not_spelt() -> None:
    assert spelt("Ann lives in Oslo", "Rome") == []
    assert spelt("x" * 64 + " " + "y" * 65, "x" * 64, "y" * 65) == ["x" * 64]


def test_reading_stops_once_all_is_known() -> None:
    def texts() -> Any:
        yield "Oslo"
        raise AssertionError("read on")

    assert len(spellings(texts(), np.array(word_hashes(["oslo"]), dtype=np.uint64))) == 1
