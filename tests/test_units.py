"""What stands or falls together, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from lre.dialects import parse
from lre.errors import UnknownNameError
from lre.units import SEGMENTERS, Segmenter, segment

Entry = dict[str, Any]


def units(messages: list[Any], how: str = "auto", dialect: str | None = None) -> list[list[int]]:
    return [list(unit.messages) for unit in segment(parse(messages, dialect)[1], how)]


def opened(messages: list[Any]) -> list[list[int]]:
    return [list(unit.messages) for unit in segment(parse(messages)[1]) if unit.open]


def user(text: str = "Go on.") -> Entry:
    return {"role": "user", "content": text}


def says(text: str = "Fine.") -> Entry:
    return {"role": "assistant", "content": text}


def calls(*ids: str, role: str = "assistant") -> Entry:
    made = [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ids
    ]
    return {"role": role, "content": None, "tool_calls": made}


def tool(call_id: str) -> Entry:
    return {"role": "tool", "tool_call_id": call_id, "content": "out"}


def uses(*ids: str) -> Entry:
    blocks = [{"type": "tool_use", "id": i, "name": "f", "input": {}} for i in ids]
    return {"role": "assistant", "content": blocks}


def gives(*ids: str) -> Entry:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": i} for i in ids]}


THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"}


def item(call_id: str) -> Entry:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"}


def output(call_id: str) -> Entry:
    return {"type": "function_call_output", "call_id": call_id, "output": "out"}


CASES: dict[str, tuple[list[Entry], list[list[int]]]] = {
    "nothing": ([], []),
    "each turn of words on its own": (
        [user(), says(), user(), user(), says()],
        [[0], [1], [2], [3], [4]],
    ),
    "a call and its result": ([user(), calls("a"), tool("a"), says()], [[0], [1, 2], [3]]),
    "parallel results in another order": (
        [user(), calls("a", "b", "c"), tool("c"), tool("a"), tool("b"), says()],
        [[0], [1, 2, 3, 4], [5]],
    ),
    "results that are not adjacent": (
        [user(), calls("a", "b"), tool("b"), user(), says(), tool("a")],
        [[0], [1, 2, 5], [3], [4]],
    ),
    "two calls that wait at once": (
        [calls("a"), calls("b"), tool("a"), tool("b")],
        [[0, 2], [1, 3]],
    ),
    "empty ids go by order": (
        [calls("", ""), tool(""), tool(""), user(), calls(""), tool("")],
        [[0, 1, 2], [3], [4, 5]],
    ),
    "useless ids go by order": (
        [calls("REDACTED"), tool("REDACTED"), user(), calls("REDACTED"), tool("REDACTED")],
        [[0, 1], [2], [3, 4]],
    ),
    "an id used again belongs to the latest call": (
        [calls("a"), tool("a"), calls("a"), tool("a"), tool("a")],
        [[0, 1], [2, 3, 4]],
    ),
    "an interrupted call leaves a later one its result": (
        [calls("a"), user(), calls("a"), tool("a"), says()],
        [[0], [1], [2, 3], [4]],
    ),
    "an orphan stands alone": ([user(), tool("z"), says()], [[0], [1], [2]]),
    "a result before its call stands alone": ([tool("a"), calls("a")], [[0], [1]]),
    "a result without an id takes the call that waits": (
        [calls("a"), tool(""), user()],
        [[0, 1], [2]],
    ),
    "a result of an unknown id takes a call without one": (
        [calls(""), tool("a"), user()],
        [[0, 1], [2]],
    ),
    "a tool of the user's": (
        [says(), calls("u", role="user"), tool("u"), says()],
        [[0], [1, 2], [3]],
    ),
    "a legacy function": (
        [
            user(),
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}},
            {"role": "function", "name": "f", "content": "out"},
            says(),
        ],
        [[0], [1, 2], [3]],
    ),
    "Anthropic: results in the next message": (
        [user(), uses("a", "b"), gives("b", "a"), says()],
        [[0], [1, 2], [3]],
    ),
    "Anthropic: assistants in a row are one turn": (
        [user(), uses("a"), says("And:"), uses("b"), gives("a", "b"), says(), user()],
        [[0], [1, 2, 3, 4], [5], [6]],
    ),
    "Anthropic: a message with results of two turns ties them": (
        [user(), uses("a"), user(), uses("b"), gives("a", "b")],
        [[0], [1, 3, 4], [2]],
    ),
    "Anthropic: results and words in one message": (
        [
            uses("a"),
            {"role": "user", "content": [*gives("a")["content"], {"type": "text", "text": "Hm"}]},
            says(),
        ],
        [[0, 1], [2]],
    ),
    "Responses: reasoning stays with its call": (
        [user(), THOUGHT, item("a"), output("a"), {**THOUGHT, "id": "rs_2"}, says("Done.")],
        [[0], [1, 2, 3], [4, 5]],
    ),
    "Responses: parallel calls and a late output": (
        [THOUGHT, item("a"), item("b"), output("b"), user(), output("a")],
        [[0, 1, 2, 3, 5], [4]],
    ),
    "system messages anywhere": (
        [{"role": "system", "content": "x"}, user(), {"role": "system", "content": "y"}, says()],
        [[0], [1], [2], [3]],
    ),
    "ReAct: an action and what is observed": (
        [
            user("Fix it."),
            says("I look.\n```bash\nls\n```"),
            user("<returncode>0</returncode>\n<output>a.py</output>"),
            says("Thought: done\nAction: submit"),
            user("Observation: submitted"),
        ],
        [[0], [1, 2], [3, 4]],
    ),
    "ReAct: words are no observation": (
        [says("```bash\nls\n```"), user("Stop!"), says("Fine."), user("Observation: it rains")],
        [[0], [1], [2], [3]],
    ),
    "ReAct: only right behind the action": (
        [says("```\nls\n```"), user("Observation: a"), user("Observation: b")],
        [[0, 1], [2]],
    ),
    "ReAct: not behind a call": (
        [calls("a") | {"content": "```\nls\n```"}, user("Observation: a"), tool("a")],
        [[0, 2], [1]],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_units(case: str) -> None:
    messages, expected = CASES[case]
    assert units(messages) == expected


def test_react_ties_any_reply_and_turns_none() -> None:
    log = [user("Fix it."), says("ls"), user("a.py"), says("```\ncat\n```"), user("<output>")]
    assert units(log) == [[0], [1], [2], [3, 4]]
    assert units(log, "react") == [[0], [1, 2], [3, 4]]
    assert units(log, "turns") == [[0], [1], [2], [3], [4]]


def test_sessions_are_messages_in_a_row_with_the_same_session() -> None:
    log = [user() | {"session": 1}, says() | {"session": 1}, says() | {"session": 2}]
    log += [user(), says() | {"session": None}, says() | {"session": None}]
    log += [user() | {"session": 2}, user() | {"session": 2}]
    assert units(log, "sessions") == [[0, 1], [2], [3], [4], [5], [6, 7]]
    assert units(log, "turns") == [[i] for i in range(8)]


def test_a_result_in_a_later_session_stays_with_its_call() -> None:
    log = [user() | {"session": 1}, calls("a") | {"session": 1}, user() | {"session": 2}]
    log += [tool("a") | {"session": 2}, user() | {"session": 3}]
    assert units(log, "sessions") == [[0, 1, 2, 3], [4]]


@pytest.mark.parametrize("how", SEGMENTERS)
def test_calls_and_results_are_tied_whatever_the_segmenter(how: str) -> None:
    assert units([user(), calls("a"), user(), tool("a")], how) == [[0], [1, 3], [2]]


def test_an_unknown_segmenter_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown segmenter 'pages': choose from auto"):
        Segmenter("pages")


OPEN: dict[str, tuple[list[Entry], list[list[int]]]] = {
    "all answered": ([calls("a", "b"), tool("a"), tool("b")], []),
    "the last call": ([user(), calls("a"), tool("a"), calls("b")], [[3]]),
    "one of two": ([calls("a", "b"), tool("a"), user()], [[0, 1]]),
    "an older, interrupted one": ([calls("a"), user(), calls("a"), tool("a")], [[0]]),
    "one id for two calls": ([calls("a", "a"), tool("a")], [[0, 1]]),
    "a call of the user's": ([calls("u", role="user"), says()], [[0]]),
    "an Anthropic turn": ([user(), uses("a"), uses("b"), gives("b")], [[1, 2, 3]]),
    "a Responses turn": ([THOUGHT, item("a"), user()], [[0, 1]]),
    "an orphan is none": ([tool("a"), user()], []),
}


@pytest.mark.parametrize("case", OPEN)
def test_units_with_an_open_call(case: str) -> None:
    messages, expected = OPEN[case]
    assert opened(messages) == expected


def test_a_units_role_is_that_of_its_first_message() -> None:
    found = segment(parse([user(), calls("a"), tool("a"), tool("z")])[1])
    assert [unit.role for unit in found] == ["user", "assistant", "tool"]


def test_the_answer_for_a_message_is_known_when_it_comes() -> None:
    _, messages = parse([user(), calls("a", "b"), tool("b"), user(), tool("a")])
    segmenter = Segmenter()
    assert [segmenter.append(message) for message in messages] == [0, 1, 1, 3, 1]
    assert [unit.messages for unit in segmenter.units()] == [(0,), (1, 2, 4), (3,)]


def test_ten_thousand_results_of_one_call_take_no_time() -> None:
    log = [calls("a"), *[tool("a")] * 10_000]
    assert units(log) == [list(range(10_001))]
