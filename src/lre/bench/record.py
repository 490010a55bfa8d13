"""One trace as a timeline: what stayed, what went, and what was missing at which step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lre.bench.replay import Plan
from lre.bench.walk import Row, Step, Walker, walk
from lre.receipt import preview
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["timelines"]

_LETTER = {"kept": "k", "cut": "c", "evicted": "e"}


def timelines(
    trace: Trace, plan: Plan, scorers: Mapping[str, Scorer], rows: Sequence[Row]
) -> list[dict[str, Any]]:
    """Walk a trace under some of the plan's rows, and note every step."""
    found: dict[Row, list[Step]] = {row: [] for row in rows}

    def walkers(own: int) -> list[Walker]:
        return [one for one in plan.walkers(scorers, own) if one.row in found]

    for walker, step in walk(trace, walkers, plan.counter):
        found[walker.row].append(step)
    return [_timeline(trace, row, steps) for row, steps in found.items() if steps]


def _timeline(trace: Trace, row: Row, steps: Sequence[Step]) -> dict[str, Any]:
    receipt = steps[-1].eviction.receipt
    units = [
        {
            "says": preview(head),
            "role": head.role,
            "tokens": decision.tokens,
            "pinned": decision.reason == "pinned",
        }
        for decision, head in zip(receipt.selection.decisions, receipt.heads, strict=True)
    ]
    head = {"trace": trace.name, "policy": row.policy, "granularity": row.granularity}
    return {**head, "budget": row.budget, "units": units, "steps": [_plain(s) for s in steps]}


def _plain(step: Step) -> dict[str, Any]:
    verdicts = (decision.verdict for decision in step.eviction.selection.decisions)
    return {
        "message": step.message,
        "says": " ".join(step.says.split())[:160],
        "shown": "".join(_LETTER[verdict] for verdict in verdicts),
        "missing": sorted(step.missing),
        "needed": len(step.need.identifiers) if step.need else 0,
    }
