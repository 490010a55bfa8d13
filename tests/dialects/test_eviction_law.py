"""Taking whole units out of a list never adds a problem (law 2), whatever the list is like.

A unit is what pairing and `continues` tie together. Kept are the system messages, the first
other message if it is the user's, the task (the first thing the user says), units with an open
call, and the unit of the last message.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lre.dialects import parse
from lre.dialects.pairing import Pairing, pairs
from lre.messages import Media, Message, Text, ToolCall, ToolResult

Entry = dict[str, Any]

IDS = st.sampled_from(["a", "a", "b", "c", "REDACTED", ""])
WORDS = st.sampled_from(["", "x", "x ", None])


@st.composite
def chat_entries(draw: st.DrawFn) -> Entry:
    role = draw(st.sampled_from(["assistant", "tool", "user", "assistant", "tool", "system"]))
    entry: Entry = {"role": role, "content": draw(WORDS)}
    if role == "tool":
        return entry | {"tool_call_id": draw(IDS)}
    if role == "system":
        return entry
    calls = [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}}
        for i in draw(st.lists(IDS, max_size=3))
    ]
    return entry | ({"tool_calls": calls} if calls else {})


@st.composite
def response_items(draw: st.DrawFn) -> Entry:
    kind = draw(
        st.sampled_from(
            [
                "function_call",
                "function_call_output",
                "function_call_output",
                "reasoning",
                "message",
            ]
        )
    )
    if kind == "message":
        role = draw(st.sampled_from(["user", "assistant", "developer"]))
        return {"type": kind, "role": role, "content": draw(WORDS)}
    if kind == "reasoning":
        return {"type": kind, "summary": [], "id": draw(st.sampled_from(["r", "s"]))}
    more = {"name": "f", "arguments": "{}"} if kind == "function_call" else {"output": "x"}
    return {"type": kind, "call_id": draw(IDS), **more}


@st.composite
def anthropic_entries(draw: st.DrawFn) -> Entry:
    kinds = {
        "text": st.builds(lambda t: {"type": "text", "text": t or ""}, WORDS),
        "thinking": st.just({"type": "thinking", "thinking": "hm", "signature": "s"}),
        "use": st.builds(lambda i: {"type": "tool_use", "id": i, "name": "f", "input": {}}, IDS),
        "result": st.builds(lambda i: {"type": "tool_result", "tool_use_id": i}, IDS),
    }
    role = draw(st.sampled_from(["user", "assistant", "user", "assistant", "system"]))
    usual = {"user": ["result", "result", "text"], "assistant": ["use", "use", "text", "thinking"]}
    chosen = usual.get(role, ["text"])
    if not draw(st.integers(0, 9)):
        chosen = list(kinds)  # now and then a block that has no business there
    blocks = st.sampled_from(chosen).flatmap(kinds.__getitem__)
    return {"role": role, "content": draw(st.lists(blocks, max_size=3))}


@st.composite
def gemini_entries(draw: st.DrawFn) -> Entry:
    named = st.sampled_from([{}, {}, {"id": "a"}, {"id": "b"}])
    signed = st.sampled_from([{}, {"thoughtSignature": "s"}])
    kinds = {
        "text": st.builds(lambda t: {"text": t or ""}, WORDS),
        "call": st.builds(lambda i, s: {"functionCall": {"name": "f", **i}, **s}, named, signed),
        "response": st.builds(lambda i: {"functionResponse": {"name": "f", **i}}, named),
    }
    role = draw(st.sampled_from(["user", "model"]))
    chosen = ["call", "call", "text"] if role == "model" else ["response", "response", "text"]
    if not draw(st.integers(0, 9)):
        chosen = list(kinds)
    parts = st.sampled_from(chosen).flatmap(kinds.__getitem__)
    return {"role": role, "parts": draw(st.lists(parts, max_size=3))}


@st.composite
def bedrock_entries(draw: st.DrawFn) -> Entry:
    kinds = {
        "text": st.builds(lambda t: {"text": t or ""}, WORDS),
        "use": st.builds(lambda i: {"toolUse": {"toolUseId": i, "name": "f", "input": {}}}, IDS),
        "result": st.builds(lambda i: {"toolResult": {"toolUseId": i, "content": []}}, IDS),
    }
    role = draw(st.sampled_from(["user", "assistant", "user", "assistant", "system"]))
    usual = {"user": ["result", "result", "text"], "assistant": ["use", "use", "text"]}
    chosen = usual.get(role, ["text"])
    if not draw(st.integers(0, 9)):
        chosen = list(kinds)
    blocks = st.sampled_from(chosen).flatmap(kinds.__getitem__)
    return {"role": role, "content": draw(st.lists(blocks, max_size=3))}


STRATEGIES = {
    "openai-chat": chat_entries(),
    "openai-responses": response_items(),
    "anthropic": anthropic_entries(),
    "gemini": gemini_entries(),
    "bedrock": bedrock_entries(),
}


def units(messages: list[Message]) -> list[set[int]]:
    """Tie messages by pairing and `continues`."""
    of = [{index} for index in range(len(messages))]

    def tie(a: int, b: int) -> None:
        both = of[a] | of[b]
        for index in both:
            of[index] = both

    for index, _, partner in pairs(messages):
        if partner is not None:
            tie(index, partner)
    for index, message in enumerate(messages):
        if message.continues:
            tie(index - 1, index)
    return [unit for index, unit in enumerate(of) if min(unit) == index]


def kept(messages: list[Message]) -> set[int]:
    """Name the messages that are never evicted, whoever decides."""
    said = [
        index
        for index, message in enumerate(messages)
        if message.role == "user" and any(isinstance(p, Text | Media) for p in message.parts)
    ]
    others = [
        i for i, message in enumerate(messages) if message.role not in ("system", "developer")
    ]
    opening = [i for i in others[:1] if messages[i].role == "user"]
    pairing = Pairing()
    for index, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, ToolCall):
                pairing.call(index, part.id)
            elif isinstance(part, ToolResult):
                pairing.result(part.call_id)
    system = set(range(len(messages))) - set(others)
    return {*system, *said[:1], *opening, *pairing.open_calls(), len(messages) - 1}


def added(name: str, entries: list[Entry], gone: Iterable[set[int]]) -> set[str]:
    """Name the rules that find more once these units are gone."""
    dropped = set().union(*gone)
    left = [entry for index, entry in enumerate(entries) if index not in dropped]
    (dialect, before), (_, after) = parse(entries, name), parse(left, name)
    had = {(problem.rule, id(entries[problem.index])) for problem in dialect.problems(before)}
    has = {(problem.rule, id(left[problem.index])) for problem in dialect.problems(after)}
    return {rule for rule, _ in has - had}


def droppable(name: str, entries: list[Entry]) -> list[set[int]]:
    _, messages = parse(entries, name)
    fixed = kept(messages)
    return [unit for unit in units(messages) if not unit & fixed]


@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_eviction_adds_no_problem(name: str, data: st.DataObject) -> None:
    entries = data.draw(st.lists(STRATEGIES[name], min_size=1, max_size=14))
    gone = [unit for unit in droppable(name, entries) if data.draw(st.booleans())]
    assert added(name, entries, gone) == set()


def says(*blocks: Entry) -> Entry:
    return {"role": "assistant", "content": list(blocks)}


def gives(*blocks: Entry) -> Entry:
    return {"role": "user", "content": list(blocks)}


def use(call_id: str) -> Entry:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {}}


def result(call_id: str) -> Entry:
    return {"type": "tool_result", "tool_use_id": call_id}


TEXT: Entry = {"type": "text", "text": "x"}
THOUGHT: Entry = {"type": "thinking", "thinking": "hm", "signature": "s"}

TRICKY: dict[str, list[Entry]] = {
    "the assistant speaks first": [
        says(TEXT), says(use("a")), gives(result("a")), says(TEXT), gives(TEXT),
    ],
    "a result opens the list": [gives(result("z")), says(TEXT), gives(TEXT), says(TEXT)],
    "words come between a call and its late result": [
        gives(TEXT), says(use("a")), gives(TEXT), says(TEXT), gives(result("a")), says(TEXT),
    ],
    "a call is answered twice, far apart": [
        gives(TEXT), says(use("a")), gives(result("a")), says(TEXT), gives(result("a")), says(TEXT),
    ],
    "thinking and what it led to are two entries": [
        gives(TEXT), says(THOUGHT), says(TEXT), gives(TEXT), says(TEXT),
    ],
    "an orphan stands among calls without id": [
        gives(TEXT), says(use("")), gives(TEXT), says(use("b")), gives(result("z")),
        gives(result("b")), says(TEXT), gives(result("")), says(TEXT),
    ],
    "an interrupted call has the id of a later one": [
        gives(TEXT), says(use("a")), gives(TEXT), says(use("a")), gives(result("a")), says(TEXT),
    ],
    "a turn of thinking and calls stands between words": [
        gives(TEXT), says(TEXT), gives(TEXT), says(THOUGHT, use("a")), gives(result("a")),
        gives(TEXT), says(TEXT),
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", TRICKY)
def test_no_choice_of_units_adds_a_problem_where(case: str) -> None:
    entries = copy.deepcopy(TRICKY[case])
    free = droppable("anthropic", entries)
    assert free
    for number in range(len(free) + 1):
        for gone in combinations(free, number):
            assert added("anthropic", entries, gone) == set()


@settings(max_examples=300, deadline=None)
@given(st.data())
@pytest.mark.parametrize(("name", "body"), [("gemini", "parts"), ("bedrock", "content")])
def test_turns_are_still_taken_whatever_goes(name: str, body: str, data: st.DataObject) -> None:
    """A list in which user and model take turns stays one: what the user says is tied."""
    assistant = "model" if name == "gemini" else "assistant"
    size = data.draw(st.integers(1, 12))
    entries = [{"role": ("user", assistant)[i % 2], body: [{"text": "x"}]} for i in range(size)]
    gone = [unit for unit in droppable(name, entries) if data.draw(st.booleans())]
    dropped = set().union(*gone)
    roles = [entry["role"] for i, entry in enumerate(entries) if i not in dropped]
    assert all(one != other for one, other in pairwise(roles))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_results_keep_their_calls_when_other_units_go(data: st.DataObject) -> None:
    entries = data.draw(st.lists(chat_entries(), max_size=14))
    _, messages = parse(entries, "openai-chat")
    gone = set().union(*(unit for unit in units(messages) if data.draw(st.booleans())))
    stay = [index for index in range(len(messages)) if index not in gone]

    def partners(indices: list[int]) -> list[tuple[int, int | None]]:
        return [
            (indices[index], None if partner is None else indices[partner])
            for index, _, partner in pairs([messages[i] for i in indices])
        ]

    everything = partners(list(range(len(messages))))
    assert partners(stay) == [pair for pair in everything if pair[0] in stay]


def test_the_law_can_be_broken_by_cutting_a_unit_in_two() -> None:
    entries = [gives(TEXT), says(use("a")), gives(result("a"))]
    assert added("anthropic", entries, [{1}]) == {"result-without-use"}
