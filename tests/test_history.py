"""`History` gives what `evict` gives, and is safe to keep, to save and to share."""

from __future__ import annotations

import copy
import json
import re
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from anthropic.types import TextBlock, ToolUseBlock, Usage
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseFunctionToolCall

from lre import History, evict
from lre.errors import BudgetError, InputError, LreError, MessageError, SettingError
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


# Saving


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {"budget": 300},
    "a share": {"older_budget": "30%", "policy": "random", "segmenter": "react"},
    "pins": {"budget": 200, "pin": ["W\\d+", 0], "recent": 0, "counter": "estimate"},
    "beside": {"budget": 400, "system": [{"type": "text", "text": "Be brief."}], "tools": [{}]},
}


@pytest.mark.parametrize("dialect", SAMPLES)
@pytest.mark.parametrize("name", SETTINGS)
def test_a_saved_history_decides_as_before(name: str, dialect: str) -> None:
    history = grown(SAMPLES[dialect], **SETTINGS[name])
    saved = json.dumps(history.to_dict())
    again = History.from_dict(json.loads(saved))
    assert same(history, again)
    assert again.messages == history.messages
    for one in (history, again):
        one.extend([said("Is that all?"), said("It is.", "assistant")])
    assert same(history, again)
    assert (
        json.loads(json.dumps(again.to_dict()))["messages"][: len(SAMPLES[dialect])]
        == (SAMPLES[dialect])
    )


def test_saving_changes_nothing() -> None:
    history = grown(SAMPLES["anthropic"], budget=300)
    before = copy.deepcopy(SAMPLES["anthropic"])
    history.to_dict()["messages"][0]["content"] = "changed"
    assert SAMPLES["anthropic"] == before


ANTHROPIC_REPLY = AnthropicMessage(
    id="msg_1",
    content=[
        TextBlock(type="text", text="Let me look."),
        ToolUseBlock(type="tool_use", id="toolu_1", name="look", input={"what": "HAT021"}),
    ],
    model="claude",
    role="assistant",
    type="message",
    usage=Usage(input_tokens=9, output_tokens=9),
)
CHAT_REPLY = ChatCompletionMessage.model_validate(
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "look", "arguments": '{"what": "HAT021"}'},
            }
        ],
    }
)
ITEM = ResponseFunctionToolCall(
    type="function_call", call_id="call_1", name="look", arguments='{"what": "HAT021"}'
)
WITH_SDK_OBJECTS: dict[str, list[Any]] = {
    "Anthropic blocks in a dict": [
        said("Look."),
        {"role": "assistant", "content": list(ANTHROPIC_REPLY.content)},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 seats"}],
        },
    ],
    "an Anthropic message": [said("Look."), ANTHROPIC_REPLY],
    "an OpenAI message": [
        said("Look."),
        CHAT_REPLY,
        {"role": "tool", "tool_call_id": "call_1", "content": "4 seats"},
    ],
    "OpenAI calls in a dict": [
        said("Look."),
        {"role": "assistant", "content": None, "tool_calls": CHAT_REPLY.tool_calls},
        {"role": "tool", "tool_call_id": "call_1", "content": "4 seats"},
    ],
    "a Responses item": [
        said("Look."),
        ITEM,
        {"type": "function_call_output", "call_id": "call_1", "output": "4 seats"},
    ],
}


@pytest.mark.parametrize("case", WITH_SDK_OBJECTS)
def test_sdk_objects_are_kept_as_they_are_and_saved_as_dicts(case: str) -> None:
    messages = WITH_SDK_OBJECTS[case]
    history = grown(messages, budget=4000)
    assert all(a is b for a, b in zip(history.messages, messages, strict=True))
    again = History.from_dict(json.loads(json.dumps(history.to_dict())))
    assert same(history, again)
    assert again.eviction.dialect == history.eviction.dialect
    assert "HAT021" in json.dumps(again.messages)


UNSAVABLE: dict[str, dict[str, Any]] = {
    "policy": {"policy": Fifo()},
    "counter": {"counter": len},
    "pin[1]": {"pin": [0, lambda raw: "keep" in raw]},
    "pin[0]": {"pin": [re.compile("W1")]},
}


@pytest.mark.parametrize("where", UNSAVABLE)
def test_a_setting_that_json_cannot_hold_is_named(where: str) -> None:
    history = grown([said("Hi")], budget=100, **UNSAVABLE[where])
    with pytest.raises(SettingError, match="is an object that JSON cannot hold") as caught:
        history.to_dict()
    assert caught.value.where == where


def test_a_message_that_json_cannot_hold_is_named() -> None:
    history = grown([said("Hi"), said("x") | {"extra": {"at": datetime.now(UTC)}}], budget=100)
    with pytest.raises(MessageError, match="datetime is an object that JSON cannot hold") as caught:
        history.to_dict()
    assert caught.value.where == "messages[1].extra.at"


def damaged() -> Iterator[tuple[str, Any]]:
    sound = grown([said("Hi")], budget=100).to_dict()
    yield "nothing", None
    yield "a list", [sound]
    yield "another format", {**sound, "format": "zip"}
    yield "a later version", {**sound, "version": 2}
    yield "no settings", {k: v for k, v in sound.items() if k != "settings"}
    yield "an unknown setting", {**sound, "settings": {**sound["settings"], "speed": 9}}
    yield "no messages", {k: v for k, v in sound.items() if k != "messages"}
    yield "a broken message", {**sound, "messages": [{"role": "nobody"}]}
    yield "a broken setting", {**sound, "settings": {**sound["settings"], "budget": -1}}


@pytest.mark.parametrize(("what", "data"), list(damaged()), ids=[w for w, _ in damaged()])
def test_what_is_no_saved_history_gets_one_clear_line(what: str, data: Any) -> None:
    with pytest.raises(LreError) as caught:
        History.from_dict(data)
    assert isinstance(caught.value, InputError | SettingError), what
    assert "\n" not in str(caught.value)
    assert caught.value.remedy


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
