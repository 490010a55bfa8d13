"""What every action of a trace needs, on traces worked out by hand, and what is in view of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lre import dialects
from lre.messages import Message, Text, ToolCall, ToolResult
from lre.needs import InView, Need, Past

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("needs_*.json"))


def walk(messages: list[Message], pinned: list[int]) -> Iterator[tuple[int, Need | None]]:
    """Give the need of every turn of the assistant, by its first message."""
    past, turn = Past(), list[int]()
    for index, message in enumerate(messages):
        if message.role == "assistant":
            turn.append(index)
            following = messages[index + 1 : index + 2]
            if any(after.continues for after in following):
                continue
            yield turn[0], past.need(*(messages[i] for i in turn))
        for i in turn or [index]:
            past.add(i, messages[i], pinned=i in pinned)
        turn.clear()


def described(need: Need | None) -> dict[str, Any] | None:
    """Write a need as the golden files do."""
    if need is None:
        return None
    copied = [
        [value[start:end], sorted({m.key[0] for m in found if m.start <= start and end <= m.end})]
        for value, wanted, found in zip(need.values, need.wanted, need.matches, strict=True)
        for start, end in wanted
    ]
    assert need.characters == sum(len(text) for text, _ in copied)
    return {"identifiers": {i: need.holders(i) for i in need.identifiers}, "copied": copied}


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_needs(file: Path) -> None:
    golden = json.loads(file.read_text(encoding="utf-8"))
    _, messages = dialects.parse(golden["messages"])
    found = {str(index): described(need) for index, need in walk(messages, golden["pinned"])}
    assert {k: need for k, need in found.items() if need} == {
        k: need for k, need in golden["needs"].items() if need
    }
    assert golden["needs"].keys() <= found.keys()


def test_there_are_golden_traces() -> None:
    assert len(GOLDEN) == 6


def call(*values: str) -> Message:
    return Message("assistant", (ToolCall("", "act", json.dumps(values)),))


def result(*texts: str) -> Message:
    return Message("tool", tuple(ToolResult("", text) for text in texts))


def needed(past: Past, *values: str) -> Need:
    need = past.need(call(*values))
    assert need is not None
    return need


def past_of(*messages: Message) -> Past:
    past = Past()
    for index, message in enumerate(messages):
        past.add(index, message)
    return past


TEXT = "left with the neighbour at the back door of number 12"


def test_an_identifier_is_in_view_where_a_message_that_holds_it_is() -> None:
    need = needed(past_of(result("A1001"), result("B2002 A1001"), result("none")), "A1001 B2002")
    assert need.identifiers_in(InView([0])) == {"A1001"}
    assert need.identifiers_in(InView([1])) == {"A1001", "B2002"}
    assert need.identifiers_in(InView([2])) == set()
    assert need.holders("A1001") == [0, 1]


def test_of_a_message_in_parts_only_the_kept_intervals_are_in_view() -> None:
    need = needed(past_of(result("first A1001.", "then B2002")), "A1001", "B2002")
    assert need.identifiers_in(InView(parts={0: [[(0, 6)], None]})) == {"B2002"}
    assert need.identifiers_in(InView(parts={0: [[(0, 8), (8, 12)], []]})) == {"A1001"}
    assert need.identifiers_in(InView(parts={0: [[(6, 9), (10, 12)], [(0, 5)]]})) == set()


def test_copied_text_is_in_view_as_far_as_it_is_shown() -> None:
    need = needed(past_of(result(f"note: {TEXT}"), result(TEXT[:23])), TEXT)
    assert need.characters == len(TEXT)
    assert need.characters_in(InView([0])) == len(TEXT)
    assert need.characters_in(InView([1])) == 23
    assert need.characters_in(InView([0, 1])) == len(TEXT)
    assert need.characters_in(InView()) == 0
    assert need.characters_in(InView(parts={0: [[(0, 29)]]})) == 23
    both = InView([1], {0: [[(29, 59)]]})
    assert need.characters_in(both) == len(TEXT) - 1, "the blank between is in neither"


def test_what_the_pins_hold_is_not_needed() -> None:
    past = past_of(result(f"A1001 B2002 {TEXT}"))
    past.add(1, Message("user", (Text(f"A1001 {TEXT[:23]}"),)), pinned=True)
    need = needed(past, "A1001", "B2002", TEXT)
    assert need.identifiers == {"B2002"}
    assert need.copied == [TEXT[23:]]
    assert need.characters_in(InView([0])) == len(TEXT) - 23


def test_matches_that_only_hold_what_the_pins_hold_are_left_out() -> None:
    past = past_of(result(TEXT[:23]), result(TEXT))
    past.add(2, Message("user", (Text(TEXT[:23]),)), pinned=True)
    need = needed(past, TEXT)
    assert [match.key for match in need.matches[0]] == [(1, 0)]


@pytest.mark.parametrize("values", [["new text that nobody ever wrote"], ["A9999"], [""], []])
def test_what_stands_nowhere_is_not_needed(values: list[str]) -> None:
    assert past_of(result(f"A1001 {TEXT}")).need(call(*values)) is None


def test_who_does_not_act_needs_nothing() -> None:
    past = past_of(result(f"A1001 {TEXT}"))
    assert past.need(Message("assistant", (Text(f"A1001 {TEXT}"),))) is None
    assert past.need(Message("user", call("A1001").parts)) is None


def test_a_key_in_an_earlier_text_is_an_occurrence() -> None:
    assert needed(past_of(result('{"order_id": 7}')), "sort by order_id").identifiers == {
        "order_id"
    }


def test_a_need_does_not_change_when_the_past_grows() -> None:
    past = past_of(result(f"A1001 {TEXT}"))
    need = needed(past, "A1001", TEXT)
    past.add(1, result(f"A1001 {TEXT}"))
    assert need.holders("A1001") == [0]
    assert need.characters_in(InView([1])) == 0
