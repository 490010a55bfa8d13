"""Replay: what each policy would have lost on recorded sessions, without any model call.

Definitions: PROTOCOL, section 3. Trained policies see other folds only: five folds, no task and
no lineage in two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lre.bench.contenders import contender, recipes
from lre.bench.parallel import Tick, spread
from lre.bench.walk import Row, Walker, budget, walk
from lre.decide import Rules
from lre.errors import TrainingError
from lre.learn.dataset import Rows, concat, sample
from lre.learn.folds import folds, groups
from lre.learn.train import RECIPES, fit
from lre.pieces import SPLITTERS
from lre.policies import Covering
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["Plan", "Replayed", "replay"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """What is replayed: policies, older budgets, granularities, and how.

    Where `granularities` is empty, a policy that values pieces runs in all, and the better one is
    reported. `scorers` by recipe are measured as they are, instead of training.
    """

    policies: Sequence[str] = ("full", "fifo", "random", "lre-paper", "lre", "oracle")
    budgets: Sequence[str] = ("512", "1024", "2048")
    granularities: Sequence[str] = ()
    recent: int = 5
    mode: str = "fresh"
    low: float = 0.7
    counter: str = "o200k"
    seed: int = 0
    scorers: Mapping[str, Scorer] = field(default_factory=dict)

    def rows(self) -> list[Row]:
        """List what is measured; where no granularity is given, lre in every one."""
        found = []
        for name in self.policies:
            pieces = isinstance(contender(name, {}), Covering)
            for granularity in self.granularities or tuple(SPLITTERS):
                if pieces or granularity == "unit":
                    found += [Row(name, granularity, amount) for amount in self.budgets]
        return found

    def walkers(self, scorers: Mapping[str, Scorer], own: int) -> list[Walker]:
        """Make a walker for every row of one trace."""
        sticky = self.mode == "sticky"
        low = self.low if sticky else 1
        made = []
        for row in self.rows():
            policy = contender(row.policy, scorers)
            rules = Rules(budget(row.budget, own), policy, self.recent, row.granularity, low)
            made.append(Walker(row, policy, rules, sticky))
        return made


@dataclass(frozen=True)
class Replayed:
    """Counts of every trace, shape ``(traces, counts)`` for each row, and what they are of."""

    plan: Plan
    counts: Mapping[Row, Floats]
    peaks: Mapping[Row, int]
    groups: Sequence[int]


def replay(traces: Sequence[Trace], plan: Plan, workers: int = 1, tick: Tick = None) -> Replayed:
    """Replay traces; `tick` is called once for each that is sampled or replayed.

    Raises
    ------
    TrainingError
        If a policy has to be trained and there is too little to learn from.
    """
    group = groups(traces)
    needed = [name for name in recipes(plan.policies) if name not in plan.scorers]
    fitted = _fitted(traces, group, needed, workers, tick)
    jobs = [
        (trace, plan, {**plan.scorers, **scorers})
        for trace, scorers in zip(traces, fitted, strict=True)
    ]
    results = list(spread(_replay_one, jobs, workers, tick))
    rows = plan.rows()
    counts = {row: np.array([result[row][0] for result in results]) for row in rows}
    peaks = {row: max(result[row][1] for result in results) for row in rows}
    return Replayed(plan, counts, peaks, group)


def _replay_one(job: tuple[Trace, Plan, Mapping[str, Scorer]]) -> dict[Row, tuple[Floats, int]]:
    trace, plan, scorers = job
    made: list[Walker] = []

    def walkers(own: int) -> list[Walker]:
        made.extend(plan.walkers(scorers, own))
        return made

    for _ in walk(trace, walkers, plan.counter):
        pass
    return {walker.row: (walker.tally.counts(), walker.tally.peak) for walker in made}


def _fitted(
    traces: Sequence[Trace], group: Sequence[int], needed: Sequence[str], workers: int, tick: Tick
) -> list[dict[str, Scorer]]:
    """Fit scorers for each trace on the folds that it is not in."""
    scorers: list[dict[str, Scorer]] = [{} for _ in traces]
    for name in needed:
        jobs = [(trace, number, name) for trace, number in zip(traces, group, strict=True)]
        parts = list(spread(_sample_one, jobs, workers, tick))
        for train, test in _splits(group):
            scorer = fit(concat([parts[i] for i in train]), RECIPES[name].features)
            for place in test:
                scorers[place][name] = scorer
    return scorers


def _splits(group: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    if len(set(group)) < 2:
        raise TrainingError(
            "all sessions are of one task, so none is left to train on",
            remedy="add sessions of other tasks, or give --scorer",
        )
    for train, test in folds(group, min(5, len(set(group)))):
        yield train.tolist(), test.tolist()


def _sample_one(job: tuple[Trace, int, str]) -> Rows:
    trace, group, name = job
    return sample(trace, group, RECIPES[name].features, RECIPES[name].sampler)
