"""The study: every policy at every budget on the same tasks, scorers trained on others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lre.bench.contenders import contender
from lre.bench.loop.plan import SHIPPED, WHOLE, Plan, entrant
from lre.bench.loop.session import Played, play
from lre.bench.loop.tasks import draw_task
from lre.bench.parallel import Tick, spread
from lre.bench.summaries import Summaries, Told
from lre.bench.walk import Row
from lre.errors import SettingError
from lre.history import History
from lre.learn.dataset import Rows, concat, sample
from lre.learn.recipes import AGENT
from lre.learn.train import fit
from lre.messages import Budget
from lre.policies import Policy
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["COUNTS", "SHIPPED", "WHOLE", "Plan", "Studied", "entrant", "study"]

Floats = npt.NDArray[np.float64]

COUNTS = (
    *("success", "steps", "fewest", "refetches", "tokens", "peak", "over"),
    *("calls", "failures"),
)
"""What is counted of each task under each row."""

_TRAINING = 1_000_000  # the first of the seeds that are for training only
_PATIENCE = 2.5  # times the fewest calls
_ENDLESS = 10**9  # tokens


@dataclass(frozen=True)
class Studied:
    """Counts of every task, shape ``(seeds, counts)``, by level and row.

    `limits` are the tokens of each budget, by level, `summaries` what came of those that were
    asked for, by policy.
    """

    plan: Plan
    counts: Mapping[tuple[str, Row], Floats]
    limits: Mapping[str, Mapping[str, int]]
    summaries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def study(plan: Plan, workers: int = 1, tick: Tick = None) -> Studied:
    """Play all tasks under all policies; `tick` is called after each task.

    Raises
    ------
    TrainingError
        If a policy has to be trained and the training tasks hold too little.
    LreError
        If no summary comes that a policy asks for.
    """
    if plan.training < 1 or plan.seeds < 1:
        raise SettingError("there is nothing to play", where="seeds", remedy="give 1 or more")
    scorers, limits = _prepared(plan, workers, tick)
    jobs = [
        (plan, level, seed, scorers, limits[level])
        for level in plan.levels
        for seed in range(plan.seeds)
    ]
    found, summaries = [], Summaries()
    for one in spread(_compete, jobs, workers, tick):
        found.append(one)
        for row, counted in one.items():
            summaries.add(row.policy, counted.told)
    counts = {
        (level, row): np.array(
            [one[row].counts for job, one in zip(jobs, found, strict=True) if job[1] == level]
        )
        for level in plan.levels
        for row in plan.rows()
    }
    return Studied(plan, counts, limits, summaries.finish())


def _prepared(
    plan: Plan, workers: int, tick: Tick
) -> tuple[dict[str, Scorer], dict[str, dict[str, int]]]:
    """Play the training tasks with everything in view: for the scorers, and for the budgets."""
    jobs = [(plan, level, _TRAINING + i) for level in plan.levels for i in range(plan.training)]
    found = list(spread(_record, jobs, workers, tick))
    scorers = {
        recipe: fit(concat([rows[recipe] for _, rows in found]), AGENT[recipe].features)
        for recipe in plan.learners()
    }
    limits = {}
    for level in plan.levels:
        peaks = [peak for job, (peak, _) in zip(jobs, found, strict=True) if job[1] == level]
        mean = round(float(np.mean(peaks)))
        limits[level] = {one: max(Budget.of(budget=one).tokens(mean), 1) for one in plan.budgets}
    return scorers, limits


def _record(job: tuple[Plan, str, int]) -> tuple[int, dict[str, Rows]]:
    """Play one task with everything in view: its peak, and what there is to learn from it."""
    plan, level, seed = job
    played = _play(plan, level, seed, WHOLE, _ENDLESS, contender("full", {}), _ENDLESS)
    trace = Trace(f"{level}/{seed}", f"{level}/{seed}", played.messages)
    group = plan.levels.index(level) * plan.training + seed - _TRAINING
    chosen = {recipe: AGENT[recipe] for recipe in plan.learners()}
    rows = {name: sample(trace, group, one.features, one.sampler) for name, one in chosen.items()}
    return played.peak, rows


class _Counted(NamedTuple):
    counts: list[float]
    told: Told


def _compete(
    job: tuple[Plan, str, int, Mapping[str, Scorer], Mapping[str, int]],
) -> dict[Row, _Counted]:
    """Play one task under every row."""
    plan, level, seed, scorers, limits = job
    whole = _play(plan, level, seed, WHOLE, _ENDLESS, contender("full", {}), _ENDLESS)
    most = int(_PATIENCE * whole.steps)
    found = {WHOLE: _counted(whole, whole.steps)}
    for row in plan.rows()[1:]:
        policy = entrant(row.policy, scorers)
        played = _play(plan, level, seed, row, limits[row.budget], policy, most)
        found[row] = _counted(played, whole.steps)
    return found


def _play(
    plan: Plan, level: str, seed: int, row: Row, budget: int, policy: Policy, most: int
) -> Played:
    history = History(
        budget,
        policy=policy,
        granularity=row.granularity,
        recent=plan.recent,
        counter=plan.counter,
    )
    return play(draw_task(level, seed), history, policy, most)


def _counted(played: Played, fewest: int) -> _Counted:
    counts = [float(fewest if name == "fewest" else getattr(played, name)) for name in COUNTS]
    return _Counted(counts, played.told)
