"""`Sessions`: what went stays gone, though nothing but the messages is handed over."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre import History, Sessions, policy
from lre.dialects import DIALECTS, parse
from lre.errors import (
    BudgetError,
    MissingExtraError,
    ScorerFileError,
    SettingError,
    UnknownNameError,
)
from lre.lint import problems
from lre.policies.base import Origin
from lre.policies.fifo import Fifo
from lre.testing.strategies import valid_conversations

USUAL: dict[str, Any] = {"policy": "fifo", "recent": 1, "counter": lambda _text: 10}
LIST = list[Any]


def turns(count: int) -> LIST:
    """Write turns of an agent: two messages each, after a task."""
    said: LIST = [{"role": "user", "content": "Look at W100."}]
    for n in range(count):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        said.append({"role": "assistant", "content": None, "tool_calls": [call]})
        said.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"W{n}00 is open"})
    return said


def requests(messages: LIST) -> list[LIST]:
    """Give the lists that are sent: all that is there, right before each turn."""
    roles = [message["role"] for message in messages]
    ends = [index for index, role in enumerate(roles) if role == "assistant" and index]
    return [messages[:end] for end in [*ends, len(messages)]]


def sessions(**settings: Any) -> Sessions:
    return Sessions(**{"budget": 203, "low": 0.5, **USUAL, **settings})


def shown(kept: Sessions, lists: Sequence[LIST]) -> list[LIST]:
    return [kept.fit(messages).messages for messages in lists]


def test_a_growing_list_is_cut_rarely_and_what_went_stays_gone() -> None:
    sent = shown(sessions(), requests(turns(30)))
    cuts = [one for one, other in pairwise(sent) if other[: len(one)] != one]
    assert 2 <= len(cuts) <= len(sent) / 3
    for one, other in pairwise(sent):
        assert all(message in one for message in other[:-2])


def test_another_process_decides_the_same_from_the_messages_alone() -> None:
    lists = requests(turns(30))
    sent = shown(sessions(), lists)
    assert [sessions().fit(copy.deepcopy(one)).messages for one in lists] == sent


def test_a_forgotten_conversation_is_read_anew_and_nothing_changes() -> None:
    lists = requests(turns(30))
    assert shown(sessions(most=0), lists) == shown(sessions(), lists)


def test_the_objects_of_this_request_come_back() -> None:
    kept, messages = sessions(), turns(30)
    kept.fit(copy.deepcopy(messages))
    again = kept.fit(messages)
    assert again.selection.kept != tuple(range(len(messages)))
    mine = {id(message) for message in messages}
    assert {id(message) for message in again.messages} <= mine


def test_under_budget_the_very_list_comes_back() -> None:
    messages = turns(2)
    assert sessions().fit(messages).messages is messages


def test_conversations_that_begin_alike_stay_apart() -> None:
    kept, one = sessions(), turns(20)
    other = [*one[:21], *({"role": "user", "content": f"W{n}77?"} for n in range(9))]
    lists = [requests(one), requests(other)]
    both = [kept.fit(messages).messages for pair in zip(*lists, strict=False) for messages in pair]
    assert both[::2] == shown(sessions(), lists[0])[: len(both[::2])]
    assert both[1::2] == shown(sessions(), lists[1])[: len(both[1::2])]


def test_a_shorter_list_again_is_another_request() -> None:
    """As when an answer is generated anew."""
    kept, lists = sessions(), requests(turns(30))
    kept.fit(lists[20])
    assert kept.fit(lists[15]).messages == sessions().fit(lists[15]).messages


def test_a_result_that_is_added_to_a_message_in_place_is_seen() -> None:
    """As where results of parallel calls are put into one message as they come."""
    kept, said = sessions(), list[Any]([{"role": "user", "content": "Look at W100."}])
    for n in range(20):
        calls = [{"type": "tool_use", "id": f"{n}{x}", "name": "f", "input": {}} for x in "ab"]
        results = [{"type": "tool_result", "tool_use_id": f"{n}{x}", "content": "W1"} for x in "ab"]
        said.append({"role": "assistant", "content": calls})
        said.append({"role": "user", "content": results[:1]})
        kept.fit(said)
        said[-1]["content"].append(results[1])
        fitted = kept.fit(said)
        assert problems(fitted.messages) == []
    assert fitted.messages == sessions().fit(said).messages
    assert not fitted.is_unchanged


def test_what_cannot_be_compared_hinders_nobody() -> None:
    class Array:
        def __eq__(self, other: object) -> bool:
            raise ValueError("the truth value of an array is ambiguous")

        __hash__ = None  # type: ignore[assignment]

    kept = sessions()
    odd = [{"role": "user", "content": "W1", "extra": Array()} for _ in range(2)]
    assert kept.fit(odd).messages == odd  # the very objects
    assert kept.fit(turns(30)).messages == sessions().fit(turns(30)).messages
    assert len(kept.fit([*odd, {"role": "user", "content": "W2"}]).messages) == 3


def test_no_more_conversations_are_held_than_asked_for() -> None:
    class Entry(dict[str, str]):
        """A dict that tells when it is let go."""

    kept, held = sessions(most=2), []
    for n in range(5):
        held.append(weakref.ref(entry := Entry(role="user", content=f"Task W{n}99")))
        kept.fit([entry])
        del entry
    gc.collect()
    assert [ref() is not None for ref in held] == [False, False, False, True, True]


def test_of_two_conversations_the_longer_one_is_carried_on() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return 10

    kept = sessions(counter=count)
    lists = requests(turns(30))
    for one in (lists[20], lists[3]):
        kept.fit(one)
    counted.clear()
    kept.fit(lists[21])
    assert "W2000 is open" in counted
    assert "W1000 is open" not in counted


def test_nothing_is_cut_in_the_middle_of_a_turn() -> None:
    """As between a thought of the Responses API and the call that it led to."""
    for budget in range(400, 500, 10):
        settings: dict[str, Any] = {**USUAL, "budget": budget, "dialect": "openai-responses"}
        history, said = History(**settings, low=0.5), list[Any]([{"role": "user", "content": "Go"}])
        for n in range(20):
            history.extend(said[len(history) :])
            assert sessions(**settings).fit(said).messages == history.messages
            call = {"type": "function_call", "call_id": f"c{n}", "name": "f", "arguments": "{}"}
            said.append({"type": "reasoning", "summary": [{"type": "summary_text", "text": "?"}]})
            said.append(call)
            said.append({"type": "function_call_output", "call_id": f"c{n}", "output": "W1"})


def test_system_and_tools_of_each_request_count() -> None:
    kept = sessions()
    least = kept.fit(turns(3)).receipt.after
    more = kept.fit(turns(3), system="Be brief.", tools=[{"name": "f"}]).receipt.after
    assert more == least + kept.fit([], system="Be brief.", tools=[{"name": "f"}]).receipt.after - 3


def test_a_tool_that_is_added_in_place_counts() -> None:
    kept, tools = sessions(), [{"name": "f"}]
    least = kept.fit(turns(3), tools=tools).receipt.after
    tools.append({"name": "g"})
    assert kept.fit(turns(3), tools=tools).receipt.after > least


def test_threads_get_what_each_would_get_alone() -> None:
    kept = sessions(most=2)
    lists = [requests([{"role": "user", "content": f"Task W{n}99"}, *turns(20)]) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda one: shown(kept, one), lists))
    assert together == [shown(sessions(), one) for one in lists]


def test_settings_are_checked_at_once() -> None:
    with pytest.raises(BudgetError):
        Sessions()
    with pytest.raises(SettingError):
        Sessions(budget=100, most=-1)
    with pytest.raises(SettingError):
        Sessions(budget=100, low=2)
    with pytest.raises(UnknownNameError, match="unknown setting 'polcy'"):
        Sessions(budget=100, polcy="lre")
    with pytest.raises(ScorerFileError):
        Sessions(budget=100, policy=policy("lre", scorer="no such file"))


@pytest.mark.parametrize("share", [{"budget": "25%"}, {"older_budget": "300 %"}])
def test_a_share_of_what_grows_is_no_budget(share: dict[str, str]) -> None:
    with pytest.raises(BudgetError, match="bounds nothing"):
        Sessions(**share)  # type: ignore[arg-type]


def test_a_policy_whose_package_is_missing_is_refused_at_once() -> None:
    class Wants(Fifo):
        origin = Origin("nobody", extra="dense", packages=("no_such_package",))

    with pytest.raises(MissingExtraError, match=r"lre\[dense\]"):
        Sessions(budget=100, policy=Wants())
    with pytest.raises(SettingError, match="give a list"):
        Sessions(budget=100, pin=iter(["W100"]))


@pytest.mark.parametrize("dialect", DIALECTS)
@given(st.data(), st.sampled_from(["unit", "span"]), st.integers(20, 400))
def test_reading_before_each_turn_is_all_that_counts(
    dialect: str, data: st.DataObject, granularity: str, budget: int
) -> None:
    """`Sessions` decides for a list as a `History` that was read before each turn of it."""
    settings: dict[str, Any] = {"budget": budget, "low": 0.6, "granularity": granularity}
    messages = data.draw(valid_conversations(dialect))
    parsed = parse(messages, dialect)[1]
    history = History(**settings, dialect=dialect)
    for index, (entry, message) in enumerate(zip(messages, parsed, strict=True)):
        if message.role == "assistant" and not message.continues and index:
            assert history.messages is not None
        history.append(entry)
    fitted = Sessions(**settings, dialect=dialect).fit(messages)
    assert fitted.messages == history.messages
    assert fitted.receipt.to_dict() == history.eviction.receipt.to_dict()
