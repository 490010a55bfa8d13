"""`History` gives what `evict` gives, is safe to append to and to share."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from lre import History, evict
from lre.errors import BudgetError, LreError, MessageError, SettingError
from lre.policies.fifo import Fifo
from lre.testing.samples import SAMPLES

Entry = dict[str, Any]


def said(text: str, role: str = "user") -> Entry:
    return {"role": role, "content": text}


def same(history: History, other: History) -> bool:
    return history.eviction.receipt.to_dict() == other.eviction.receipt.to_dict()


def grown(messages: list[Any], **settings: Any) -> History:
    history = History(**settings)
    for message in messages:
        history.append(message)
    return history


# Reading


@pytest.mark.parametrize("dialect", SAMPLES)
def test_each_reading_is_what_evict_gives(dialect: str) -> None:
    messages, history = SAMPLES[dialect], History(budget=300, recent=2)
    for count, message in enumerate(messages, 1):
        history.append(message)
        expected = evict(messages[:count], budget=300, recent=2)
        assert list(map(id, history.messages)) == list(map(id, expected.messages))
    assert len(history) == len(messages) > len(history.messages)
    assert history.eviction.selection == expected.selection


def test_what_left_comes_back_when_it_is_worth_more_again() -> None:
    history = History(budget=60, recent=1, policy=NewestLast())
    for text in ("The task.", "alpha " * 20, "beta " * 20):
        history.append(said(text))
    assert said("alpha " * 20) not in history.messages
    history.append(said("Fine."))
    assert said("alpha " * 20) in history.messages


class NewestLast(Fifo):
    """Likes the older the more messages there are."""

    def score(self, view: Any) -> Any:
        return -super().score(view)


def test_nothing_is_scored_while_all_fits() -> None:
    class Unasked(Fifo):
        def score(self, view: Any) -> Any:
            raise AssertionError(f"asked about {len(view.units)} units")

    history = grown(SAMPLES["anthropic"], budget=5000, policy=Unasked())
    assert history.messages == SAMPLES["anthropic"]
    assert {d.reason for d in history.eviction.selection.decisions} == {"under budget"}
    history = grown(SAMPLES["anthropic"], budget=500, policy=Unasked())
    with pytest.raises(AssertionError, match="asked about 9 units"):
        _ = history.messages


def test_an_empty_history_is_an_empty_list() -> None:
    history = History(budget=100)
    assert (history.messages, len(history), history.eviction.over_budget) == ([], 0, False)


@pytest.mark.parametrize("budget", [40, 5000])
def test_the_list_that_is_read_is_the_readers_own(budget: int) -> None:
    history = grown(SAMPLES["anthropic"], budget=budget)
    before = history.messages
    history.messages.clear()
    assert history.messages == before != []


def read_as(history: History) -> tuple[str, list[tuple[int, ...]]]:
    units = [decision.messages for decision in history.eviction.selection.decisions]
    return history.eviction.dialect, units


def test_plain_text_first_and_anthropic_blocks_later() -> None:
    messages = [said("Look."), said("I will.", "assistant"), said("Now!", "assistant")]
    history = grown(messages, budget=4000)
    assert read_as(history) == ("openai-chat", [(0,), (1,), (2,)])
    messages.append(SAMPLES["anthropic"][1])
    history.append(messages[-1])
    assert read_as(history) == ("anthropic", [(0,), (1, 2, 3)])
    assert history.eviction.receipt.to_dict() == evict(messages, budget=4000).receipt.to_dict()
    assert all(a is b for a, b in zip(history.messages, messages, strict=True))


# Appending


UNREADABLE = [
    {"role": "nobody", "content": "x"},
    {"content": "x"},
    {"role": "user", "content": 7},
    "text",
    None,
    {"role": "user", "content": [7]},
]


@pytest.mark.parametrize("message", UNREADABLE, ids=repr)
def test_a_message_that_cannot_be_read_changes_nothing(message: Any) -> None:
    history = grown(SAMPLES["openai-chat"], budget=200)
    before, read = history.eviction, history.messages
    with pytest.raises(MessageError, match=rf"messages\[{len(history)}\]"):
        history.append(message)
    with pytest.raises(MessageError, match=rf"messages\[{len(history) + 1}\]"):
        history.extend([said("fine"), message])
    assert len(history) == len(SAMPLES["openai-chat"])
    assert (history.messages, history.eviction.selection) == (read, before.selection)
    history.append(said("Go on."))
    assert same(history, grown([*SAMPLES["openai-chat"], said("Go on.")], budget=200))


def test_a_counter_that_fails_changes_nothing() -> None:
    def count(text: str) -> int:
        if "boom" in text:
            raise RuntimeError("no tokens for that")
        return len(text)

    history = grown([said("one"), said("two")], budget=4000, counter=count)
    with pytest.raises(RuntimeError):
        history.append(said("boom"))
    assert history.messages == [said("one"), said("two")]


def test_a_counter_that_fails_when_the_dialect_shows_changes_nothing() -> None:
    def count(text: str) -> int:
        if text == "look":
            raise RuntimeError("no tokens for that")
        return len(text)

    history = grown([said("one"), said("two")], budget=4000, counter=count)
    with pytest.raises(RuntimeError):
        history.append(SAMPLES["anthropic"][1] | {"content": [LOOK]})
    assert history.messages == [said("one"), said("two")]


LOOK = {"type": "tool_use", "id": "a", "name": "look", "input": {}}


def test_what_is_no_list_is_refused() -> None:
    history = History(budget=100)
    for wrong in (said("x"), "text", 7, None):
        with pytest.raises(MessageError, match="is no list of messages"):
            history.extend(wrong)  # type: ignore[arg-type]
    assert len(history) == 0


@pytest.mark.parametrize(
    "wrong",
    [{}, {"budget": 0}, {"budget": 10, "older_budget": 10}, {"budget": "x"}],
    ids=repr,
)
def test_a_history_needs_one_budget(wrong: dict[str, Any]) -> None:
    with pytest.raises(BudgetError):
        History(**wrong)


def test_wrong_settings_are_refused_at_once() -> None:
    for wrong in (
        {"policy": "lru"},
        {"dialect": "morse"},
        {"counter": "words"},
        {"segmenter": "pages"},
        {"recent": -1},
        {"recent": True},
        {"pin": [1.5]},
        {"system": 7},
        {"tools": "look"},
    ):
        with pytest.raises(SettingError):
            History(budget=100, **wrong)


# Sharing


@pytest.fixture
def _hasty() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_hasty")
def test_several_threads_may_append_and_read() -> None:
    history = History(budget=900, recent=3)
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(40):
                history.extend([said(f"{name}{number} asks W{number}00{number}"), answer(name)])
                assert len(history.messages) <= len(history)
                assert history.eviction.receipt.after <= 900
        except BaseException as error:
            failures.append(error)

    def answer(name: str) -> Entry:
        return said(f"{name} is answered.", "assistant")

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    entries = history.to_dict()["messages"]
    assert len(entries) == 4 * 40 * 2
    for name in "abcd":
        asked = [e["content"] for e in entries if e["content"].startswith(f"{name}")]
        assert asked[::2] == [f"{name}{n} asks W{n}00{n}" for n in range(40)]
    for question, reply in zip(entries[::2], entries[1::2], strict=True):
        assert reply == answer(question["content"][0]), "each pair was appended as one"
    assert history.eviction.selection == evict(entries, budget=900, recent=3).selection


@pytest.mark.parametrize("extra", [{("a", 1): 2}, "cycle"], ids=["key", "cycle"])
def test_what_json_cannot_hold_is_named_when_saving(extra: Any) -> None:
    if extra == "cycle":
        extra = {}
        extra["self"] = extra
    history = History(1000)
    history.extend(
        [{"role": "user", "content": "Hi"}, {"role": "user", "content": "x", "e": extra}]
    )
    with pytest.raises(MessageError, match=r"@ messages\[1\]"):
        history.to_dict()


def test_what_cannot_be_counted_beside_the_messages_changes_nothing() -> None:
    history = History(budget=8000, system="Be brief.")
    before = history.eviction.receipt.before
    for _ in range(2):
        with pytest.raises(LreError):
            history.beside(system="Be brief.", tools=[{1, 2}, {(): "a key that is no text"}])
    assert history.eviction.receipt.before == before
    history.beside(system="Be brief.", tools=[{"name": "look"}])
    assert history.eviction.receipt.before > before
