"""ACON: what it asks a language model, and what it makes of the answer."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

from lre.errors import SettingError
from lre.messages import Media, Message, Reasoning, Text, ToolResult
from lre.policies.acon import Acon, Spent
from lre.policies.base import Summary
from openai_server import answers, serving
from policies.summing import WENT, acon, summed


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LRE_ACON_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def question(*messages: Message, before: str = "", task: str = "") -> str:
    """What the server is asked of these messages."""
    with serving() as server:
        summed(acon(server), messages=messages, before=before, task=task)
    return server.questions[0]


def test_a_summary_comes_back_and_says_what_it_cost() -> None:
    with serving(answers(" seat = 14C\n")) as server:
        found = summed(acon(server))
    asked = sum(len(one["content"].split()) for one in server.asked[0]["messages"])
    assert found == Summary("seat = 14C", "", 1, asked, 3)


def test_the_question_holds_the_task_the_earlier_summary_and_then_the_messages() -> None:
    asked = question(*WENT, before="flight = HAT021", task="Book a seat")
    places = [asked.index(text) for text in ("Book a seat", "flight = HAT021", "I look.", "14C")]
    assert places == sorted(places)


def test_what_there_is_not_is_not_spoken_of() -> None:
    asked = question(*WENT)
    assert "<task>" not in asked
    assert "<earlier_note>" not in asked


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Message("user", (Text("Book it."),)), "user: Book it."),
        (WENT[0], 'assistant: I look.\nassistant calls search: {"q": "HAT021"}'),
        (Message("tool", (ToolResult("c1", "14C"),)), "tool result: 14C"),
        (Message("tool", (ToolResult("c1", "no", is_error=True),)), "tool error: no"),
        (Message("assistant", (Reasoning("Hm."), Text("Yes"))), "assistant thinks: Hm.\nassistant"),
        (Message("assistant", (Reasoning("", 90), Text("Yes"))), "<record>\nassistant: Yes"),
        (Message("user", (Media("image", 85),)), "user shows: image"),
    ],
)
def test_every_kind_of_part_is_written_out(message: Message, line: str) -> None:
    assert line in question(message)


def test_what_every_question_shares_comes_first() -> None:
    with serving() as server:
        policy = acon(server)
        summed(policy)
        summed(policy, messages=WENT[:1], before="seat = 14C", task="Another")
    first, second = (body["messages"][0] for body in server.asked)
    assert first == second
    assert first["role"] == "system"


@pytest.mark.parametrize(("room", "most"), [(200, 200), (100_000, 4096), (0, 1)])
def test_no_more_is_asked_for_than_there_is_room_for(room: int, most: int) -> None:
    with serving() as server:
        summed(acon(server), room=room)
    assert (server.asked[0]["max_tokens"], server.asked[0]["temperature"]) == (most, 0)


def test_the_same_question_costs_one_call_and_has_the_same_answer() -> None:
    with serving(answers("one"), answers("two")) as server:
        policy = acon(server)
        assert summed(policy) == summed(policy)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "changed", [{"messages": WENT[:1]}, {"before": "x"}, {"task": "x"}, {"room": 99}]
)
def test_another_question_is_asked_anew(changed: dict[str, Any]) -> None:
    with serving(answers("one"), answers("two")) as server:
        policy = acon(server)
        assert [summed(policy).text, summed(policy, **changed).text] == ["one", "two"]


def test_all_that_was_spent_is_added_up_once() -> None:
    with serving(answers("one"), answers("one two")) as server:
        policy = acon(server)
        first, second = summed(policy), summed(policy, task="x")
        summed(policy)
    assert policy.spent == Spent(2, first.prompt_tokens + second.prompt_tokens, 3)


def test_it_works_while_an_event_loop_runs() -> None:
    async def work(policy: Acon) -> Summary:
        return summed(policy)

    with serving(answers("seat = 14C")) as server:
        assert asyncio.run(work(acon(server))).text == "seat = 14C"


def test_model_address_and_key_are_found_where_the_client_looks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(key="sesame") as server:
        monkeypatch.setenv("LRE_ACON_MODEL", "tiny")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sesame")
        assert summed(Acon()).failed == ""


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"base_url": "http://127.0.0.1/v1"}, r"no model: set LRE_ACON_MODEL .*acon@MODEL"),
        ({"model": "tiny"}, r"no endpoint: set OPENAI_BASE_URL"),
        ({"model": "tiny", "base_url": "localhost"}, r"no HTTP address @ base_url"),
    ],
)
def test_without_model_or_address_nobody_is_asked(given: dict[str, Any], missing: str) -> None:
    with pytest.raises(SettingError, match=missing):
        summed(Acon(**given))


def test_a_copy_has_a_memory_of_its_own() -> None:
    with serving() as server:
        policy = acon(server)
        copied = copy.deepcopy(policy)
        summed(policy)
    assert copied.spent == Spent(0, 0, 0)
