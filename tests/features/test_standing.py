"""What is known of an identifier at one moment, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lre.features import FEATURES, Standing, Uses, matrix, word_hashes
from lre.messages import Message, Text, ToolResult
from lre.pieces import Piece

USER = Message("user", (Text(""),))
RESULT = Message("user", (ToolResult("c1", ""),))
ASSISTANT = Message("assistant", (Text(""),))

# Five units of six messages: the action and its result stand together.
SESSION: list[tuple[Message, list[Piece]]] = [
    (USER, [Piece("move W1001 of user_id")]),
    (ASSISTANT, [Piece("W1001 a/b.py", acting=True), Piece("I look at a/b.py")]),
    (RESULT, [Piece("W1001 is getName, W2002 is not")]),
    (USER, [Piece("thanks")]),
    (ASSISTANT, [Piece("W2002", acting=True)]),
    (USER, [Piece("well")]),
]
OPENERS = [0, 1, 1, 3, 4, 5]
OWNER = np.array([0, 1, 1, 2, 3, 4])
NAMES = ["W1001", "user_id", "a/b.py", "getName", "W2002"]


def standing() -> Standing:
    uses = Uses()
    uses.extend([message for message, _ in SESSION], [pieces for _, pieces in SESSION], OPENERS)
    return Standing(uses, OWNER, 5)


def by_name(values: Any) -> list[float]:
    hashes = standing().uses.index.hashes.tolist()
    assert len(hashes) == len(NAMES)
    return [float(values[hashes.index(int(word_hashes([name])[0]))]) for name in NAMES]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("spread", [2, 1, 1, 1, 2]),
        ("age", [3, 4, 3, 3, 1]),
        ("acts", [1, 0, 1, 0, 1]),
        ("idle", [3, 0, 3, 0, 1]),
        ("lifetime", [4, 4, 3, 3, 3]),
    ],
)
def test_standing(what: str, expected: list[float]) -> None:
    assert by_name(getattr(standing(), what)) == expected


LOG = np.log1p


FEATURES_OF_THESE: dict[str, list[float]] = {
    "spread": LOG([2, 1, 1, 1, 2]).tolist(),
    "once": [0, 1, 1, 1, 0],
    "recency": LOG([3, 4, 3, 3, 1]).tolist(),
    "acts": LOG([1, 0, 1, 0, 1]).tolist(),
    "unacted": [0, 1, 0, 1, 0],
    "since_act": LOG([3, 0, 3, 0, 1]).tolist(),
    "act_share": [0.5, 0, 1, 0, 0.5],
    "lifetime": LOG([4, 4, 3, 3, 3]).tolist(),
    "nearness": [1 / 6] * 5,  # none is six units old
}


@pytest.mark.parametrize(("feature", "expected"), FEATURES_OF_THESE.items())
def test_features(feature: str, expected: list[float]) -> None:
    assert by_name(matrix(standing(), [feature])[:, 0]) == pytest.approx(expected)


def test_nearness_falls_with_the_units_since() -> None:
    uses, size = Uses(), 10
    pieces = [[Piece("W1001")], *[[Piece("hm")]] * (size - 1)]
    uses.extend([USER] * size, pieces, range(size))
    old = Standing(uses, np.arange(size), size)
    assert matrix(old, ["nearness"]).tolist() == [[1 / 10]]


def test_every_feature_of_identifiers_is_worked_out_here() -> None:
    named = {name for name, feature in FEATURES.items() if feature.about == "identifier"}
    assert set(FEATURES_OF_THESE) == named


def test_nothing_stands_nowhere() -> None:
    empty = Standing(Uses(), np.zeros(0, dtype=np.int64), 0)
    names = [name for name, feature in FEATURES.items() if feature.about == "identifier"]
    assert matrix(empty, names).shape == (0, len(names))
