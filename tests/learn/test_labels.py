"""Hindsight labels, each worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lre.features import Uses, word_hashes
from lre.learn.labels import LABELS, Future, reused
from lre.messages import Message, Text, Unit
from lre.pieces import Piece

# Said, or acted with (an arrow); each line is a unit of one message. The moment is before line 4.
SESSION = (
    "orders W1001 W1002 W1003 W1004 W1005",
    "nothing",
    "W1001",
    "→W1002",
    # From here on it is the future.
    "→W1001",
    "W1002 is late",
    "→W1002 W1003",
    "W1003 W1004",
    "W1003",
    "W1004 W1004 W1004",
)
MOMENT = 4


def future(lines: tuple[str, ...] = SESSION, start: int = MOMENT) -> tuple[Future, Uses]:
    uses = Uses()
    messages = [Message("assistant", (Text(line),)) for line in lines]
    pieces = [[Piece(line.strip("→"), line.startswith("→"))] for line in lines]
    uses.extend(messages, pieces, [*range(len(lines))])
    return Future(uses, np.arange(len(lines)), start), uses


def labelled(name: str, lines: tuple[str, ...] = SESSION, start: int = MOMENT) -> list[str]:
    seen, uses = future(lines, start)
    names = [f"W100{n}" for n in range(1, 6)]
    places = uses.index.hashes.tolist()
    labels = LABELS[name](seen)
    assert labels.shape == (len(places),)
    there = [word for word in names if int(word_hashes([word])[0]) in places]
    return [word for word in there if labels[places.index(int(word_hashes([word])[0]))]]


def test_needed_is_what_an_action_has_before_anything_else_shows_it() -> None:
    """W1002 is said again before it is acted with, W1003 is first shown by the action itself."""
    assert labelled("need") == ["W1001", "W1003"]


def test_in_an_action_sooner_or_later() -> None:
    assert labelled("reuse-in-action") == ["W1001", "W1002", "W1003"]


def test_three_later_units_whatever_they_do_with_it() -> None:
    assert labelled("reuse") == ["W1003"]


def test_only_what_comes_after_the_moment_counts() -> None:
    assert labelled("need", start=5) == ["W1003"]
    assert labelled("reuse-in-action", start=7) == []
    assert labelled("reuse", start=7) == []


@pytest.mark.parametrize("name", LABELS)
def test_without_a_future_nothing_is_needed(name: str) -> None:
    assert labelled(name, start=len(SESSION)) == []


def test_a_message_that_says_and_does_says_it_first() -> None:
    """Pieces that act come before the rest: what it acts with was in no earlier piece."""
    uses = Uses()
    said = [Message("user", (Text("W1001"),)), Message("assistant", (Text("W1001"),))]
    uses.extend(said, [[Piece("W1001")], [Piece("W1001", True), Piece("take W1001")]], [0, 1])
    assert LABELS["need"](Future(uses, np.arange(2), 1)).tolist() == [True]


def test_messages_of_one_unit_count_as_one() -> None:
    uses = Uses()
    said = [Message("user", (Text("W1001"),))] * 4
    uses.extend(said, [[Piece("W1001")]] * 4, [0, 1, 1, 3])
    assert LABELS["reuse"](Future(uses, np.array([0, 1, 1, 2]), 1)).tolist() == [False]
    assert LABELS["reuse"](Future(uses, np.array([0, 1, 2, 3]), 1)).tolist() == [True]


# The paper's, of units


def units(*texts: str) -> list[bool]:
    messages = [Message("user", (Text(text),)) for text in texts]
    labels: list[bool] = reused(messages, [Unit((i,), "user") for i in range(len(texts))]).tolist()
    return labels


@pytest.mark.parametrize(
    ("texts", "label"),
    [
        (("id A1001", "A1001", "A1001", "A1001 again"), [True, False, False, False]),
        (("id A1001", "A1001", "A1001"), [False, False, False]),
        (("A1001", "A1001 A1001 A1001"), [False, False]),
        (("A1001 B2002 C3003", "A1001", "B2002", "C3003"), [False] * 4),
    ],
    ids=[
        "three later units",
        "two do not do",
        "a unit counts once",
        "different ones do not add up",
    ],
)
def test_the_paper_wants_three_later_units(texts: tuple[str, ...], label: list[bool]) -> None:
    assert units(*texts) == label


def test_only_the_unit_that_introduces_an_identifier_is_credited() -> None:
    found = units("nothing", "A1001 B2002", "A1001", "A1001 B2002", "A1001")
    assert found == [False, True, False, False, False]


def test_the_messages_of_a_unit_are_read_together() -> None:
    messages = [Message("user", (Text(text),)) for text in ("A1001", "A1001", "A1001", "A1001")]
    assert not reused(
        messages, [Unit((0, 1), "user"), Unit((2,), "user"), Unit((3,), "user")]
    ).any()


def test_labels_tell_apart() -> None:
    assert len({tuple(labelled(name)) for name in LABELS}) == len(LABELS)
