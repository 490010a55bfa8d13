"""What a scorer would have kept on the very logs that it is trained on, trained on other folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lre.bench.figures import budget_name, share
from lre.cli.measured import NOTHING
from lre.cli.output import strays_to_stderr
from lre.cli.sessions import progress
from lre.cli.table import aligned

if TYPE_CHECKING:
    from lre.bench.replay import Plan
    from lre.traces import Trace

__all__ = ["measure", "planned", "report"]

Found = Mapping[str, Any]


def planned(policy: str, budgets: Sequence[str]) -> Plan:
    """Plan a replay of a policy beside others; what cannot be used is told at once."""
    from lre.bench.replay import Plan

    plan = Plan(("full", "fifo", "random", policy, "oracle"), budgets)
    plan.walkers({}, 1)
    return plan


def measure(traces: Sequence[Trace], plan: Plan, workers: int) -> Found:
    """Replay, as ``lre bench replay`` does."""
    from lre.bench.replay import replay
    from lre.bench.results import result

    with strays_to_stderr(), progress("measuring", plan.ticks(len(traces))) as tick:
        return result(replay(traces, plan, workers, tick), {})


def report(found: Found, policy: str) -> Iterator[str]:
    """Give a table, a column for each budget, and a sentence on what the policy is worth."""
    from lre.bench.results import verdict

    yield ""
    if not found["steps"]:
        yield NOTHING
        return
    yield "steps with all they need in view, by tokens for what is neither pinned nor recent:"
    rows = found["rows"]
    budgets = list(dict.fromkeys(row["budget"] for row in rows))
    names = dict.fromkeys((row["policy"], row["granularity"]) for row in rows)
    lines = [["policy", "pieces", *map(budget_name, budgets)]]
    lines += [[*name, *(_survival(rows, name, one) for one in budgets)] for name in names]
    yield from aligned(lines, 2)
    yield f"{policy} was fitted on other folds for this."
    yield verdict(found, policy)


def _survival(rows: Sequence[Found], name: tuple[str, str], budget: object) -> str:
    """Find a figure; something is needed, and so it is there."""
    same = (row for row in rows if (row["policy"], row["granularity"]) == name)
    return share(next(row["step_survival"] for row in same if row["budget"] == budget))
