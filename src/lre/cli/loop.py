"""``lre bench loop``: what forgetting costs an agent that has to fetch again what it lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from lre.bench.figures import budget_name, count, interval, percent
from lre.bench.summaries import sentences
from lre.cli.options import (
    counter_option,
    examples,
    in_a_folder,
    json_option,
    output_option,
    workers_option,
)
from lre.cli.output import json_bytes, strays_to_stderr, tell, write
from lre.cli.provenance import provenance, told
from lre.cli.sessions import progress
from lre.cli.shared import listed
from lre.cli.table import aligned
from lre.messages import Budget
from lre.tokens import counter

if TYPE_CHECKING:
    from lre.bench.loop.study import Plan

__all__ = ["loop"]

Found = Mapping[str, Any]

_POLICIES = "full,fifo,random,salience,decay,lre-paper,lre-paper-shipped,lre,lre-shipped,oracle"
_LEVELS = "easy,medium,hard"
_BUDGETS = "12.5%,25%,50%"


@click.command(
    epilog=examples(
        "lre bench loop --levels easy --seeds 20",
        "lre bench loop --policies fifo,lre,oracle --budgets 25% --html loop.html",
        "lre bench loop --json -o loop.json",
    )
)
@click.option(
    "--policies",
    metavar="P,...",
    default=_POLICIES,
    help="What takes part: names from 'lre policies', the same with -shipped behind for the scorer "
    f"that ships, and oracle. The whole history always does. By default {_POLICIES}.",
)
@click.option(
    "--levels",
    metavar="L,...",
    default=_LEVELS,
    help=f"How hard the tasks are. By default {_LEVELS}.",
)
@click.option(
    "--budgets",
    metavar="N,...",
    default=_BUDGETS,
    help="The most tokens of a prompt: numbers, or shares of the mean peak that the whole history "
    f"of a level reaches. By default {_BUDGETS}.",
)
@click.option(
    "--seeds",
    metavar="N",
    type=click.IntRange(min=1),
    default=100,
    help="How many tasks of each level are played. By default 100.",
)
@click.option(
    "--training",
    metavar="N",
    type=click.IntRange(min=1),
    default=30,
    help="How many other tasks of each level are learnt from. By default 30.",
)
@click.option(
    "--recent",
    metavar="N",
    type=click.IntRange(min=0),
    default=3,
    help="How many of the latest units are always kept. By default 3.",
)
@counter_option
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    help="Of the draws behind the intervals. By default 0.",
)
@workers_option
@json_option
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    callback=in_a_folder,
    help="Write a report with plots to this file.",
)
@output_option("-")
@click.pass_context
def loop(ctx: click.Context, /, output: str, html: str | None, **given: Any) -> None:
    """Tell what forgetting costs an agent that has to fetch again what it lost.

    A simulation, without a language model: an agent with a fixed plan works in a small office,
    with logins, expiring tokens, paged searches and ids that lead to ids. All that it knows is what
    a policy leaves in view; what it cannot read there it fetches, and after two and a half times
    the fewest calls it has failed. Learned policies are trained on other tasks, played with
    everything in view. The oracle is told what the next call would be read from.

    With --json, one object is printed: "rows" (a policy at a level and budget each: "level",
    "policy", "granularity", "budget", null for the whole history, "tokens", what that is,
    "success", the share of tasks completed, "steps", their mean, "thrift", the fewest calls by
    those made, "refetches", calls that everything in view would have spared, "tokens_mean" of all
    prompts, "tokens_peak", the mean largest, "over_budget", the share of prompts that pins and
    recent units alone made too large, "compressor_calls" and "compressor_failures" of a decision,
    an "interval" for each of these, "fewest", and "lre_leads", the paired differences to lre),
    "summaries" (by policy: how many were "asked" for, how many "failed" and left the history
    whole, and the first "reason") and "settings".
    """
    plan = _plan(given)
    _demand(plan, html)
    from lre.bench.loop.results import result
    from lre.bench.loop.study import study

    with strays_to_stderr(), progress("tasks", plan.ticks()) as tick:
        studied = study(plan, given["workers"], tick)
    found = result(studied, _settings(ctx, plan))
    if html:
        from lre.bench.loop.report import report

        write(html, report(found).encode())
        tell(f"wrote {html}")
    text = "\n".join(_lines(found, plan)) + "\n"
    write(output, json_bytes(found) if given["as_json"] else text.encode())


def _plan(given: Found) -> Plan:
    """Make a plan; what cannot be used is told at once."""
    from lre.bench.loop.study import Plan
    from lre.bench.loop.tasks import draw_task

    plan = Plan(
        policies=listed(given["policies"], "--policies"),
        levels=listed(given["levels"], "--levels"),
        budgets=listed(given["budgets"], "--budgets"),
        **{name: given[name] for name in ("seeds", "training", "recent", "counter", "seed")},
    )
    counter(plan.counter)
    plan.rows()
    for level in plan.levels:
        draw_task(level, 0)
    for budget in plan.budgets:
        Budget.of(budget=budget)
    return plan


def _demand(plan: Plan, html: str | None) -> None:
    """Refuse what packages or models are missing for, before any task is played."""
    from lre.bench.loop.study import entrant
    from lre.bench.requirements import demand

    wanted = {"matplotlib": html, "jinja2": html, "scikit-learn": plan.learners()}
    with strays_to_stderr():
        demand(filter(wanted.get, wanted), (entrant(name, {}) for name in plan.policies))


def _settings(ctx: click.Context, plan: Plan) -> dict[str, Any]:
    """Give all that the figures depend on."""
    lists = {name: list(getattr(plan, name)) for name in ("policies", "levels", "budgets")}
    names = ("seeds", "training", "recent", "counter", "seed")
    return {**lists, **{name: getattr(plan, name) for name in names}, **provenance(ctx)}


def _lines(found: Found, plan: Plan) -> Iterator[str]:
    """Give the table, level by level and budget by budget, and below it what it is of."""
    used = found["settings"]
    order = {name: place for place, name in enumerate([*used["levels"], *used["budgets"]])}
    rows = sorted(
        found["rows"], key=lambda row: (order[row["level"]], order.get(str(row["budget"]), -1))
    )
    head = ["level", "budget", "policy", "pieces", "success", "95 %", "steps", "× fewest"]
    head += ["refetches", "peak", "mean tokens"]
    yield from aligned([head, *map(_cells, rows)], words=4)
    yield ""
    learned = [name for names in plan.learners().values() for name in names]
    others = f"; {', '.join(learned)} learnt from {plan.training} others of each" * bool(learned)
    yield f"{plan.seeds} tasks a level{others}"
    yield from sentences(found["summaries"])
    yield "a simulation: a perfect planner, exact copies, needs that are identifiers only"
    yield f"recent {used['recent']}, counter {used['counter']}, seed {used['seed']}"
    yield from told(used)


def _cells(row: Found) -> list[str]:
    budget = "–" if row["budget"] is None else budget_name(row["budget"])
    low, high = interval(row, "success") or (row["success"],) * 2
    return [
        *(row["level"], budget, row["policy"], row["granularity"]),
        *(percent(row["success"]), f"{percent(low)} – {percent(high)}"),
        *(f"{row['steps']:.1f}", f"{1 / row['thrift']:.2f}", f"{row['refetches']:.1f}"),
        *(count(row["tokens_peak"]), count(row["tokens_mean"])),
    ]
