"""What a replay gave, as text for people, and what has to be said beside any figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lre.bench.contenders import contender, rewrites
from lre.bench.figures import budget_name, count, duration, interval, percent, share
from lre.bench.summaries import sentences
from lre.cli.provenance import provenance, told
from lre.cli.table import aligned

if TYPE_CHECKING:
    from lre.bench.replay import Plan

__all__ = ["NOTHING", "lines", "settings"]

NOTHING = (
    "Nothing is needed here: no action says an identifier or copies words that stand earlier and "
    "are not pinned, so any policy will do."
)
_WORDS = 3  # columns that are no figures
_FIGURES = (
    ("misses removed", "misses_removed", percent),
    ("identifiers", "identifier_survival", share),
    ("traces", "trace_survival", share),
    ("copies", "copy_survival", share),
    ("tokens", "tokens_mean", count),
    ("prefix reuse", "prefix_reuse", share),
    ("per decision", "seconds_per_decision", duration),
)
_WRITTEN = (
    ("calls", "compressor_calls", "{:.2g}".format),
    ("failed", "compressor_failures", "{:.2g}".format),
    ("made up", "invented", "{:.2g}".format),
)
"""Of policies that write texts anew, means of a decision."""

Found = Mapping[str, Any]


def settings(ctx: click.Context, given: Found, plan: Plan) -> dict[str, Any]:
    """Give all that the figures depend on."""
    scorer = given["scorer"]
    return {
        "policies": list(plan.policies),
        "budgets": list(plan.budgets),
        **{name: given[name] for name in ("recent", "mode", "low", "counter", "seed")},
        "scorer": Path(scorer).name if scorer else None,
        **provenance(ctx),
    }


def lines(found: Found, plan: Plan) -> Iterator[str]:
    """Give the table, the budgets one after another, and below it what it is of."""
    rows = found["rows"]
    if all(row["identifier_survival"] is row["copy_survival"] is None for row in rows):
        yield NOTHING
    else:
        yield from aligned(list(_table(_by_budget(rows))), _WORDS)
    yield ""
    yield (
        f"{found['traces']:,} sessions, {found['steps']:,} steps that need something, "
        f"{found['needed']:,} needed identifiers"
    )
    yield from sentences(found["summaries"])
    yield from _how(found["settings"], plan)


def _table(rows: Sequence[Found]) -> Iterator[list[str]]:
    """Give the head and the cells; what compressors did has columns where one takes part."""
    writers = {name for name in {row["policy"] for row in rows} if rewrites(contender(name, {}))}
    more = _WRITTEN if writers else ()
    heads = [head for head, _, _ in (*_FIGURES, *more)]
    yield ["budget", "policy", "pieces", "steps", "95 %", *heads]
    for row in rows:
        done = [_written(row[name], write) for _, name, write in more]
        yield [*_cells(row), *(done if row["policy"] in writers else ["–"] * len(more))]


def _by_budget(rows: Sequence[Found]) -> list[Found]:
    """Put the rows of a budget together; the whole history, which has none, comes once, last."""
    order = list(dict.fromkeys(row["budget"] for row in rows))
    limited = [row for row in rows if row["policy"] != "full"]
    whole = [{**row, "budget": None} for row in rows if row["policy"] == "full"]
    return sorted(limited, key=lambda row: order.index(row["budget"])) + whole[:1]


def _cells(row: Found) -> list[str]:
    budget = "–" if row["budget"] is None else budget_name(row["budget"])
    ends = interval(row, "step_survival")
    figures = [_written(row[name], write) for _, name, write in _FIGURES]
    between = "–".join(share(end) for end in ends) if ends else ""
    steps = _written(row["step_survival"], share)
    return [budget, row["policy"], row["granularity"], steps, between, *figures]


def _written(value: float | None, write: Any) -> str:
    return "–" if value is None else write(value)


def _how(used: Found, plan: Plan) -> Iterator[str]:
    """Say what the figures depend on."""
    for policies in plan.learners().values():
        yield f"{' and '.join(policies)}: fitted on other folds than those measured"
    if used["scorer"]:
        yield f"{used['scorer']}: measured as it is"
    if not plan.granularities:
        for policy, kind in used["granularity"].items():
            yield f"{policy}: run in units and in spans; {kind} kept more steps whole here"
    low = f", down to {percent(plan.low)}" if plan.mode == "sticky" else ""
    yield f"{plan.mode}{low}; recent {plan.recent}, counter {plan.counter}, seed {plan.seed}"
    yield from told(used)
