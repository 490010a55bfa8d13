"""Messages in pieces: nothing shown is lost, and what is never cut is no span."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.dialects import DIALECTS, Dialect, get, parse
from lre.dialects.slots import slot_text
from lre.messages import Message
from lre.needs import action, shown
from lre.pieces import Piece, spans, whole
from lre.testing.samples import KNOTS, LISTS, SAMPLES
from lre.testing.strategies import conversations

SPOKEN = st.sampled_from(sorted(DIALECTS)).flatmap(
    lambda name: st.tuples(
        st.just(DIALECTS[name]),
        st.sampled_from([SAMPLES[name], KNOTS[name], LISTS[name]]) | conversations(name),
    )
)
LINES = "a first line of some length\nand a second line as long\nthen there is a third one"
CHAT, CLAUDE = get("openai-chat"), get("anthropic")


def read(dialect: Dialect, entry: Any) -> Message:
    return parse([entry], dialect)[1][0]


def cut(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.span]


def fixed(pieces: list[Piece]) -> list[tuple[str, bool]]:
    return [(piece.text, piece.acting) for piece in pieces if not piece.span]


def test_lines_of_a_result_are_spans_and_its_id_is_not() -> None:
    message = read(CHAT, {"role": "tool", "tool_call_id": "c1", "content": LINES})
    assert cut(spans(message, CHAT)) == LINES.splitlines(keepends=True)
    assert fixed(spans(message, CHAT)) == []
    assert fixed(whole(message, CHAT)) == [(LINES, False)]


def test_of_a_turn_that_calls_the_words_are_spans_and_the_call_is_not() -> None:
    blocks = [
        {"type": "thinking", "thinking": LINES, "signature": "s"},
        {"type": "text", "text": LINES},
        {"type": "tool_use", "id": "c1", "name": "look", "input": {"what": LINES}},
    ]
    message = read(CLAUDE, {"role": "assistant", "content": blocks})
    pieces = spans(message, CLAUDE)
    assert cut(pieces) == LINES.splitlines(keepends=True)
    assert fixed(pieces) == [(LINES, True), (LINES, False)]
    assert {piece.span.slot.path for piece in pieces if piece.span} == {("content", 1, "text")}
    assert fixed(whole(message, CLAUDE)) == [(LINES, True), (f"{LINES}\n{LINES}", False)]


def test_an_action_that_is_written_into_a_text_is_never_cut() -> None:
    text = f"I look at it now, first of all.\n```bash\n{LINES}\n```"
    message = read(CHAT, {"role": "assistant", "content": text})
    assert spans(message, CHAT) == whole(message, CHAT)
    assert fixed(spans(message, CHAT)) == [(LINES, True), (text, False)]


def test_of_an_observation_the_beginning_stays() -> None:
    message = read(CHAT, {"role": "user", "content": f"Observation: {LINES}"})
    first, *rest = f"Observation: {LINES}".splitlines(keepends=True)
    assert fixed(spans(message, CHAT)) == [(first, False)]
    assert cut(spans(message, CHAT)) == rest


def test_what_a_user_says_like_an_action_is_none() -> None:
    message = read(CHAT, {"role": "user", "content": f"Run this.\n```bash\n{LINES}\n```"})
    assert not any(piece.acting for piece in whole(message, CHAT) + spans(message, CHAT))


@pytest.mark.parametrize("content", ["", None, []])
def test_nothing_said_is_no_piece(content: Any) -> None:
    message = read(CHAT, {"role": "assistant", "content": content})
    assert whole(message, CHAT) == spans(message, CHAT) == []


def test_a_text_that_stands_there_twice_is_two_slots() -> None:
    blocks = [{"type": "text", "text": LINES}, {"type": "text", "text": LINES}]
    message = read(CLAUDE, {"role": "user", "content": [{
        "type": "tool_result", "tool_use_id": "c1", "content": blocks,
    }]})  # fmt: skip
    slots = {piece.span.slot for piece in spans(message, CLAUDE) if piece.span}
    assert sorted(slot.offset for slot in slots) == [0, len(LINES) + 1]


@given(SPOKEN)
def test_spans_lead_to_their_text_in_the_entry_and_in_what_is_shown(
    case: tuple[Dialect, list[Any]],
) -> None:
    dialect, entries = case
    for message in parse(entries, dialect)[1]:
        for piece in spans(message, dialect):
            if not piece.span:
                continue
            slot, start, end = piece.span
            assert slot_text(message.raw, slot.path) == slot.text
            assert slot.text[start:end] == piece.text != ""
            at = slot.offset
            assert shown(message)[slot.number][at + start : at + end] == piece.text


@given(SPOKEN)
def test_spans_of_a_slot_follow_each_other_to_its_end(case: tuple[Dialect, list[Any]]) -> None:
    dialect, entries = case
    for message in parse(entries, dialect)[1]:
        found = [piece.span for piece in spans(message, dialect) if piece.span]
        for one, other in zip(found, [*found[1:], None], strict=False):
            same = other is not None and other.slot is one.slot
            assert one.end == (other.start if same and other else len(one.slot.text))


@given(SPOKEN)
def test_pieces_say_together_what_is_shown(case: tuple[Dialect, list[Any]]) -> None:
    """But for line breaks between texts; what an action says is no longer in its call."""
    dialect, entries = case
    for message in parse(entries, dialect)[1]:
        acts = "\n".join(action(message))
        for pieces in (whole(message, dialect), spans(message, dialect)):
            acting = [piece.text for piece in pieces if piece.acting]
            assert acting == [acts] * bool(acts)
            said = {word for text in shown(message) for word in text.split()}
            told = {word for piece in pieces for word in piece.text.split()}
            assert told <= said | {*acts.split()}
