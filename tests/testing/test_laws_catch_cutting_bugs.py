"""The laws catch bugs in how spans go, and in what `History(low=…)` leaves as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from lre.decide import Eviction, Rules, decide
from lre.dialects.anthropic import Anthropic
from lre.dialects.slots import with_texts
from lre.evict import evict
from lre.history import History
from lre.inventory import Cut, Inventory
from lre.ledger import Ledger
from lre.messages import Reasoning, Text
from lre.remains import Remains
from lre.testing import LAWS
from lre.testing.samples import KNOTS, LISTS

Patch = Callable[[pytest.MonkeyPatch], None]


def rewriting(change: Callable[[str], str]) -> Patch:
    """Change every text that was cut."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        def broken(entry: Any, texts: dict[Any, str]) -> Any:
            return with_texts(entry, {path: change(text) for path, text in texts.items()})

        patch.setattr("lre.inventory.with_texts", broken)

    return apply


def deciding(change: Callable[[Eviction, Ledger], Eviction]) -> Patch:
    def broken(ledger: Ledger, rules: Rules, remains: Remains | None = None) -> Eviction:
        return change(decide(ledger, rules, remains), ledger)

    def apply(patch: pytest.MonkeyPatch) -> None:
        for module in ("lre.evict", "lre.history"):
            patch.setattr(import_module(module), "decide", broken)

    return apply


def copying(result: Eviction, ledger: Ledger) -> Eviction:
    """Copy also what was not cut."""
    own = {id(entry) for entry in ledger.entries}
    entries = [copy.copy(entry) if id(entry) in own else entry for entry in result.messages]
    return replace(result, messages=entries)


def in_place(patch: pytest.MonkeyPatch) -> None:
    """Write what is left into the caller's own object."""

    def broken(entry: Any, texts: dict[Any, str]) -> Any:
        entry.update(with_texts(entry, texts))
        return entry

    patch.setattr("lre.inventory.with_texts", broken)


def miscounted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("lre.spans.marker", lambda tokens: f"[{tokens + 1:,} tokens cut]")


def cutting_thoughts(patch: pytest.MonkeyPatch) -> None:
    """Take what was thought for something that was said."""
    slots = Anthropic.slots

    def broken(self: Anthropic, entry: Any) -> list[Any]:
        blocks = entry["content"] if isinstance(entry["content"], list) else []
        thoughts = [i for i, block in enumerate(blocks) if block["type"] == "thinking"]
        return [*(("content", i, "thinking") for i in thoughts), *slots(self, entry)]

    patch.setattr(Anthropic, "slots", broken)
    patch.setattr("lre.pieces.Text", Text | Reasoning)


def unpriced(patch: pytest.MonkeyPatch) -> None:
    """Take a copy for as cheap as can be."""
    patch.setattr("lre.inventory.Cut", lambda entry, _cost, gaps: Cut(entry, 1, gaps))


def cutting_all(patch: pytest.MonkeyPatch) -> None:
    """Cut in messages that must stay whole."""
    cut = Inventory.cut

    def broken(self: Inventory, kept: Any, whose: Any) -> Any:
        return cut(self, kept & (np.arange(len(kept)) % 2 == 0), np.ones_like(whose))

    patch.setattr(Inventory, "cut", broken)


def unsteady(patch: pytest.MonkeyPatch) -> None:
    """Write a marker that is another on every run."""
    asked = iter(range(10**6))
    patch.setattr("lre.spans.marker", lambda tokens: f"[{tokens:,} tokens cut, {next(asked)}]")


# Histories that stay as they are


def returning(patch: pytest.MonkeyPatch) -> None:
    """Let units compete that are gone."""
    patch.setattr(Remains, "alive", lambda _self, units: np.ones(len(units), dtype=np.bool_))


def whole_again(patch: pytest.MonkeyPatch) -> None:
    """Forget what was cut."""
    known = Eviction.remains.fget  # type: ignore[attr-defined]
    patch.setattr(Eviction, "remains", property(lambda self: Remains(known(self).gone)))


def reviving(patch: pytest.MonkeyPatch) -> None:
    """Let spans compete that are gone."""
    known = Eviction.remains.fget  # type: ignore[attr-defined]
    patch.setattr(
        Eviction, "remains", property(lambda self: replace(known(self), lost=frozenset()))
    )


def eager(patch: pytest.MonkeyPatch) -> None:
    """Cut as soon as the low mark is passed."""
    limit = Rules.limit
    patch.setattr(Rules, "limit", lambda self, ledger: int(limit(self, ledger) * self.low))


def slack(patch: pytest.MonkeyPatch) -> None:
    """Cut no deeper than the budget."""
    patch.setattr(
        "lre.history.decide",
        lambda ledger, rules, left: decide(ledger, replace(rules, low=1), left),
    )


def anew(patch: pytest.MonkeyPatch) -> None:
    """Choose from what was there before, not from what is left."""
    patch.setattr("lre.history.decide", lambda ledger, rules, _left: decide(ledger, rules))


def unsaved(patch: pytest.MonkeyPatch) -> None:
    """Leave out of a saved history what went."""
    saved = History.to_dict
    patch.setattr(History, "to_dict", lambda self: {**saved(self), "gone": [], "lost": []})


def half_saved(patch: pytest.MonkeyPatch) -> None:
    """Save which units went, and not which spans."""
    saved = History.to_dict
    patch.setattr(History, "to_dict", lambda self: {**saved(self), "lost": []})


BUGS: dict[str, tuple[int, Patch]] = {
    "what is left is said in other words": (1, rewriting(lambda text: text.replace("HAT", "AF"))),
    "a character is lost": (1, rewriting(lambda text: text[:-1])),
    "a gap shows nothing": (1, rewriting(lambda text: text.replace(" tokens cut]", ""))),
    "a marker says another number": (1, miscounted),
    "thoughts are cut": (1, cutting_thoughts),
    "what was not cut is copied": (1, deciding(copying)),
    "what must stay is cut": (3, cutting_all),
    "a copy costs more than it is said to": (3, unpriced),
    "a marker is another on every run": (6, unsteady),
    "the caller's own object is cut": (7, in_place),
    "what went comes back": (9, returning),
    "what was cut is whole again": (9, whole_again),
    "spans come back": (9, reviving),
    "a cut comes before the budget is passed": (9, eager),
    "a cut stops at the budget": (9, slack),
    "what went is chosen from again": (9, anew),
    "a saved history forgets what went": (9, unsaved),
    "a saved history forgets what was cut": (9, half_saved),
}


def keep(law: int) -> None:
    """Demand a law where little stays, some, or most."""
    for budget in ("15%", "25%", "40%", "60%", "90%"):
        for samples in (LISTS, KNOTS):
            messages: Sequence[Any] = copy.deepcopy(samples["anthropic"])
            LAWS[law]([*messages], policy="lre", budget=budget, recent=1, granularity="span")


@pytest.mark.parametrize("bug", BUGS)
def test_the_right_law_catches_that(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law, apply = BUGS[bug]
    keep(law)
    apply(monkeypatch)
    with pytest.raises(AssertionError, match=rf"^law {law} \("):
        keep(law)


def test_every_kind_of_message_is_cut_but_for_actions() -> None:
    """Else the laws would hold for nothing."""
    cut = set()
    for budget in range(5, 100, 5):
        result = evict(LISTS["anthropic"], budget=f"{budget}%", recent=1, granularity="span")
        own = [*map(id, LISTS["anthropic"])]
        pairs = zip(result.selection.kept, result.messages, strict=True)
        cut |= {index for index, entry in pairs if id(entry) not in own}
    assert cut >= {2, 6, 7, 8, 10}
    assert cut.isdisjoint({1, 5, 9, 11})
