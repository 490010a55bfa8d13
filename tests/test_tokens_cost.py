"""What messages, a system prompt and tools cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.dialects.base import Framing
from lre.errors import SettingError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult
from lre.tokens import extra_cost, message_costs

FRAMING = Framing(message=1000, call=100, result=10, reply=7)
FREE = Framing(message=0, call=0, result=0, reply=0)


class Characters:
    """One token a character; remembers its calls."""

    name = "characters"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        self.calls.append(list(texts))
        return [len(text) for text in texts]


class Dumped:
    """An SDK's object."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields

    def model_dump(self, **_: object) -> dict[str, object]:
        return self.fields


def cost(*parts: Part, framing: Framing = FRAMING) -> int:
    return message_costs([Message("assistant", parts)], framing, Characters())[0]


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        (Text("four"), 1004),
        (ToolCall("id-is-free", "find", '{"a":1}'), 1000 + 100 + 4 + 7),
        (ToolResult("id-is-free", "four"), 1000 + 10 + 4),
        (ToolResult("", "", media=(Media("image", 85), Media("image", 5))), 1000 + 10 + 90),
        (Media("image", 85), 1085),
        (Reasoning("four"), 1004),
        (Reasoning("", sealed=16), 1003),
        (Reasoning("", sealed=17), 1004),
        (Reasoning("four", sealed=16), 1004),
        (Reasoning("four", sealed=160), 1030),
    ],
)
def test_a_part_costs_its_text_and_its_frame(part: Part, tokens: int) -> None:
    assert cost(part) == tokens


def test_a_message_without_parts_costs_its_frame() -> None:
    assert cost() == 1000


def test_every_text_is_counted_once_and_all_in_one_call() -> None:
    counter = Characters()
    messages = [
        Message("user", (Text("do"),)),
        Message("assistant", (Reasoning("hm"), ToolCall("1", "f", "{}"), ToolCall("2", "g", ""))),
        Message("tool", (ToolResult("1", "one"), ToolResult("2", "two"))),
    ]
    assert message_costs(messages, FREE, counter) == [2, 2 + 3 + 1, 6]
    assert counter.calls == [["do", "hm", "f", "{}", "g", "", "one", "two"]]


def test_no_messages_cost_nothing() -> None:
    assert message_costs([], FRAMING, Characters()) == []


@given(st.lists(st.lists(st.text(max_size=9), max_size=4), max_size=5))
def test_a_message_costs_the_same_among_others(history: list[list[str]]) -> None:
    messages = [Message("user", tuple(map(Text, texts))) for texts in history]
    together = message_costs(messages, FRAMING, Characters())
    alone = [message_costs([message], FRAMING, Characters())[0] for message in messages]
    assert together == alone


@pytest.mark.parametrize(
    ("system", "tools", "tokens"),
    [
        (None, None, 7),
        ("four", None, 7 + 1000 + 4),
        ("", [], 7),
        (["four", {"type": "text", "text": "six"}], None, 7 + 1000 + 7),
        ([Dumped(type="text", text="four")], None, 7 + 1000 + 4),
        (None, [{"name": "é"}], 7 + len('{"name":"é"}')),
        (None, [Dumped(name="f"), {"a": Dumped(b=1)}], 7 + len('{"name":"f"}{"a":{"b":1}}')),
        (None, ({"a": {1}},), 7 + len('{"a":"{1}"}')),
    ],
)
def test_system_and_tools_are_counted_beside_the_messages(
    system: Any, tools: Any, tokens: int
) -> None:
    assert extra_cost(system, tools, FRAMING, Characters()) == tokens


def test_system_and_tools_take_one_call() -> None:
    counter = Characters()
    extra_cost("s", [{"a": 1}, {"b": 2}], FRAMING, counter)
    assert counter.calls == [["s", '{"a":1}', '{"b":2}']]


@pytest.mark.parametrize(
    ("system", "tools", "where"),
    [
        (3, None, "system"),
        ({"text": "alone"}, None, "system"),
        (b"bytes", None, "system"),
        (["fine", {"type": "image"}], None, r"system\[1\]"),
        ([3], None, r"system\[0\]"),
        (None, "tools.json", "tools"),
        (None, {"name": "f"}, "tools"),
        (None, [{"name": "f"}, print], r"tools\[1\]"),
        (None, [Dumped], r"tools\[0\]"),
        (None, [{(1, 2): "pair"}], "tools"),
    ],
)
def test_anything_else_is_named_by_its_place(system: Any, tools: Any, where: str) -> None:
    with pytest.raises(SettingError, match=f"@ {where}: give "):
        extra_cost(system, tools, FRAMING, Characters())
