"""Who decides what: pins and recent window first, the policy on the rest, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

from lre import History, evict, explain
from lre.errors import SettingError
from lre.policies import View
from lre.policies.base import Floats, Ints, Mask
from lre.policies.fifo import Fifo
from lre.testing.samples import SAMPLES

CHAT = [
    {"role": "user", "content": "Find the cheapest seat."},
    *[{"role": "assistant", "content": f"Seat {n} costs {n}{n} euros."} for n in range(10, 18)],
]


class Spy(Fifo):
    """Notes down what it is asked."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.asked: list[tuple[list[float], list[int], int]] = []

    def score(self, view: View) -> Floats:
        self.view = view
        return super().score(view)

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        self.asked.append((scores.tolist(), costs.tolist(), limit))
        return super().choose(scores, costs, limit)


def table(**settings: Any) -> list[tuple[str, str, str]]:
    result = evict(CHAT, policy="fifo", counter=lambda _text: 10, **settings)
    return [(d.verdict, d.reason, d.note) for d in result.selection.decisions]


# Each message costs 10 tokens and 5 of framing, the prompt 3 more.


def test_reasons() -> None:
    assert table(budget=3 + 5 * 15, recent=2, pin=[3]) == [
        ("kept", "pinned", "task"),
        ("evicted", "no room", ""),
        ("evicted", "no room", ""),
        ("kept", "pinned", "caller"),
        ("evicted", "no room", ""),
        ("evicted", "no room", ""),
        ("kept", "selected", ""),
        ("kept", "recent", ""),
        ("kept", "recent", ""),
    ]


def test_one_token_less_and_one_unit_goes() -> None:
    assert {row[1] for row in table(budget=3 + 9 * 15)} == {"under budget"}
    assert [row[0] for row in table(budget=3 + 9 * 15 - 1)].count("evicted") == 1


def test_over_budget_keeps_exactly_what_must_stay() -> None:
    result = evict(CHAT, budget=20, recent=3, policy="fifo")
    assert result.over_budget
    assert result.selection.kept == (0, 6, 7, 8)
    assert "OVER BUDGET" in str(result.receipt)


def test_pins_within_the_recent_window_are_told_apart() -> None:
    rows = table(budget=50, recent=3, pin=[7])
    assert [row[1:] for row in rows[-3:]] == [("recent", ""), ("pinned", "caller"), ("recent", "")]


def test_the_latest_stays_without_a_recent_window() -> None:
    assert table(budget=40, recent=0)[-1] == ("kept", "pinned", "latest")


def test_the_policy_chooses_among_those_that_compete() -> None:
    spy = Spy()
    evict(CHAT, policy=spy, budget=100, recent=2, pin=[3], counter=lambda _text: 10)
    assert spy.view is not None
    assert len(spy.view.units) == 9
    assert spy.asked == [([1, 2, 4, 5, 6], [15] * 5, 100 - 3 - 4 * 15)]


def test_the_room_is_never_below_zero() -> None:
    spy = Spy()
    evict(CHAT, policy=spy, budget=1)
    assert spy.asked[0][2] == 0


def test_an_older_budget_is_all_for_those_that_compete() -> None:
    spy = Spy()
    evict(CHAT, policy=spy, older_budget=37, recent=2)
    assert spy.asked[0][2] == 37


def test_scores_are_given_for_all_units_or_none() -> None:
    assert {d.score for d in evict(CHAT, budget=9000).selection.decisions} == {None}
    scores = [d.score for d in evict(CHAT, budget=50, policy="fifo").selection.decisions]
    assert scores == [*map(float, range(9))]


@pytest.mark.parametrize("dialect", SAMPLES)
def test_the_sums_agree(dialect: str) -> None:
    receipt = evict(SAMPLES[dialect], budget="40%", recent=1, system="Be brief.").receipt
    decisions = receipt.selection.decisions
    frame = receipt.before - sum(d.tokens for d in decisions)
    kept = sum(d.tokens for d in decisions if d.verdict == "kept")
    assert receipt.after == kept + frame < receipt.before
    assert receipt.selection.kept == tuple(
        sorted(i for d in decisions if d.verdict == "kept" for i in d.messages)
    )


class Short(Fifo):
    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return super().choose(scores, costs, limit)[:-1]


class Long(Fifo):
    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return np.append(super().choose(scores, costs, limit), True)


class FewScores(Fifo):
    def score(self, view: View) -> Floats:
        return super().score(view)[:-1]


class NoNumbers(Fifo):
    def score(self, view: View) -> Floats:
        return super().score(view) * np.nan


class Places(Fifo):
    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        return super().choose(scores, costs, limit).astype(np.int64)


@pytest.mark.parametrize("broken", [Short, Long, FewScores, NoNumbers, Places])
def test_a_policy_that_miscounts_is_named(broken: type[Fifo]) -> None:
    with pytest.raises(
        SettingError, match=r"policy 'fifo' gave .* that cannot be used for \d units"
    ):
        evict(CHAT, policy=broken(), budget=60)


@pytest.mark.parametrize("policy", ["lre", "lre-paper", "fifo", "random"])
def test_explain_decides_as_evict_does(policy: str) -> None:
    for budget in (60, 9000):
        explained = explain(CHAT, budget=budget, policy=policy)
        result = evict(CHAT, budget=budget, policy=policy)
        assert explained.eviction.selection == result.selection
        assert len(explained.scores) == len(explained.weights) == 9
        if budget == 60:
            assert list(explained.scores) == [d.score for d in result.selection.decisions]
        most = max(len(weights) for weights in explained.weights)
        assert most == {"lre": 1, "lre-paper": 3}.get(policy, 0)


@pytest.mark.parametrize("policy", ["lre", "lre-paper"])
def test_weights_come_with_the_heaviest_first(policy: str) -> None:
    for weights in explain(SAMPLES["anthropic"], budget=60, policy=policy).weights:
        sizes = [abs(weight) for _, weight in weights]
        assert sizes == sorted(sizes, reverse=True)


class _Steady:
    """Answers with what it was given, counted down."""

    name = "steady"
    waives: ClassVar[frozenset[int]] = frozenset()

    def __init__(self, scores: Callable[[int], Any]) -> None:
        self._scores = scores

    def score(self, view: View) -> Any:
        return self._scores(len(view.units))

    def choose(self, scores: Any, costs: Any, limit: int) -> Any:
        assert len(scores) == len(costs) > 0 <= limit
        return [False for _ in scores]


NOTES = [{"role": "user", "content": f"note {i}"} for i in range(12)]


def test_a_policy_may_answer_with_plain_lists_even_where_nothing_is_free() -> None:
    plain = _Steady(lambda size: [0.5] * size)
    assert evict(NOTES[:4], budget=5, policy=plain).over_budget
    assert len(evict(NOTES, budget=90, policy=plain).messages) == 6


@pytest.mark.parametrize(
    "scores",
    [
        lambda size: [None] * size,
        lambda size: ["a"] * size,
        lambda size: [[1], [2, 3]] * size,
        lambda size: [1j] * size,
        lambda size: [float("nan")] * size,
        lambda size: [0.5] * (size + 1),
    ],
)
def test_scores_that_are_no_numbers_are_refused_in_one_line(scores: Callable[[int], Any]) -> None:
    with pytest.raises(SettingError, match="policy 'steady' gave scores that cannot be used"):
        evict(NOTES, budget=20, policy=_Steady(scores))


def test_a_receipt_does_not_change_when_a_policy_uses_its_array_again() -> None:
    buffer = np.zeros(100)

    def scores(size: int) -> Any:
        buffer[:] += 1
        return buffer[:size]

    history = History(20, policy=_Steady(scores))
    history.extend(NOTES)
    receipt = history.eviction.receipt
    history.append(NOTES[0])
    assert history.eviction.receipt.selection.decisions[1].score == 2.0
    assert receipt.selection.decisions[1].score == 1.0


def test_a_policy_cannot_change_what_it_sees() -> None:
    class Meddling(_Steady):
        def score(self, view: View) -> Any:
            view.costs[:] = 0
            return super().score(view)

    with pytest.raises(ValueError, match="read-only"):
        evict(NOTES, budget=20, policy=Meddling(lambda size: [0.5] * size))


@pytest.mark.parametrize(
    ("dialect", "entry"),
    [
        ("openai-responses", {"type": "compaction", "encrypted_content": "A" * 800}),
        ("anthropic", {"role": "assistant", "content": [{"type": "compaction", "content": "W1"}]}),
    ],
)
def test_what_a_provider_made_of_gone_messages_stays(dialect: str, entry: dict[str, Any]) -> None:
    """A compaction stands for all that went before it."""
    said = [{"role": "user", "content": f"Note {n}: W{n}00 waits at the gate."} for n in range(40)]
    result = evict([said[0], entry, *said[1:]], budget=300, dialect=dialect)
    assert entry in result.messages
    assert len(result.messages) < 20
    assert "pinned (compaction)" in str(result.receipt)
