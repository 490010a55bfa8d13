"""Replay: what each policy would have lost on recorded sessions, without any model call.

Definitions: PROTOCOL, section 3. Trained policies see other folds only: five folds, no task and
no lineage in two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lre.bench.contenders import contender, learners
from lre.bench.parallel import Tick, spread
from lre.bench.summaries import Summaries, Told
from lre.bench.walk import Row, Walker, budget, walk
from lre.decide import Rules
from lre.errors import TrainingError
from lre.learn.dataset import Rows, concat, sample
from lre.learn.folds import folds, groups
from lre.learn.recipes import AGENT
from lre.learn.train import fit
from lre.pieces import SPLITTERS
from lre.policies import Covering
from lre.scorer import Scorer
from lre.tokens import CounterSpec
from lre.traces import Trace

__all__ = ["Plan", "Replayed", "replay"]

Floats = npt.NDArray[np.float64]

_FOLDS = 5


@dataclass(frozen=True)
class Plan:
    """What is replayed: policies, older budgets, granularities, and how.

    A policy that values pieces runs in each of `granularities`, any other in whole units. Where
    none is given, it runs in all, and the better one is reported. `scorers` by recipe are measured
    as they are, instead of training.
    """

    policies: Sequence[str] = ("full", "fifo", "random", "lre-paper", "lre", "oracle")
    budgets: Sequence[str] = ("512", "1024", "2048")
    granularities: Sequence[str] = ()
    recent: int = 5
    mode: str = "fresh"
    low: float = 0.7
    counter: CounterSpec = "o200k"
    seed: int = 0
    scorers: Mapping[str, Scorer] = field(default_factory=dict)

    def rows(self) -> list[Row]:
        """List what is measured; where no granularity is given, lre in every one."""
        found = []
        for name in self.policies:
            pieces = isinstance(contender(name, {}), Covering)
            kinds = (self.granularities or tuple(SPLITTERS)) if pieces else ("unit",)
            found += [Row(name, kind, amount) for kind in kinds for amount in self.budgets]
        return found

    def learners(self) -> dict[str, list[str]]:
        """Give the recipes of the scorers to be trained first, each with its policies."""
        found = learners(self.policies)
        return {recipe: names for recipe, names in found.items() if recipe not in self.scorers}

    def ticks(self, traces: int) -> int:
        """Count the ticks of a replay: each trace is sampled for every recipe, then replayed."""
        return traces * (len(self.learners()) + 1)

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
    """Counts of every trace, shape ``(traces, counts)`` for each row, and what they are of.

    `scorers` are those that each trace was replayed with, by recipe, `summaries` what came of
    those that were asked for, by policy.
    """

    plan: Plan
    counts: Mapping[Row, Floats]
    peaks: Mapping[Row, int]
    groups: Sequence[int]
    scorers: Sequence[Mapping[str, Scorer]]
    summaries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def replay(traces: Sequence[Trace], plan: Plan, workers: int = 1, tick: Tick = None) -> Replayed:
    """Replay traces; `tick` is called once for each that is sampled or replayed.

    Raises
    ------
    TrainingError
        If a policy has to be trained and there is too little to learn from.
    LreError
        If no summary comes that a policy asks for.
    """
    group = groups(traces)
    scorers = _fitted(traces, group, plan, workers, tick)
    jobs = [(trace, plan, own) for trace, own in zip(traces, scorers, strict=True)]
    results, summaries = [], Summaries()
    for result in spread(_replay_one, jobs, workers, tick):
        results.append(result)
        for row, one in result.items():
            summaries.add(row.policy, one.told)
    rows = plan.rows()
    counts = {row: np.array([result[row].counts for result in results]) for row in rows}
    peaks = {row: max(result[row].peak for result in results) for row in rows}
    return Replayed(plan, counts, peaks, group, scorers, summaries.finish())


class _Walked(NamedTuple):
    counts: Floats
    peak: int
    told: Told


def _replay_one(job: tuple[Trace, Plan, Mapping[str, Scorer]]) -> dict[Row, _Walked]:
    trace, plan, scorers = job
    made: list[Walker] = []

    def walkers(own: int) -> list[Walker]:
        made.extend(plan.walkers(scorers, own))
        return made

    for _ in walk(trace, walkers, plan.counter):
        pass
    return {one.row: _Walked(one.tally.counts(), one.tally.peak, one.told) for one in made}


def _fitted(
    traces: Sequence[Trace], group: Sequence[int], plan: Plan, workers: int, tick: Tick
) -> list[dict[str, Scorer]]:
    """Give each trace the scorers of the plan, and those fitted on the folds that it is not in."""
    scorers = [dict(plan.scorers) for _ in traces]
    for recipe, policies in plan.learners().items():
        with _named(policies):
            parts = folds(group, _FOLDS)
            jobs = [(trace, number, recipe) for trace, number in zip(traces, group, strict=True)]
            rows = list(spread(_sample_one, jobs, workers, tick))
            for train, test in parts:
                scorer = fit(concat([rows[i] for i in train]), AGENT[recipe].features)
                for place in test:
                    scorers[place][recipe] = scorer
    return scorers


@contextmanager
def _named(policies: Sequence[str]) -> Iterator[None]:
    """Say for whom it was that training failed."""
    try:
        yield
    except TrainingError as error:
        remedy = "add sessions of other tasks, give --scorer FILE (or shipped), or leave it out"
        raise TrainingError(error.what, where=", ".join(policies), remedy=remedy) from error


def _sample_one(job: tuple[Trace, int, str]) -> Rows:
    trace, group, name = job
    return sample(trace, group, AGENT[name].features, AGENT[name].sampler)
