"""What has become of each identifier, against a plain reference; in whatever pieces it came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.dialects import DIALECTS, Dialect, parse
from lre.features import Uses, word_hashes
from lre.messages import Message, Text, ToolResult
from lre.needs import identifiers
from lre.pieces import SPLITTERS, Piece, whole
from lre.testing.samples import KNOTS, LISTS, SAMPLES
from lre.testing.strategies import conversations, valid_conversations
from lre.units import Segmenter

SPOKEN = st.sampled_from(sorted(DIALECTS)).flatmap(
    lambda name: st.tuples(
        st.just(DIALECTS[name]),
        st.sampled_from([SAMPLES[name], KNOTS[name], LISTS[name]])
        | conversations(name)
        | valid_conversations(name),
    )
)


def named(text: str) -> list[int]:
    """Give the hashes of the identifiers of a text, read on its own."""
    uses = Uses()
    uses.extend([Message("user", ())], [[Piece(text)]], [0])
    hashes: list[int] = uses.index.hashes.tolist()
    return hashes


@dataclass
class Known:
    """One identifier, counted one occurrence after the other."""

    units: int = 0
    acts: int = 0
    first: int = -1
    last: int = -1
    acted: int = -1


def reference(pieces: Sequence[Sequence[Piece]], openers: Sequence[int]) -> dict[int, Known]:
    known: dict[int, Known] = {}
    for index, group in enumerate(pieces):
        for piece in group:
            for name in named(piece.text):
                entry = known.setdefault(name, Known(first=index))
                entry.units += entry.last < 0 or openers[entry.last] != openers[index]
                entry.last = index
                if piece.acting:
                    entry.acts += entry.acted < 0 or openers[entry.acted] != openers[index]
                    entry.acted = index
    return known


def counted(uses: Uses) -> dict[int, tuple[Any, ...]]:
    """Give, by hash, all that is known of each identifier."""
    columns = (uses.units, uses.acts, uses.first, uses.last, uses.acted)
    rows = zip(*(column.values.tolist() for column in columns), strict=True)
    return dict(zip(uses.index.hashes.tolist(), rows, strict=True))


def read(
    dialect: Dialect, entries: Sequence[Any], granularity: str = "unit", size: int = 10**9
) -> tuple[Uses, list[list[Piece]], list[int]]:
    messages, segmenter, uses = parse(entries, dialect)[1], Segmenter(), Uses()
    openers = [segmenter.append(message) for message in messages]
    pieces = [SPLITTERS[granularity](message, dialect) for message in messages]
    for start in range(0, len(messages), size):
        some = slice(start, start + size)
        uses.extend(messages[some], pieces[some], openers[some])
    return uses, pieces, openers


@given(SPOKEN)
def test_counts_are_those_of_one_occurrence_after_the_other(
    case: tuple[Dialect, list[Any]],
) -> None:
    uses, pieces, openers = read(*case)
    assert counted(uses) == {
        name: tuple(vars(known).values()) for name, known in reference(pieces, openers).items()
    }


@given(SPOKEN, st.integers(1, 4))
def test_batches_change_nothing(case: tuple[Dialect, list[Any]], size: int) -> None:
    together, apart = read(*case)[0], read(*case, size=size)[0]
    assert counted(together) == counted(apart)
    assert links(together) == links(apart)


@given(SPOKEN)
def test_cutting_into_spans_changes_nothing(case: tuple[Dialect, list[Any]]) -> None:
    assert counted(read(*case)[0]) == counted(read(*case, "span")[0])


def links(uses: Uses) -> set[tuple[int, int]]:
    words = uses.index.hashes[uses.word.values].tolist()
    pairs = list(zip(uses.piece.values.tolist(), words, strict=True))
    assert len(pairs) == len({*pairs}), "each pair once"
    return {*pairs}


@given(SPOKEN, st.sampled_from(sorted(SPLITTERS)))
def test_links_say_which_piece_carries_which_identifier(
    case: tuple[Dialect, list[Any]], granularity: str
) -> None:
    uses, pieces, _ = read(*case, granularity)
    flat = [piece for group in pieces for piece in group]
    expected = {(place, key) for place, piece in enumerate(flat) for key in named(piece.text)}
    assert links(uses) == expected
    assert uses.acting.values.tolist() == [piece.acting for piece in flat]
    assert uses.bytes.values.tolist() == [
        len(piece.text.encode("utf-8", "surrogatepass")) for piece in flat
    ]
    assert uses.message.values.tolist() == [
        index for index, group in enumerate(pieces) for _ in group
    ]


@pytest.mark.parametrize("dialect", LISTS)
def test_identifiers_are_those_that_actions_need(dialect: str) -> None:
    """On plain text; the lexer takes bytes for characters, and round numbers for names."""
    for message in parse(LISTS[dialect], dialect)[1]:
        for piece in whole(message, DIALECTS[dialect]):
            assert {*named(piece.text)} == {*word_hashes(sorted(identifiers(piece.text)))}


def test_links_stand_in_the_order_of_pieces() -> None:
    uses, _, _ = read(DIALECTS["anthropic"], LISTS["anthropic"], "span", size=2)
    assert uses.piece.values.tolist() == sorted(uses.piece.values.tolist())


@pytest.mark.parametrize(
    ("message", "result"),
    [
        (Message("user", (Text("Hi"),)), False),
        (Message("user", (ToolResult("c1", "42"), Text("and?"))), True),
        (Message("tool", (ToolResult("c1", "42"),)), True),
        (Message("assistant", (Text("Hi"),)), False),
        (Message("system", (Text("Be brief."),)), False),
    ],
)
def test_a_message_with_a_result_is_one(message: Message, result: bool) -> None:
    uses = Uses()
    uses.extend([message], [whole(message, DIALECTS["openai-chat"])], [0])
    assert uses.result.values.tolist() == [result]


def test_nothing_is_known_of_nothing() -> None:
    uses = Uses()
    uses.extend([], [], [])
    assert (len(uses), len(uses.piece), len(uses.units)) == (0, 0, 0)
    uses.extend([Message("user", ())], [[]], [0])
    uses.extend([Message("user", (Text("no such word"),))], [[Piece("no such word")]], [1])
    assert (len(uses), len(uses.piece), len(uses.units)) == (2, 0, 0)
