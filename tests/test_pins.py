"""What is pinned never goes: by index, by pattern, by predicate, and by nature."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lre import History, evict
from lre.errors import SettingError
from lre.pins import Pins
from lre.testing.samples import SAMPLES

CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Find the token."},
    *[{"role": "assistant", "content": f"Still looking, place {n}."} for n in range(8)],
    {"role": "assistant", "content": "It is tok_9f3cA1."},
    *[{"role": "assistant", "content": f"Anything else, number {n}?"} for n in range(8)],
]
TOKEN = 10


def notes(pin: Any = (), messages: list[Any] = CHAT, **settings: Any) -> dict[int, str]:
    """Evict all that may go; what stays, and what it is pinned for."""
    result = evict(messages, budget=1, recent=0, pin=pin, **settings)
    assert result.over_budget
    kept = [d for d in result.selection.decisions if d.verdict == "kept"]
    assert {d.reason for d in kept} == {"pinned"}
    return {decision.messages[0]: decision.note for decision in kept}


ALWAYS = {0: "system", 1: "task", 18: "latest"}


@pytest.mark.parametrize(
    "pin",
    [
        TOKEN,
        [TOKEN],
        (TOKEN, TOKEN),
        TOKEN - len(CHAT),
        "tok_",
        r"\btok_\w{6}\b",
        re.compile("TOK_", re.IGNORECASE),
        ["nothing", "tok_9f3c"],
        lambda raw: "tok_" in raw["content"],
        {TOKEN},
    ],
    ids=lambda pin: type(pin).__name__,
)
def test_one_message_can_be_pinned_in_many_ways(pin: Any) -> None:
    assert notes(pin) == ALWAYS | {TOKEN: "caller"}


def test_without_pins_only_what_must_stay_stays() -> None:
    assert notes() == ALWAYS
    assert notes("no such words") == ALWAYS
    assert notes([]) == ALWAYS


def test_a_pin_keeps_the_whole_unit() -> None:
    result = evict(SAMPLES["anthropic"], budget=1, recent=0, pin=[2])
    assert [d.messages for d in result.selection.decisions if d.note == "caller"] == [(1, 2)]


def test_patterns_see_calls_and_results() -> None:
    messages = SAMPLES["openai-chat"]
    for pattern, place in (("find_flights", 1), ('"2024-05-17"', 1), ("mia_li_3668", 1)):
        found = notes(pattern, messages)
        assert found[place] == "caller", pattern


def test_predicates_see_the_callers_own_object() -> None:
    seen: list[Any] = []

    def keep(raw: Any) -> bool:
        seen.append(raw)
        return False

    evict(CHAT, budget=1, pin=keep)
    assert all(one is other for one, other in zip(seen, CHAT, strict=True))


def test_pins_hold_what_is_appended_later() -> None:
    history = History(budget=1, recent=0, pin=[r"tok_", -2])
    history.extend(CHAT)
    kept = [d.messages[0] for d in history.eviction.selection.decisions if d.verdict == "kept"]
    assert kept == [0, 1, TOKEN, 17, 18]


def test_an_index_waits_for_its_message() -> None:
    history = History(budget=1, recent=0, pin=[3, -6])
    seen = []
    for count, message in enumerate(CHAT[:8], 1):
        history.append(message)
        decisions = history.eviction.selection.decisions
        seen.append([d.messages[0] for d in decisions if d.note == "caller"])
        assert len(history) == count
    assert seen == [[], [], [], [3], [3], [3], [3], [2, 3]]


def test_the_openings_first_result_is_no_task() -> None:
    messages = [
        {"role": "tool", "tool_call_id": "z", "content": "an orphan"},
        *CHAT[1:],
    ]
    assert notes((), messages) == {0: "opening", 1: "task", 18: "latest"}


def test_an_assistant_that_begins_is_not_pinned() -> None:
    assert notes((), CHAT[2:3] + CHAT[1:2] + CHAT[3:]) == {1: "task", 17: "latest"}


def test_system_messages_are_pinned_wherever_they_stand() -> None:
    late = {"role": "developer", "content": "New rules."}
    assert notes((), [*CHAT[:5], late, *CHAT[5:]]) == {0: "system", 1: "task", 5: "system"} | {
        19: "latest"
    }


def test_a_call_that_waits_is_pinned_and_an_answered_one_is_not() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    waits = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "a", "content": "out"}
    assert notes((), [*CHAT[:3], waits, *CHAT[3:]])[3] == "open call"
    assert 3 not in notes((), [*CHAT[:3], waits, answer, *CHAT[3:]])


def test_the_recent_window_is_units_not_messages() -> None:
    messages = SAMPLES["anthropic"]
    for recent in range(12):
        result = evict(messages, budget=1, recent=recent)
        decisions = result.selection.decisions
        held = [d.unit for d in decisions if d.reason == "recent"]
        fixed = [d.unit for d in decisions if d.note in ("task", "system")]
        assert held == [
            unit for unit in range(len(decisions))[-recent or 99 :] if unit not in fixed
        ]


@pytest.mark.parametrize("pin", [1.5, None, [None], [True], {"a": 1.0}.values(), [b"x"]], ids=str)
def test_what_is_no_pin_is_refused(pin: Any) -> None:
    with pytest.raises(SettingError, match="a pin is of no known kind @ pin: give indices"):
        Pins.of(pin)


@pytest.mark.parametrize("pin", ["(", ["ok", "*"]])
def test_a_pattern_that_does_not_compile_is_refused(pin: Any) -> None:
    with pytest.raises(SettingError, match="is no regular expression"):
        evict(CHAT, budget=100, pin=pin)


@pytest.mark.parametrize("pin", [len(CHAT), -len(CHAT) - 1, [0, 99]])
def test_an_index_outside_the_list_is_refused(pin: Any) -> None:
    with pytest.raises(SettingError, match=r"index -?\d+ lies outside a list of 19 @ pin"):
        evict(CHAT, budget=9000, pin=pin)
