"""`evict` takes what it promises to take, and refuses the rest in one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre import evict, explain, problems
from lre.dialects import DIALECTS
from lre.errors import LreError, MessageError, SettingError
from lre.testing.samples import SAMPLES
from lre.testing.strategies import junk, mangled

CHAT = SAMPLES["openai-chat"]


def refused(messages: Any = CHAT, **settings: Any) -> LreError:
    """Give the error, once it is known to be one clear line and nothing was changed."""
    before = repr(messages)
    with pytest.raises(LreError) as caught:
        evict(messages, **({"budget": 100} | settings))
    assert repr(messages) == before
    assert "\n" not in str(caught.value)
    assert caught.value.where
    assert caught.value.remedy
    return caught.value


# Messages


NO_LISTS: list[Any] = [None, 7, "text", b"bytes", {"role": "user"}, {1}, iter([]), object(),
                       {"messages": []}]  # fmt: skip


@pytest.mark.parametrize("messages", NO_LISTS, ids=lambda value: type(value).__name__)
def test_what_is_no_list_is_refused(messages: Any) -> None:
    with pytest.raises(MessageError, match="is no list of messages @ messages: pass the list"):
        evict(messages, budget=100)


NO_MESSAGES: dict[str, tuple[Any, str]] = {
    "a text": ("hello", "messages[1]"),
    "nothing": (None, "messages[1]"),
    "a number": (3.5, "messages[1]"),
    "a list": ([], "messages[1]"),
    "no role": ({"content": "x"}, "messages[1].role"),
    "an unknown role": ({"role": "robot", "content": "x"}, "messages[1].role"),
    "a role of another type": ({"role": ["user"], "content": "x"}, "messages[1].role"),
    "content that is a number": ({"role": "user", "content": 5}, "messages[1].content"),
    "content that is a dict": ({"role": "user", "content": {}}, "messages[1].content"),
    "a part that is a number": ({"role": "user", "content": [5]}, "messages[1].content[0]"),
    "calls that are no list": ({"role": "assistant", "tool_calls": 5}, "messages[1].tool_calls"),
}


@pytest.mark.parametrize("case", NO_MESSAGES)
def test_an_entry_that_is_no_message_is_named(case: str) -> None:
    entry, where = NO_MESSAGES[case]
    error = refused([CHAT[0], entry, CHAT[-1]])
    assert isinstance(error, MessageError)
    assert error.where == where


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_role_that_the_named_dialect_lacks_is_refused(dialect: str) -> None:
    assert (
        refused([{"role": "nobody", "content": "x"}], dialect=dialect).where == "messages[0].role"
    )


def test_an_empty_list_fits_any_budget_that_holds_the_frame() -> None:
    messages: list[Any] = []
    result = evict(messages, budget=100)
    assert result.messages is messages
    assert (result.over_budget, result.selection.decisions) == (False, ())
    assert evict([], budget=1).over_budget, "the provider's own frame takes three tokens"


def test_any_sequence_will_do_and_a_list_comes_back() -> None:
    for budget in (100, 9000):
        given_tuple, given_list = evict(tuple(CHAT), budget=budget), evict(CHAT, budget=budget)
        assert isinstance(given_tuple.messages, list)
        assert given_tuple.messages == given_list.messages


def refusal(ask: Callable[[], object]) -> MessageError | None:
    try:
        ask()
    except MessageError as error:
        return error
    return None


MANGLED = st.lists(junk(), max_size=4) | st.sampled_from([*DIALECTS]).flatmap(mangled)


@given(MANGLED, st.sampled_from([None, *DIALECTS]))
def test_whatever_json_holds_is_evicted_or_refused(messages: list[Any], dialect: Any) -> None:
    for ask in (
        lambda: evict(messages, budget=20, recent=0, dialect=dialect),
        lambda: explain(messages, budget=20, recent=0, dialect=dialect),
        lambda: problems(messages, dialect),
    ):
        error = refusal(ask)
        assert error is None or error.where.startswith("messages[")


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


DEEP: dict[str, dict[str, Any]] = {
    "arguments": {"type": "tool_use", "id": "a", "name": "f", "input": nested(100_000)},
    "an unknown block": {"type": "new", "data": nested(100_000)},
}


@pytest.mark.parametrize("where", DEEP)
def test_what_is_nested_too_deeply_is_named(where: str) -> None:
    messages = [CHAT[0], {"role": "assistant", "content": [DEEP[where]]}, CHAT[-1]]
    error = refusal(lambda: evict(messages, budget=100))
    assert error is not None
    assert str(error) == "is nested too deeply @ messages[1]: flatten it, or leave it out"


def test_one_huge_message_is_over_budget_and_whole() -> None:
    huge = {"role": "user", "content": "0123456789 abcde " * 200_000}
    result = evict([huge, *CHAT[1:]], budget=5000, counter="estimate")
    assert result.over_budget
    assert result.messages[0] is huge
    assert result.receipt.before > 500_000


def test_not_a_number_within_a_message_is_taken_as_it_is() -> None:
    odd = {"role": "assistant", "content": "x", "logprobs": [float("nan")]}
    assert evict([CHAT[0], odd, CHAT[-1]], budget=100).messages[1] is odd


# Everything else


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "policy": ({"policy": "lru"}, "choose from acon, decay, dense, fifo"),
    "policy path": ({"policy": "nowhere:Policy"}, "cannot be loaded"),
    "policy object": ({"policy": object()}, "is no policy"),
    "dialect": ({"dialect": "morse"}, "choose from anthropic, bedrock"),
    "counter": ({"counter": "words"}, "choose from cl100k"),
    "segmenter": ({"segmenter": "pages"}, "choose from auto, react, sessions, turns"),
    "recent": ({"recent": -1}, "give 0 or more"),
    "recent type": ({"recent": 2.0}, "give 0 or more"),
    "recent bool": ({"recent": True}, "give 0 or more"),
    "pin": ({"pin": 1.5}, "give indices, patterns"),
    "system": ({"system": 7}, "give text, or a list of text blocks"),
    "tools": ({"tools": {"name": "look"}}, "give a list of tool definitions"),
    "counter result": ({"counter": lambda text: text.split()}, "return the number of tokens"),
    "negative counts": ({"counter": lambda _text: -1}, "return the number of tokens"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_argument_that_cannot_be_used_is_refused(case: str) -> None:
    settings, remedy = WRONG[case]
    with pytest.raises(SettingError) as caught:
        evict(CHAT, **({"budget": 100} | settings))
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_misspelt_argument_is_no_argument() -> None:
    with pytest.raises(TypeError, match="bugdet"):
        evict(CHAT, bugdet=100)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="bugdet"):
        explain(CHAT, budget=9, bugdet=100)  # type: ignore[call-arg]


@pytest.mark.parametrize("dialect", SAMPLES)
def test_the_named_dialect_and_the_recognised_one_agree(dialect: str) -> None:
    named, shown = (evict(SAMPLES[dialect], budget=250, dialect=d) for d in (dialect, None))
    assert named.dialect == shown.dialect == dialect
    assert named.selection == shown.selection


def test_plain_data_is_json_and_holds_the_very_messages() -> None:
    result = evict(CHAT, budget=250)
    plain = result.to_dict()
    assert plain["messages"] is result.messages
    assert json.loads(json.dumps(plain))["tokens"] == {
        "before": result.receipt.before,
        "after": result.receipt.after,
    }
    assert set(plain) == {
        "messages", "dialect", "policy", "tokens", "limit", "over_budget", "verbatim", "summary",
            "decisions",
    }  # fmt: skip
