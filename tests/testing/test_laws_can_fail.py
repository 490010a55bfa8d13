"""Each law catches the policies that break it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings

from lre.policies import View
from lre.policies.base import Floats, Ints, Mask
from lre.policies.fifo import Fifo
from lre.selection import Cover
from lre.testing import LAWS, check_policy, check_reproducible, laws_of
from lre.testing.samples import KNOTS, SAMPLES


@pytest.fixture(autouse=True)
def _unshrunk() -> Iterator[None]:
    """Any failure will do, the smallest takes long to find."""
    usual = settings.get_current_profile_name()
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("unshrunk", settings.default, phases=phases)
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(usual)


def keep(
    law: int, policy: Any = "fifo", messages: Sequence[Any] = SAMPLES["anthropic"], **more: Any
) -> None:
    """Demand one law on one sample, at a budget that takes something away."""
    arguments = {"budget": "30%", "recent": 1, **more}
    LAWS[law](copy.deepcopy(list(messages)), policy=policy, **arguments)


def breaks(law: int) -> Any:
    return pytest.raises(AssertionError, match=rf"^law {law} \(")


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("dialect", SAMPLES)
def test_nothing_breaks_them_as_things_are(law: int, dialect: str) -> None:
    pinned = {"pin": ["W2378156", 3, -1], "system": "Be brief."}
    for messages in (SAMPLES[dialect], KNOTS[dialect]):
        for budget in ("1%", "30%", "70%", 400, 9000):
            keep(law, messages=messages, budget=budget)
            keep(law, messages=messages, budget=budget, dialect=dialect, **pinned)


# Policies


class Misnumbering(Fifo):
    """Scores one unit too few."""

    def score(self, view: View) -> Floats:
        return super().score(view)[1:]


class NotANumber(Fifo):
    def score(self, view: View) -> Floats:
        return super().score(view) * np.nan


class ShortMask(Fifo):
    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return super().choose(scores, costs, limit)[:-1]


class LongMask(Fifo):
    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return np.append(super().choose(scores, costs, limit), True)


class Indices(Fifo):
    """Answers places instead of a mask."""

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return np.flatnonzero(super().choose(scores, costs, limit))  # type: ignore[return-value]


class Raising(Fifo):
    def score(self, view: View) -> Floats:
        raise ValueError(f"no idea about {len(view.units)} units")


class Generous(Fifo):
    """Takes one unit more than there is room for."""

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        chosen = super().choose(scores, costs, limit)
        chosen[np.flatnonzero(~chosen)[:1]] = True
        return chosen


class Peeking(Fifo):
    """Remembers the longest history it ever saw, and likes what is in the middle of that."""

    longest = 0

    def score(self, view: View) -> Floats:
        self.longest = max(self.longest, len(view.units))
        return -np.abs(super().score(view) - self.longest / 2)


class Unseeded(Fifo):
    def score(self, view: View) -> Floats:
        return np.random.default_rng().random(len(view.units))


class Moody(Fifo):
    """Turns round whenever asked."""

    sign = 1.0

    def score(self, view: View) -> Floats:
        self.sign = -self.sign
        return self.sign * super().score(view)


class Restless(Fifo):
    """Looks at the clock of how often it was asked, though never twice the same way."""

    asked = 0

    def score(self, view: View) -> Floats:
        Restless.asked += 1
        return np.roll(super().score(view), Restless.asked)


class Scribbling(Fifo):
    """Marks what it has read."""

    def score(self, view: View) -> Floats:
        for message in view.messages:
            message.raw["seen"] = True
        return super().score(view)


class Redacting(Fifo):
    """Writes into a block deep inside."""

    def score(self, view: View) -> Floats:
        for message in view.messages:
            for block in message.raw.get("content") or ():
                if isinstance(block, dict) and block["type"] == "tool_result":
                    block["content"] = "redacted"
        return super().score(view)


class Covered(Fifo):
    """Values what pieces carry, each word as much as the others."""

    def cover(self, view: View) -> Cover:
        uses = view.uses
        even = np.full(len(uses.first), 0.5), np.zeros(len(view.spans))
        return Cover(uses.piece.values, uses.word.values, *even)


class Priceless(Covered):
    def cover(self, view: View) -> Cover:
        return replace(super().cover(view), worth=np.full(len(view.spans), 2.0))


class Overweight(Covered):
    def cover(self, view: View) -> Cover:
        return replace(super().cover(view), weight=np.full(len(view.uses.first), np.nan))


class Pieceless(Covered):
    """Gives worth to units instead of pieces."""

    def cover(self, view: View) -> Cover:
        return replace(super().cover(view), worth=np.zeros(len(view.units)))


class Elsewhere(Covered):
    def cover(self, view: View) -> Cover:
        right = super().cover(view)
        return replace(right, piece=right.piece + len(view.spans))


class Twice(Covered):
    def cover(self, view: View) -> Cover:
        right = super().cover(view)
        return replace(right, piece=np.tile(right.piece, 2), word=np.tile(right.word, 2))


BROKEN_POLICIES: list[tuple[int, type[Fifo]]] = [
    (0, Misnumbering),
    (0, NotANumber),
    (0, ShortMask),
    (0, LongMask),
    (0, Indices),
    (0, Raising),
    (0, Priceless),
    (0, Overweight),
    (0, Pieceless),
    (0, Elsewhere),
    (0, Twice),
    (3, Generous),
    (5, Peeking),
    (6, Unseeded),
    (6, Moody),
    (6, Restless),
    (7, Scribbling),
    (7, Redacting),
    (8, Unseeded),
    (9, Unseeded),
    (9, Generous),
]


@pytest.mark.parametrize(
    ("law", "broken"), BROKEN_POLICIES, ids=[f"{b.__name__}:{law}" for law, b in BROKEN_POLICIES]
)
def test_a_policy_that_breaks_a_law_is_caught(law: int, broken: type[Fifo]) -> None:
    with breaks(law):
        keep(law, policy=broken())
    with breaks(law):
        check_policy(broken(), laws=[law], examples=200)


def test_a_covering_policy_of_ones_own_keeps_the_laws() -> None:
    check_policy(Covered(), examples=10)


def test_a_waived_law_is_not_demanded() -> None:
    with breaks(3):
        keep(3, policy="full")
    with breaks(3):
        check_policy("full", laws=[3], examples=5)
    assert laws_of("full") == [number for number in LAWS if number != 3]
    check_policy("full", examples=5)


BY_HASH = """
import numpy as np
from lre.policies.fifo import Fifo
from lre.selection import Cover

class ByHash(Fifo):
    def score(self, view):
        return np.array([hash(str(u.role)) for u in view.units], dtype=float)
"""


def test_a_policy_that_differs_between_processes_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "by_hash.py").write_text(BY_HASH, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with breaks(6):
        check_reproducible("by_hash:ByHash")
