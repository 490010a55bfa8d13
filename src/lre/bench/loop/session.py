"""One task under one policy: the agent acts on what is in view, until it is done or gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from lre import selection
from lre.bench.loop.agent import act
from lre.bench.loop.tasks import Task
from lre.bench.loop.world import TOOLS, World
from lre.bench.summaries import Told
from lre.decide import Eviction
from lre.history import History
from lre.policies import View
from lre.policies.base import Floats, Ints, Mask

__all__ = ["Foresight", "Knowing", "Played", "opening", "play"]

Entry = dict[str, Any]


@dataclass
class Played:
    """What came of it, counted step by step; `messages` are all that were said.

    `refetches` are calls that the agent would not have made with everything in view. `tokens`
    are those of all prompts together, `peak` those of the largest; `over` counts the prompts that
    pins and recent window alone made larger than the budget. `calls` are those of a compressor,
    `failures` the decisions for which it wrote nothing; `told` counts its summaries.
    """

    messages: list[Entry] = field(default_factory=list)
    success: bool = False
    steps: int = 0
    refetches: int = 0
    tokens: int = 0
    peak: int = 0
    over: int = 0
    calls: int = 0
    failures: int = 0
    told: Told = field(default_factory=Told)


@runtime_checkable
class Knowing(Protocol):
    """A policy that is told what the next call would be read from, were everything in view."""

    def foresee(self, grounds: frozenset[int]) -> None:
        """Take the places of these messages."""
        ...


class Foresight:
    """The oracle of this world: what the next call is read from first, then the newest."""

    name = "oracle"
    waives: ClassVar[frozenset[int]] = frozenset()

    def __init__(self) -> None:
        self._grounds: frozenset[int] = frozenset()

    def foresee(self, grounds: frozenset[int]) -> None:
        """Take the places of these messages."""
        self._grounds = grounds

    def score(self, view: View) -> Floats:
        """The place of each unit, those that are needed after all others: shape ``(units,)``."""
        scores = np.arange(len(view.units), dtype=np.float64)
        scores[view.owner[sorted(self._grounds)]] += len(view.units)
        return scores

    def choose(self, scores: Floats, costs: Ints, limit: int) -> Mask:
        """By score alone, whatever a unit costs."""
        return selection.greedy(scores, costs, limit)


def opening(task: Task) -> list[Entry]:
    """Give what is said before the first call."""
    return [{"role": "system", "content": TOOLS}, {"role": "user", "content": str(task)}]


def play(task: Task, history: History, policy: object, most: int) -> Played:
    """Let the agent work on a task, with what `history` leaves in view, for at most so many calls.

    `policy` is the one that `history` was made with.

    >>> from lre.bench.loop.tasks import draw_task
    >>> played = play(draw_task("easy", 0), History(budget=10**6), None, most=99)
    >>> played.success, played.refetches
    (True, 0)
    """
    world, played = World(task), Played(opening(task))
    history.extend(played.messages)
    while played.steps < most and not world.completed:
        whole = act(task, played.messages)
        if isinstance(policy, Knowing):
            policy.foresee(whole.grounds)
        seen = history.eviction
        action = act(task, seen.messages)
        number = played.steps
        answer = world.call(action.name, action.arguments)
        new = [action.message(number), _result(number, answer)]
        history.extend(new)
        _count(played, new, seen)
        same = (action.name, action.arguments) == (whole.name, whole.arguments)
        played.refetches += not same
    played.success = world.completed
    return played


def _result(number: int, answer: str) -> Entry:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": answer}


def _count(played: Played, new: Sequence[Entry], seen: Eviction) -> None:
    tokens, told = seen.receipt.after, seen.receipt.outcome.choice.told
    played.messages += new
    played.steps += 1
    played.tokens += tokens
    played.peak = max(played.peak, tokens)
    played.over += seen.over_budget
    played.told.add(told)
    if told is not None:
        played.calls += told.calls
        played.failures += bool(told.failed)
