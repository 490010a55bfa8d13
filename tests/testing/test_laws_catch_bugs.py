"""Each law catches bugs in the library: one place is broken, and the right law says so."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from lre.decide import Eviction, Rules, decide
from lre.dialects.anthropic import Anthropic
from lre.dialects.base import Problem
from lre.evict import evict
from lre.features import Uses
from lre.history import History
from lre.ledger import Ledger
from lre.messages import Budget, Message, Unit
from lre.remains import Remains
from lre.testing import LAWS
from lre.testing.samples import KNOTS, SAMPLES
from lre.units import Segmenter

Patch = Callable[[pytest.MonkeyPatch], None]


def deciding(change: Callable[[Eviction, Ledger, Rules], Eviction]) -> Patch:
    """Change what comes of each decision."""

    def broken(ledger: Ledger, rules: Rules, remains: Remains | None = None) -> Eviction:
        return change(decide(ledger, rules, remains), ledger, rules)

    def apply(patch: pytest.MonkeyPatch) -> None:
        for module in ("lre.evict", "lre.history"):
            patch.setattr(import_module(module), "decide", broken)

    return apply


def grouping(segmenter: type[Segmenter]) -> Patch:
    return lambda patch: patch.setattr("lre.ledger.Segmenter", segmenter)


def noting(note: Callable[[Ledger, Message], str]) -> Patch:
    return lambda patch: patch.setattr(Ledger, "_note", note)


def copies(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, messages=copy.deepcopy(result.messages))


def turned_round(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, messages=result.messages[::-1])


def one_missing(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, messages=result.messages[1:])


def silent(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, receipt=replace(result.receipt, over_budget=False))


def alarmed(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, receipt=replace(result.receipt, over_budget=True))


def strict(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    if result.over_budget:
        raise ValueError("over budget")
    return result


def tidying(result: Eviction, ledger: Ledger, _rules: Rules) -> Eviction:
    for entry in ledger.entries:
        entry.setdefault("cache_control", None)
    return result


def miscounting(result: Eviction, _ledger: Ledger, _rules: Rules) -> Eviction:
    return replace(result, receipt=replace(result.receipt, after=result.receipt.after - 3))


class Solo(Segmenter):
    """Every message is a unit: results lose their calls."""

    def _partners(self, message: Message, index: int) -> list[int]:
        super()._partners(message, index)
        return []


class Unfinished(Segmenter):
    """No unit is ever open."""

    def units(self) -> list[Unit]:
        return [replace(unit, open=False) for unit in super().units()]


class Doubled(Segmenter):
    """The first unit comes twice."""

    def units(self) -> list[Unit]:
        units = super().units()
        return [*units[:1], *units]


def no_task(_ledger: Ledger, message: Message) -> str:
    return "system" if message.role == "system" else ""


def all_users(_ledger: Ledger, message: Message) -> str:
    return "task" if message.role == "user" else ""


def look_ahead(patch: pytest.MonkeyPatch) -> None:
    """Let a message open a unit only if the user speaks next, where that is known."""
    take = Ledger._take

    def broken(ledger: Ledger, *given: Any) -> None:
        start = len(ledger)
        take(ledger, *given)
        for index in range(start + 1, len(ledger) - 1):
            if ledger.messages[index + 1].role != "user":
                ledger._openers[index] = ledger._openers[index - 1]

    patch.setattr(Ledger, "_take", broken)


def count_by_batch(patch: pytest.MonkeyPatch) -> None:
    """Forget, with every batch, what was seen before."""
    extend = Uses.extend

    def broken(uses: Uses, *given: Any) -> None:
        uses.units.values[:] = 0
        extend(uses, *given)

    patch.setattr(Uses, "extend", broken)


def total_of_the_last(patch: pytest.MonkeyPatch) -> None:
    take = Ledger._take

    def broken(ledger: Ledger, *given: Any) -> None:
        ledger.total = 0
        take(ledger, *given)

    patch.setattr(Ledger, "_take", broken)


def stale(patch: pytest.MonkeyPatch) -> None:
    """Go on showing what was decided first."""
    extend = History.extend

    def broken(history: History, messages: Sequence[Any]) -> None:
        decided = history._decided
        extend(history, messages)
        history._decided = decided

    patch.setattr(History, "extend", broken)


def shared_list(patch: pytest.MonkeyPatch) -> None:
    """Hand out the list that is decided upon, and let it grow."""
    extend = History.extend

    def broken(history: History, messages: Sequence[Any]) -> None:
        if history._decided is not None:
            history._decided[0].messages.extend(messages)
        extend(history, messages)

    patch.setattr(History, "extend", broken)
    patch.setattr(History, "messages", property(lambda history: history._decide()[0].messages))


def forgetful_parse(patch: pytest.MonkeyPatch) -> None:
    parse = Anthropic.parse

    def broken(self: Anthropic, entry: Any, previous: Message | None, where: str) -> Message:
        return replace(parse(self, entry, previous, where), raw=copy.copy(entry))

    patch.setattr(Anthropic, "parse", broken)


def new_list(patch: pytest.MonkeyPatch) -> None:
    """Give a copy of the list, also where nothing had to go."""

    def broken(messages: list[Any], **settings: Any) -> Eviction:
        result = evict(messages, **settings)
        return replace(result, messages=[*result.messages])

    patch.setattr("lre.testing.laws.result.evict", broken)


def half_the_budget(patch: pytest.MonkeyPatch) -> None:
    tokens = Budget.tokens
    patch.setattr(Budget, "tokens", lambda budget, history: tokens(budget, history) // 2)


def touchy(patch: pytest.MonkeyPatch) -> None:
    """A rule that is broken as soon as anything is missing, wherever it stands."""

    def broken(_self: Anthropic, messages: Sequence[Message]) -> list[Problem]:
        return [Problem(0, "too-short", "add more")] if len(messages) % 2 else []

    patch.setattr(Anthropic, "problems", broken)


BUGS: dict[str, tuple[int, Patch]] = {
    "objects are copied": (1, deciding(copies)),
    "the order is lost": (1, deciding(turned_round)),
    "a kept message is left out": (1, deciding(one_missing)),
    "a unit is decided on twice": (1, grouping(Doubled)),
    "parsing copies entries": (1, forgetful_parse),
    "a result loses its call": (2, grouping(Solo)),
    "an open call competes": (2, grouping(Unfinished)),
    "a rule depends on what else is there": (2, touchy),
    "over budget goes unsaid": (3, deciding(silent)),
    "over budget is said for nothing": (3, deciding(alarmed)),
    "the task competes": (3, noting(no_task)),
    "more is pinned than there should be": (3, noting(all_users)),
    "the receipt miscounts": (3, deciding(miscounting)),
    "over budget raises": (0, deciding(strict)),
    "another list comes back": (4, new_list),
    "something goes though all would fit": (4, half_the_budget),
    "a unit's place depends on what follows": (5, look_ahead),
    "what was read grows": (5, shared_list),
    "counting begins anew with every batch": (5, count_by_batch),
    "the caller's objects are tidied up": (7, deciding(tidying)),
    "a share is taken of the last batch alone": (8, total_of_the_last),
    "an old decision is shown again": (8, stale),
    "counts depend on the batches": (8, count_by_batch),
}


def keep(law: int) -> None:
    """Demand a law where all must go, some, or nothing."""
    for budget in (5, 110, 160, 250, "30%", "60%", 9000):
        for samples in (SAMPLES, KNOTS):
            messages = copy.deepcopy(samples["anthropic"])
            LAWS[law](messages, policy="lre", budget=budget, recent=1)


@pytest.mark.parametrize("bug", BUGS)
def test_the_right_law_catches_that(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law, apply = BUGS[bug]
    keep(law)
    apply(monkeypatch)
    with pytest.raises(AssertionError, match=rf"^law {law} \("):
        keep(law)
