"""A budget is one positive number of tokens, or a share of what it limits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lre import evict
from lre.errors import BudgetError
from lre.messages import Budget
from lre.testing.samples import SAMPLES

CHAT = SAMPLES["openai-chat"]


def refused(**settings: Any) -> BudgetError:
    """Give the error, once it is known to be one clear line."""
    with pytest.raises(BudgetError) as caught:
        evict(CHAT, **settings)
    assert "\n" not in str(caught.value)
    assert caught.value.remedy
    return caught.value


NO_BUDGETS: list[Any] = [0, -1, 0.0, -0.5, "0%", "-25%", "x", "", "%", "5 apples", float("nan"),
                         float("inf"), "nan", "inf%", True, False, [100], {}, 1j,
                         "1e999", 10**400]  # fmt: skip


@pytest.mark.parametrize("budget", NO_BUDGETS, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("name", ["budget", "older_budget"])
def test_what_is_no_positive_number_is_no_budget(name: str, budget: Any) -> None:
    assert refused(**{name: budget}).where == name


def test_exactly_one_budget_is_needed() -> None:
    for both in ({"budget": None}, {"older_budget": 100}, {"older_budget": "10%"}):
        with pytest.raises(BudgetError, match="exactly one budget is needed: give either"):
            evict(CHAT, **({"budget": 100} | both))


BUDGETS: list[Any] = [200, 200.9, "200", " 200 ", "2e2", np.int64(200), np.float32(200),
                      Decimal(200), Fraction(401, 2)]  # fmt: skip


@pytest.mark.parametrize("budget", BUDGETS, ids=repr)
def test_a_budget_is_any_positive_number(budget: Any) -> None:
    result = evict(CHAT, budget=budget)
    assert result.receipt.limit == 200
    assert result.selection == evict(CHAT, budget=200).selection


def test_a_share_is_of_what_it_limits() -> None:
    """A budget is a share of the whole prompt, an older budget one of the messages."""
    whole = evict(CHAT, budget=9000, system="x" * 4000).receipt
    tokens = sum(d.tokens for d in whole.selection.decisions)
    assert tokens < whole.before
    for share, part in (("50%", 2), (" 25 % ", 4), ("12.5%", 8)):
        total = evict(CHAT, budget=share, system="x" * 4000).receipt
        older = evict(CHAT, older_budget=share, system="x" * 4000).receipt
        assert (total.limit, older.limit) == (whole.before // part, tokens // part)


def test_the_whole_of_a_history_fits_into_its_whole() -> None:
    assert evict(CHAT, budget="100%", system="x" * 4000).messages is CHAT


@pytest.mark.parametrize(
    "budget", ["1e999999999", "1e-999999999", "1e-999999999%", 1 << 20_000], ids=range(4)
)
def test_an_endless_number_is_no_budget_and_takes_no_time(budget: Any) -> None:
    with pytest.raises(BudgetError, match="is not a positive number"):
        evict(CHAT, budget=budget)


def test_shares_lose_no_token_to_rounding() -> None:
    assert [Budget.of(budget=f"{n}%").tokens(100) for n in range(1, 101)] == list(range(1, 101))


def test_an_older_budget_leaves_out_pins_and_recent_window() -> None:
    result = evict(CHAT, older_budget=90, recent=3, pin="HAT136 is full")
    fates = {d.unit: d.reason for d in result.selection.decisions}
    spent = sum(d.tokens for d in result.selection.decisions if d.reason == "selected")
    assert {reason for unit, reason in fates.items() if unit > 7} == {"recent"}
    assert (fates[0], fates[2]) == ("pinned", "pinned")
    assert 0 < spent <= 90
    assert not evict(CHAT, older_budget=1, recent=99).over_budget


def test_system_and_tools_are_paid_from_the_budget() -> None:
    tools = [{"name": "look", "description": "Look a flight up by its number and day."}]
    bare = evict(CHAT, budget=300).receipt
    laden = evict(CHAT, budget=300, system="Be brief, and kind.", tools=tools).receipt
    assert laden.before > bare.before
    assert laden.after <= 300
    assert evict(CHAT, budget=300, system="word " * 400).over_budget
