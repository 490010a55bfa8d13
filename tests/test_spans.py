"""Spans cover a text, never tear an identifier, and come back word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.dialects import parse
from lre.dialects.slots import slot_text
from lre.needs import identifiers
from lre.spans import bounds, gaps, marker, shortened
from lre.testing.strategies import texts
from lre.tokens import counter
from realdata import sessions

TOKEN = re.compile(r"[\w./@-]")
MARKER = re.compile(r"\[[\d,]+ tokens cut\]")
LONG = st.lists(texts() | st.sampled_from(["a. B", ', "', "\\n", "。", "\r\n", ";"]), max_size=40)
TEXTS = st.one_of(texts(), LONG.map(" ".join), LONG.map("".join))


def spans(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise(bounds(text))]


def without(text: str, kept: Sequence[bool]) -> str:
    gone = gaps(text, bounds(text), kept)
    return shortened(text, gone, [end - start for start, end in gone])


def test_a_text_of_lines_is_cut_into_lines() -> None:
    lines = [
        "def total(order_id, items):\n",
        '    first = load_all_the_orders("the orders of", "2024", "and an id", order_id)\n\n',
        "    return first + items\r\n",
        "# What follows? All that is left.",
    ]
    assert spans("".join(lines)) == lines


def test_short_lines_go_with_what_follows_and_a_short_end_with_what_precedes() -> None:
    text = "{\n  a\n  a line of some characters\nand one more of them, too\n}\n"
    assert spans(text) == [
        "{\n  a\n  a line of some characters\n",
        "and one more of them, too\n}\n",
    ]


def test_a_long_line_is_cut_into_records() -> None:
    text = (
        '[{"flight": "HAT057", "seats": [7, 17, 5]}, {"flight": "HAT010", "seats": [4, 0, 0]},'
        '{"flight":"HAT1"},{"seats":[1]}]'
    )
    assert spans(text) == [
        '[{"flight": "HAT057", "seats": [7, 17, 5]},',
        ' {"flight": "HAT010", "seats": [4, 0, 0]},',
        '{"flight":"HAT1"},{"seats":[1]}]',
    ]


def test_records_are_found_within_a_string_of_json() -> None:
    inner = json.dumps([{"flight": f"HAT{number}", "to": "MIA"} for number in range(9)])
    assert all(piece.endswith(",") for piece in spans(json.dumps({"out": inner}))[:-1])


def test_a_long_line_is_cut_into_sentences() -> None:
    sentences = [
        "Your order #W2378156 is on its way to Zürich.",
        " Does version 3.14 of src/app.py, i.e. the latest one, work for you?",
        ' She wrote: "It never did!"',
        " Özgür asked mia@example.org. and got no answer.",
    ]
    assert spans("".join(sentences)) == sentences


def test_chinese_sentences_need_no_blank() -> None:
    sentences = [
        "订单号码是W2378156,请确认您的地址和电话号码。",
        "他说:「我们已经收到您的订单,谢谢您的耐心等待!」",
    ] * 3
    text = "".join(sentences).replace("!", "！")
    assert spans(text) == [sentence.replace("!", "！") for sentence in sentences]


def test_a_long_string_of_json_is_cut_at_the_lines_within() -> None:
    lines = [f"-rw-r--r-- 1 root root 4096 file_{number}" for number in range(20)]
    pieces = spans(json.dumps({"output": "\n".join(lines)}))
    assert [piece.removeprefix("\\n") for piece in pieces[1:-1]] == lines[1:-1]
    assert all("\\n" not in piece[2:] for piece in pieces)


def test_a_doubled_backslash_stays_whole() -> None:
    pieces = spans(json.dumps("C:\\new\\names " * 60))
    assert not any(piece.endswith("\\") for piece in pieces)


def test_a_long_text_without_any_place_is_cut_at_blanks() -> None:
    text = "word " * 300
    assert {*map(len, spans(text)[:-1])} <= {*range(200, 206)}
    assert spans("x" * 5000) == ["x" * 5000]


def test_short_texts_are_one_span() -> None:
    assert (bounds(""), bounds("\n"), bounds("Hi. There.")) == ([0], [0, 1], [0, 10])


@given(TEXTS)
def test_spans_cover_the_text_and_are_long_enough(text: str) -> None:
    assert "".join(spans(text)) == text
    assert len(text) < 24 or min(map(len, spans(text))) >= 24


@given(TEXTS)
def test_no_bound_tears_a_token_or_an_escape(text: str) -> None:
    for bound in bounds(text)[1:-1]:
        assert not (TOKEN.match(text[bound - 1]) and TOKEN.match(text[bound]))
        assert not re.match(r'\\[\\"/bfnrtu]', text[bound - 1 : bound + 1])
        assert text[bound - 1 : bound + 1] != "\r\n"


@given(TEXTS, st.data())
def test_what_is_kept_stands_word_for_word_around_markers(text: str, data: st.DataObject) -> None:
    pieces = spans(text)
    kept = data.draw(st.lists(st.booleans(), min_size=len(pieces), max_size=len(pieces)))
    stay = [piece for piece, stays in zip(pieces, kept, strict=True) if stays]
    short, at = without(text, kept), 0
    for piece in stay:
        at = short.index(piece, at) + len(piece)
    assert identifiers(short) == {name for piece in stay for name in identifiers(piece)}
    assert bool(short) == bool(text)


@given(TEXTS, st.integers(0, 3))
def test_gaps_and_what_lies_between_them_make_up_the_text(text: str, phase: int) -> None:
    kept = [place % 3 == phase for place in range(len(bounds(text)) - 1)]
    gone = gaps(text, bounds(text), kept)
    again = [text[start:end] for start, end in gone]
    between = MARKER.split(without(text, kept))
    assert "".join(a + b for a, b in zip(between, [*again, ""], strict=True)) == text
    assert bool(gone) == (not all(kept) and text not in ("\r", "\n", "\r\n"))
    assert all(end < start for (_, end), (start, _) in pairwise(gone))


def test_lines_stay_lines_around_a_gap() -> None:
    text = "a line of some characters\r\n" * 4
    assert without(text, [True, False, False, True]) == (
        "a line of some characters\r\n[52 tokens cut]\r\na line of some characters\r\n"
    )


def test_a_gap_within_a_line_stays_within_it() -> None:
    text = (
        "The first of four sentences. Here is the second of them. And the third one comes."
        " A fourth one makes it long enough."
    )
    assert without(text, [True, False, False, True]) == (
        "The first of four sentences.[53 tokens cut] A fourth one makes it long enough."
    )


def test_each_span_needs_an_answer() -> None:
    with pytest.raises(ValueError, match="zip"):
        gaps("Hi", [0, 2], [])
    with pytest.raises(ValueError, match="zip"):
        shortened("Hi", [(0, 2)], [])


@pytest.mark.parametrize("tokens", [1, 312, 999, 1234, 56789, 1234567])
def test_a_marker_is_inert_and_short(tokens: int) -> None:
    assert identifiers(marker(tokens)) == set()
    assert counter().count([marker(tokens)])[0] == 5 + 2 * (tokens > 999) + 2 * (tokens > 999999)


HARD = [
    ".", ", ", "\\", "。", "\n", "a", "\\n", ".'", ". (", "; ", '{"', ",\\", " ", "]", ". A",
]  # fmt: skip


@pytest.mark.parametrize("piece", HARD)
def test_a_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    """Quadratic, it would take minutes: the runner of the tests would give up."""
    assert bounds(piece * 400_000)[-1] == 400_000 * len(piece)


@pytest.mark.parametrize(
    "collection", ["agent/tau2_bench", "agent/tau_bench", "agent/mini_swe_agent"]
)
def test_spans_of_real_texts_tear_no_identifier(collection: str) -> None:
    for name, entries in sessions(collection)[:60]:
        dialect = parse(entries)[0]
        for entry in entries:
            for text in (slot_text(entry, path) for path in dialect.slots(entry)):
                pieces = spans(text)
                assert "".join(pieces) == text, name
                assert identifiers(text) == set().union(*map(identifiers, pieces)), name
