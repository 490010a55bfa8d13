"""One trace, step by step, under one policy after another: what is in view still."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lre.bench.contenders import Clairvoyant
from lre.bench.summaries import Told
from lre.bench.tally import Tally
from lre.decide import Eviction, Rules, decide
from lre.inventory import Cut
from lre.ledger import Ledger
from lre.messages import Budget, Message
from lre.needs import InView, Need, Past, action, shown
from lre.policies import Policy
from lre.remains import Remains
from lre.tokens import CounterSpec
from lre.traces import Trace

__all__ = ["Row", "Step", "Walker", "walk"]


class Row(NamedTuple):
    """What a row of the results is of; `budget` as it was given."""

    policy: str
    granularity: str
    budget: str


class Step(NamedTuple):
    """An action, what it needs of the past, and what was shown before it."""

    message: int
    says: str
    need: Need | None
    eviction: Eviction
    missing: frozenset[str]


@dataclass
class Walker:
    """A policy at one budget: what it evicted so far, what it showed last, and how it did.

    In the mode "fresh" every decision is made anew, in "sticky" what is gone stays gone, and
    each cut goes down to `low` of the budget.
    """

    row: Row
    policy: Policy
    rules: Rules
    sticky: bool
    tally: Tally = field(default_factory=Tally)
    told: Told = field(default_factory=Told)
    remains: Remains = field(default_factory=Remains)
    before: Sequence[tuple[int | None, object]] = ()

    def step(
        self, ledger: Ledger, past: Past, need: Need | None
    ) -> tuple[Eviction, frozenset[str]]:
        """Decide, and see what is in view; the tally counts."""
        policy = self.policy
        told = policy.foresee(need) if isinstance(policy, Clairvoyant) else policy
        rules = Rules(
            self.rules.budget, told, self.rules.recent, self.rules.granularity, self.rules.low
        )
        start = time.perf_counter()
        eviction = decide(ledger, rules, self.remains)
        seconds = time.perf_counter() - start
        if self.sticky:
            self.remains = eviction.remains
        view = _view(ledger, eviction)
        self._weigh(ledger, eviction, seconds)
        if eviction.receipt.outcome.choice.told or view.claimed:
            self._account(eviction, past, view)
        return eviction, self._look(view, need)

    def _account(self, eviction: Eviction, past: Past, view: InView) -> None:
        """Count what a compressor was asked, and the identifiers that it made up."""
        told = eviction.receipt.outcome.choice.told
        self.told.add(told)
        invented = sum(not past.holds(name) for name in view.claimed)
        self.tally.compress(told.calls if told else 0, bool(told and told.failed), invented)

    def _look(self, view: InView, need: Need | None) -> frozenset[str]:
        if need is None:
            return frozenset()
        found = need.identifiers_in(view)
        self.tally.need(len(need.identifiers), len(found))
        if need.characters:
            self.tally.copy(need.characters, need.characters_in(view))
        return frozenset(need.identifiers - found)

    def _weigh(self, ledger: Ledger, eviction: Eviction, seconds: float) -> None:
        prompt = [(i, _state(i, eviction)) for i in eviction.places]
        costs = (_cost(i, ledger, eviction) for i, _ in prompt)
        shared = ledger.extra
        for now, last, cost in zip(prompt, self.before, costs, strict=False):
            if now != last:
                break
            shared += cost
        self.tally.prompt(eviction.receipt.after, shared if self.before else 0, seconds)
        self.before = prompt


def walk(
    trace: Trace, walkers: Callable[[int], Sequence[Walker]], counter: CounterSpec = "o200k"
) -> Iterator[tuple[Walker, Step]]:
    """Walk a trace; before each action of the assistant every walker decides.

    `walkers` makes them from the trace's own unpinned tokens, of which budgets may be shares.
    """
    whole = Ledger(counter=counter)
    whole.extend(trace.messages)
    own = whole.total - sum(whole.costs[index] for index in whole.pinned)
    made = walkers(own)
    ledger = Ledger(whole.dialect.name, counter, system=trace.system, tools=trace.tools)
    past = Past()
    for turn in _turns(whole.messages):
        here = len(ledger)
        ledger.extend(whole.entries[here : turn[0]])
        for index in range(here, turn[0]):
            past.add(index, ledger.messages[index], pinned=index in ledger.pinned)
        need = past.need(*(whole.messages[index] for index in turn))
        says = " ".join(value for index in turn for value in action(whole.messages[index]))
        for walker in made:
            yield walker, Step(turn[0], says, need, *walker.step(ledger, past, need))


def budget(text: str, own: int) -> Budget:
    """Read a budget of older units: tokens, or a share of the trace's own.

    >>> budget("10%", 5_000).tokens(0)
    500
    """
    given = Budget.of(older_budget=text)
    return Budget.of(older_budget=max(given.tokens(own), 1))


def _turns(messages: Sequence[Message]) -> Iterator[list[int]]:
    """Find the assistant's turns that act: messages of which each continues the one before."""
    turn: list[int] = []
    for index, message in enumerate(messages):
        if message.role != "assistant" or not (turn and message.continues):
            if any(action(messages[i]) for i in turn):
                yield turn
            turn = []
        if message.role == "assistant":
            turn.append(index)
    if any(action(messages[i]) for i in turn):
        yield turn


def _state(place: int | None, eviction: Eviction) -> object:
    """Tell the texts of a prompt's message apart, from those that it had before."""
    choice = eviction.receipt.outcome.choice
    if place is None:
        return choice.note
    cut = choice.cuts.get(place)
    return cut if cut is None or not cut.verbatim else cut.gaps


def _cost(place: int | None, ledger: Ledger, eviction: Eviction) -> int:
    choice = eviction.receipt.outcome.choice
    if place is None:
        return choice.note.cost if choice.note else 0
    return choice.cuts[place].cost if place in choice.cuts else ledger.costs[place]


def _view(ledger: Ledger, eviction: Eviction) -> InView:
    choice = eviction.receipt.outcome.choice
    whole = [index for index in eviction.selection.kept if index not in choice.cuts]
    cuts = {i: cut for i, cut in choice.cuts.items() if cut.verbatim}
    anew = [
        text for i, cut in choice.cuts.items() if i not in cuts for text in _said(i, cut, ledger)
    ]
    if choice.note is not None:
        anew.append(choice.note.text)
    return InView(whole, {i: _intervals(ledger.messages[i], cut) for i, cut in cuts.items()}, anew)


def _said(place: int, cut: Cut, ledger: Ledger) -> list[str]:
    """Give the texts of a message that was written anew."""
    return shown(ledger.read(cut.entry, place))


def _intervals(message: Message, cut: Cut) -> list[list[tuple[int, int]] | None]:
    """Give what is left of each text of a message that was cut; None for one that is whole."""
    texts = shown(message)
    left: list[list[tuple[int, int]] | None] = [None] * len(texts)
    gaps: dict[int, list[tuple[int, int]]] = {}
    for slot, holes in cut.gaps:
        found = gaps.setdefault(slot.number, [])
        found += [(slot.offset + start, slot.offset + end) for start, end in holes]
    for number, holes in gaps.items():
        edges = [0, *(edge for hole in holes for edge in hole), len(texts[number])]
        left[number] = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]
    return left
