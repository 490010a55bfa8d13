"""The checks of dialects, features and segmenters catch those that break their promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings

from lre.dialects.base import Block, Problem
from lre.dialects.openai_chat import OpenAIChat
from lre.dialects.slots import Path
from lre.features.feature import Feature, Floats, feature, identifier_feature
from lre.features.moment import Moment
from lre.features.standing import Standing
from lre.messages import Message
from lre.testing import check_dialect, check_feature, check_segmenter, conversations
from lre.units import Segmenter


@pytest.fixture(autouse=True)
def _unshrunk() -> Iterator[None]:
    """Any failure will do, the smallest takes long to find."""
    usual = settings.get_current_profile_name()
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("unshrunk", settings.default, phases=phases)
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(usual)


# Features


@feature("intrinsic")
def ahead(m: Moment) -> Floats:
    """How many units come after: state, whatever it says."""
    return m.size - 1 - m.place


@feature("intrinsic")
def placed(m: Moment) -> Floats:
    """Its place, which changes when units before it merge."""
    return m.place


@feature("state")
def negative(m: Moment) -> Floats:
    """The place, below zero."""
    return -1 - m.place


@feature("state", high=1)
def too_high(m: Moment) -> Floats:
    """The place, which is no share."""
    return m.place


@feature("intrinsic")
def undefined(m: Moment) -> Floats:
    """Zero by zero."""
    with np.errstate(all="ignore"):
        return m.sum("words") / m.sum("words")


@feature("state")
def misshapen(_m: Moment) -> Floats:
    """One number for all."""
    return np.zeros(1)


class _Counting:
    asked = 0


@feature("state")
def counting(_m: Moment) -> Floats:
    """How often anybody asked."""
    _Counting.asked += 1
    return np.full(_m.size, float(_Counting.asked))


@identifier_feature()
def numbered(s: Standing) -> Floats:
    """The row, which another batch may change."""
    return np.arange(s.size, dtype=np.float64)


@identifier_feature()
def carriers(s: Standing) -> Floats:
    """How many pieces carry it, which depends on how they were cut."""
    return np.bincount(s.uses.word.values, minlength=s.size).astype(np.float64)


@identifier_feature(high=1)
def often(s: Standing) -> Floats:
    """How many units carry it, which is no share."""
    return s.spread


@identifier_feature()
def of_units(s: Standing) -> Floats:
    """A number for each unit."""
    return np.zeros(s.units)


BROKEN_FEATURES = {
    ahead: "law 5",
    placed: "law 5",
    negative: "not between",
    too_high: "not between 0 and 1",
    undefined: "not finite|law 5",
    misshapen: "shape",
    counting: "in pieces",
    numbered: "in pieces",
    carriers: "in spans",
    often: "not between 0 and 1",
    of_units: "shape",
}


@pytest.mark.parametrize("broken", BROKEN_FEATURES, ids=lambda broken: broken.name)
def test_a_broken_feature_is_caught(broken: Feature) -> None:
    with pytest.raises(AssertionError, match=BROKEN_FEATURES[broken]):
        check_feature(broken, examples=200)


# Dialects


class Copying(OpenAIChat):
    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        message = super().parse(entry, previous, where)
        return replace(message, raw=dict(message.raw))


class Marking(OpenAIChat):
    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        message = super().parse(entry, previous, where)
        message.raw["seen"] = True
        return message


class Rewriting(OpenAIChat):
    def render(self, messages: Sequence[Message]) -> list[Any]:
        return super().render([replace(message, raw=None) for message in messages])


class Boastful(OpenAIChat):
    def evidence(self, entry: Block) -> int:
        return super().evidence(entry) + 3


class Unsorted(OpenAIChat):
    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return super().problems(messages)[::-1]


class Outside(OpenAIChat):
    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return [Problem(len(messages), "end", "the list ends: go on")]


class Wordy(OpenAIChat):
    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return [Problem(0, "long", "one\ntwo")] if messages else []


class Fickle(OpenAIChat):
    asked = 0

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        self.asked += 1
        return [Problem(0, "odd", "ask again")] if messages and self.asked % 2 else []


class Demanding(OpenAIChat):
    """Wants to see roles alternate, which eviction cannot promise."""

    def problems(self, messages: Sequence[Message]) -> list[Problem]:
        return [
            Problem(index, "alternate", "two of one role: merge them")
            for index, message in enumerate(messages)
            if index and message.role == messages[index - 1].role
        ]


class Crashing(OpenAIChat):
    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        if isinstance(entry, list):
            raise TypeError("no list, please")
        return super().parse(entry, previous, where)


class Placeless(OpenAIChat):
    def parse(self, entry: object, previous: Message | None, where: str) -> Message:
        return super().parse(entry, previous, where[:0])


class Talkative(OpenAIChat):
    """Takes everything for text that may be cut, the arguments of calls as well."""

    def slots(self, entry: object) -> list[Path]:
        called = entry.get("tool_calls", ()) if isinstance(entry, dict) else ()
        arguments = ("function", "arguments")
        return [*(("tool_calls", i, *arguments) for i in range(len(called))), *super().slots(entry)]


BROKEN_DIALECTS = {
    Copying: "render wrote other objects",
    Marking: "parse changed an entry",
    Rewriting: "render wrote other objects",
    Boastful: "evidence of",
    Unsorted: "out of order",
    Outside: "outside",
    Wordy: "not in one line",
    Fickle: "the second time",
    Demanding: "without .* there is also alternate",
    Crashing: "TypeError",
    Placeless: "names no place",
    Talkative: "slots cut",
}


@pytest.mark.parametrize("broken", BROKEN_DIALECTS, ids=lambda broken: broken.__name__)
def test_a_broken_dialect_is_caught(broken: type[OpenAIChat]) -> None:
    with pytest.raises(AssertionError, match=BROKEN_DIALECTS[broken]):
        check_dialect(broken(), conversations("openai-chat"), examples=300)


def test_a_sound_dialect_of_ones_own_passes() -> None:
    check_dialect(OpenAIChat(), conversations("openai-chat"), examples=20)


# Segmenters


class Solo(Segmenter):
    def _partners(self, message: Message, index: int) -> list[int]:
        super()._partners(message, index)
        return []


class Latecomers(Segmenter):
    """Ties every message from the third on to the one before it."""

    def _partners(self, message: Message, index: int) -> list[int]:
        return [*super()._partners(message, index), *[index - 1] * (index > 2)]


class Closed(Segmenter):
    def units(self) -> list[Any]:
        return [replace(unit, open=False) for unit in super().units()]


class Backwards(Segmenter):
    def units(self) -> list[Any]:
        return super().units()[::-1]


class Losing(Segmenter):
    def units(self) -> list[Any]:
        return super().units()[1:]


BROKEN_SEGMENTERS = {
    Solo: "were parted",
    Latecomers: "falls apart",
    Closed: "are open",
    Backwards: "out of order",
    Losing: "units hold",
}


@pytest.mark.parametrize("broken", BROKEN_SEGMENTERS, ids=lambda broken: broken.__name__)
def test_a_broken_segmenter_is_caught(
    broken: type[Segmenter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lre.units.Segmenter", broken)
    with pytest.raises(AssertionError, match=BROKEN_SEGMENTERS[broken]):
        check_segmenter("auto", examples=300)
