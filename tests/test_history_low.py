"""`History(low=…)`: one deep cut at a time, and between cuts the prompt only grows at its end."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from lre import History
from lre.errors import InputError, SettingError
from lre.policies import View
from lre.policies.base import Floats
from lre.policies.fifo import Fifo
from lre.testing.samples import LISTS

# Each message costs 10 tokens and 5 of framing, the prompt 3 more.
SAID = [{"role": "user", "content": f"Message {n} names W{n}00{n}."} for n in range(1, 40)]


def history(low: float | None = 0.5, budget: int = 3 + 10 * 15, **more: Any) -> History:
    usual: dict[str, Any] = {"policy": "fifo", "recent": 2, "counter": lambda _text: 10}
    return History(budget, low=low, **{**usual, **more})


def read(kept: History, messages: list[Any]) -> list[list[Any]]:
    prompts = []
    for message in messages:
        kept.append(message)
        prompts.append(kept.messages)
    return prompts


def test_nothing_changes_until_the_budget_is_passed() -> None:
    prompts = read(history(), SAID[:10])
    assert prompts[-1] == SAID[:10]


def test_one_cut_goes_down_to_the_low_mark() -> None:
    """Half of 153 tokens is room for 4 messages: the task, two recent ones, and one more."""
    assert read(history(), SAID[:11])[-1] == [SAID[0], *SAID[8:11]]


def test_between_cuts_the_prompt_only_grows_at_its_end() -> None:
    prompts = read(history(), SAID)
    cuts = [i for i, (one, other) in enumerate(pairwise(prompts), 1) if other[: len(one)] != one]
    assert cuts == [10, 17, 24, 31, 38]
    for number, (one, other) in enumerate(pairwise(prompts), 1):
        assert number in cuts or other == [*one, SAID[number]]


def test_what_went_stays_gone() -> None:
    prompts = read(history(), SAID)
    for one, other in pairwise(prompts):
        assert [m for m in other[:-1] if m not in one] == []


class NewestLast(Fifo):
    """Likes the older the more messages there are."""

    def score(self, view: View) -> Floats:
        return -super().score(view) if len(view.units) % 2 else super().score(view)


def test_without_a_low_mark_each_reading_selects_anew() -> None:
    prompts = read(history(None, policy=NewestLast()), SAID)
    assert [m for one, other in pairwise(prompts) for m in other[:-1] if m not in one]
    prompts = read(history(1, policy=NewestLast()), SAID)
    assert not [m for one, other in pairwise(prompts) for m in other[:-1] if m not in one]


def test_a_low_mark_of_one_cuts_no_deeper_than_it_must() -> None:
    assert len(read(history(1), SAID[:11])[-1]) == 10


def test_pins_above_the_low_mark_stay() -> None:
    prompts = read(history(recent=8), SAID[:11])
    assert prompts[-1] == [SAID[0], *SAID[3:11]]


def test_what_was_cut_is_only_ever_cut_further() -> None:
    kept = History("40%", low=0.6, granularity="span", recent=1)
    seen: dict[int, int] = {}
    for message in LISTS["anthropic"]:
        kept.append(message)
        for d in kept.eviction.selection.decisions:
            first = d.messages[0]
            if d.messages[-1] < len(kept) - 3:
                assert d.left <= seen.get(first, d.tokens)
                seen[first] = d.left
    assert any(0 < left < 100 for left in seen.values())


@pytest.mark.parametrize("granularity", ["unit", "span"])
@pytest.mark.parametrize("stop", [4, 9, 12])
def test_saving_half_way_changes_nothing(granularity: str, stop: int) -> None:
    messages = LISTS["openai-chat"]
    kept = History(900, low=0.5, granularity=granularity, recent=1)
    read(kept, messages[:stop])
    again = History.from_dict(json.loads(json.dumps(kept.to_dict())))
    assert read(again, messages[stop:]) == read(kept, messages[stop:])
    assert again.to_dict() == kept.to_dict()


def test_a_history_saved_without_the_keys_starts_afresh() -> None:
    kept = History(900, low=0.5)
    kept.extend(SAID)
    saved = {k: v for k, v in kept.to_dict().items() if k not in ("gone", "lost")}
    assert History.from_dict(saved).messages == kept.messages


@pytest.mark.parametrize("broken", [{"gone": [99]}, {"gone": "0"}, {"lost": [-1]}, {"lost": None}])
def test_what_does_not_fit_its_messages_is_refused(broken: dict[str, Any]) -> None:
    kept = History(900, low=0.5, granularity="span")
    kept.extend(SAID[:3])
    with pytest.raises(InputError, match="does not fit its messages"):
        History.from_dict({**kept.to_dict(), **broken})


@pytest.mark.parametrize("low", [0, -0.5, 1.5, float("nan"), "70%"])
def test_a_low_mark_is_a_share_of_the_budget(low: Any) -> None:
    with pytest.raises(SettingError, match="is no share of the budget @ low"):
        History(900, low=low)


def test_another_dialect_forgets_what_was_cut_and_not_what_went() -> None:
    """Once it shows, everything is read anew, in other pieces; units that went stay gone."""
    kept = History(60, low=0.5, recent=1, policy="fifo", counter=lambda _text: 10)
    kept.extend(SAID[:6])
    gone = [m for m in SAID[:6] if m not in kept.messages]
    call = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    kept.append({"role": "assistant", "content": [call]})
    assert kept.eviction.dialect == "anthropic"
    assert gone
    assert not [m for m in kept.messages if m in gone]
