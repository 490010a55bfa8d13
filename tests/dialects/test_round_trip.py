"""What a dialect can express survives being written and read; what was read is never changed."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lre.dialects import DIALECTS
from lre.messages import Message, Part, Reasoning, Role, Text, ToolCall, ToolResult

WORDS = st.text(min_size=1, max_size=8)
IDS = st.text(alphabet="ab_1", max_size=3)
CALLS = st.builds(ToolCall, IDS, WORDS, st.sampled_from(["{}", '{"a": 1}', '{"b": ["ü"]}']))
TEXTS = st.builds(Text, WORDS)
THOUGHTS = st.builds(Reasoning, WORDS)

SPEAKERS: dict[str, list[Role]] = {
    "openai-chat": ["system", "developer", "user"],
    "openai-responses": ["system", "developer", "user"],
    "anthropic": ["system", "user"],
    "gemini": ["user"],
    "bedrock": ["system", "user"],
}
IN_BLOCKS = ("anthropic", "gemini", "bedrock")  # results in a row are written as one entry
ANSWERED = ("gemini", "bedrock")  # what follows the assistant belongs to it, whoever it is from


@st.composite
def turns(draw: st.DrawFn, name: str) -> list[Message]:
    """Draw what one speaker adds: only what the dialect has a form for."""
    kind = draw(st.sampled_from(["speaker", "assistant", "tool"]))
    if kind == "speaker":
        texts: list[Part] = draw(st.lists(TEXTS, min_size=1, max_size=3))
        return [Message(draw(st.sampled_from(SPEAKERS[name])), tuple(texts))]
    if kind == "tool":
        errors = st.booleans() if name in IN_BLOCKS else st.just(False)
        results = st.builds(ToolResult, IDS, WORDS | st.just(""), errors)
        most = 3 if name in IN_BLOCKS else 1
        return [Message("tool", tuple(draw(st.lists(results, min_size=1, max_size=most))))]
    thoughts: list[Part] = draw(st.lists(THOUGHTS, max_size=1))
    said: list[Part] = draw(st.lists(TEXTS, max_size=2))
    calls: list[Part] = draw(st.lists(CALLS, min_size=1, max_size=2))
    if name != "openai-responses":
        return [Message("assistant", (*thoughts, *said, *calls))]
    # Every item of a response is a message of its own.
    groups = [(part,) for part in thoughts] + [tuple(said)] * bool(said) + [(c,) for c in calls]
    return [Message("assistant", group) for group in groups]


def histories(name: str) -> st.SearchStrategy[list[Message]]:
    return st.lists(turns(name), max_size=6).map(
        lambda drawn: _with_turns(name, [message for turn in drawn for message in turn])
    )


def _with_turns(name: str, messages: list[Message]) -> list[Message]:
    """Mark what continues a turn, and leave out what would be merged."""
    history: list[Message] = []
    for message in messages:
        previous = history[-1].role if history else None
        if name in IN_BLOCKS and previous == message.role == "tool":
            continue
        joins = message.role != "system" if name in ANSWERED else message.role == "assistant"
        follows = name != "openai-chat" and previous == "assistant" and joins
        history.append(Message(message.role, message.parts, continues=follows))
    return history


def read(name: str, entries: list[Any]) -> list[Message]:
    messages: list[Message] = []
    for entry in entries:
        previous = messages[-1] if messages else None
        messages.append(DIALECTS[name].parse(entry, previous, "entry"))
    return messages


@pytest.mark.parametrize("name", DIALECTS)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_written_messages_are_read_as_they_were(name: str, data: st.DataObject) -> None:
    history = data.draw(histories(name))
    entries = DIALECTS[name].render(history)
    untouched = copy.deepcopy(entries)
    again = read(name, entries)
    assert again == history
    assert entries == untouched
    rendered = DIALECTS[name].render(again)
    assert len(rendered) == len(entries)
    assert all(a is b for a, b in zip(rendered, entries, strict=True))
