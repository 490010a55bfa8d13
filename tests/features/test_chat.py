"""Features of conversations, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lre.features import FEATURES, Moment, matrix
from lre.features import chat as module
from lre.features.feature import Feature
from lre.ledger import Ledger

TURNS = [
    ("a", "user", "Hi! I moved to Oslo in May."),
    ("a", "user", "Great, thanks! Did you like it?"),
    ("a", "user", "Yes.\n[image: my dog] Two dogs, Rex and 3 cats."),
    ("b", "user", "Where is Oslo?"),
    ("b", "user", "Lovely weather, thanks."),
]
WORDS, BYTES = [7, 6, 10, 3, 3], [27, 31, 46, 14, 23]
LOG = np.log1p(BYTES)


def seen(turns: list[tuple[str, str, str]], segmenter: str = "turns") -> Moment:
    ledger = Ledger(segmenter=segmenter)
    ledger.extend([{"role": r, "content": text, "session": s} for s, r, text in turns])
    return ledger.view().moment


def values(name: str, turns: list[tuple[str, str, str]], segmenter: str = "turns") -> list[float]:
    found: list[float] = matrix(seen(turns, segmenter), [name])[:, 0].tolist()
    return found


def logs(*counts: float) -> list[float]:
    found: list[float] = np.log1p(counts).tolist()
    return found


EXPECTED = {
    "speaker": [1] * 5,
    "spoken": logs(*WORDS),
    "turn_words": logs(*WORDS),
    "reply_words": [0] * 5,
    "asking": [0, 1, 0, 1, 0],
    "exclaiming": [1, 1, 0, 0, 0],
    "breaking": [0, 0, 1, 0, 0],
    "naming": logs(2, 0, 1, 1, 0),
    "counting": logs(0, 0, 1, 0, 0),
    "selves": logs(1, 0, 1, 0, 0),
    "self_share": [1 / 7, 0, 1 / 10, 0, 0],
    "times": logs(1, 0, 0, 0, 0),
    "topics": logs(0, 0, 3, 0, 0),
    "courtesy": [1 / 7, 2 / 6, 1 / 10, 0, 2 / 3],
    "novelty": logs(7, 6, 10, 2, 2),
    "picture": [0, 0, 1, 0, 0],
    "asked": [0, 0, 1, 0, 1],
    "words_before": logs(0, 7, 6, 0, 3),
    "asks_after": [1, 0, 0, 0, 0],
    "courtesy_after": logs(2, 1, 0, 2, 0),
    "session_units": logs(3, 3, 3, 2, 2),
    "outlength": [*(LOG[:3] / LOG[:3].mean()), *(LOG[3:] / LOG[3:].mean())],
}
ELSEWHERE = {"salience", "kinship"}


@pytest.mark.parametrize(("name", "expected"), EXPECTED.items())
def test_features_of_turns(name: str, expected: list[float]) -> None:
    assert values(name, TURNS) == pytest.approx(expected)


def test_every_feature_of_conversations_is_worked_out_here() -> None:
    named = {name for name, one in vars(module).items() if isinstance(one, Feature)}
    assert set(EXPECTED) | ELSEWHERE == named


SESSIONS = [
    ("a", "user", "Hi! I like tea."),
    ("a", "assistant", "Great! Tea is nice!\nWhich?"),
    ("a", "user", "Green tea, since May"),
    ("b", "assistant", "Anything else today?"),
]
OF_SESSIONS = {
    "speaker": [1, 0],
    "spoken": logs(4 + 4, 3),
    "turn_words": logs(4, 3),
    "reply_words": logs(5, 0),
    "exclaiming": [1 / 2, 0],
    "breaking": [0, 0],
    "asking": [0, 1],
    "selves": logs(1, 0),
    "self_share": [1 / 8, 0],
    "courtesy": [1 / 8, 0],
    "times": logs(2, 1),
    "novelty": logs(4 + 3, 3),  # "tea" was said before; a word is new whoever says it
    "session_units": logs(1, 1),
    "asked": [0, 0],
    "outlength": [1, 1],
}


@pytest.mark.parametrize(("name", "expected"), OF_SESSIONS.items())
def test_of_a_session_what_users_say_counts_or_all_where_none_does(
    name: str, expected: list[float]
) -> None:
    assert values(name, SESSIONS, "sessions") == pytest.approx(expected)


def test_likeness_is_by_words_that_were_rare_when_the_unit_came() -> None:
    turns = [("a", "user", text) for text in ("x y", "x z", "w")]
    rare = 1 + np.log(2)  # one unit came before, and lacks "z"
    near = 1 / np.sqrt(2) * 1 / np.sqrt(1 + rare**2)
    assert values("salience", turns) == pytest.approx([0, near, 0])
    assert values("kinship", turns) == pytest.approx([near, near, 0])


def test_a_word_that_many_have_is_no_kinship() -> None:
    few, many = [[("a", "user", "hello")] * count for count in (8, 9)]
    assert values("kinship", few) == pytest.approx([1] * 8)
    assert values("kinship", many) == [0] * 9


INTRINSIC = [name for name in [*EXPECTED, *ELSEWHERE] if FEATURES[name].kind == "intrinsic"]


@pytest.mark.parametrize("name", INTRINSIC)
def test_an_intrinsic_feature_is_what_it_was_when_the_turn_came(name: str) -> None:
    early = [values(name, TURNS[: count + 1])[count] for count in range(len(TURNS))]
    assert early == values(name, TURNS)


def test_nothing_said_is_nothing() -> None:
    assert matrix(seen([]), list(EXPECTED)).shape == (0, len(EXPECTED))
    empty = matrix(seen([("a", "user", "")]), [*EXPECTED, *ELSEWHERE])
    assert dict(zip([*EXPECTED, *ELSEWHERE], empty[0].tolist(), strict=True)) == {
        **dict.fromkeys([*EXPECTED, *ELSEWHERE], 0),
        "session_units": pytest.approx(np.log(2)),
    }
