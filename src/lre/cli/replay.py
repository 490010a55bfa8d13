"""``lre bench replay``: what each policy would have lost on recorded sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from lre.cli.measured import lines, settings
from lre.cli.options import (
    counter_option,
    examples,
    in_a_folder,
    json_option,
    output_option,
    strict_option,
    workers_option,
)
from lre.cli.output import json_bytes, strays_to_stderr, tell, write
from lre.cli.sessions import open_sessions, progress
from lre.cli.shared import listed
from lre.errors import SettingError, TrainingError, UnknownNameError
from lre.features import FEATURES
from lre.pieces import SPLITTERS
from lre.scorer import Scorer, shipped
from lre.tokens import counter

if TYPE_CHECKING:
    from lre.bench.replay import Plan, Replayed
    from lre.traces import Trace

__all__ = ["replay"]

_POLICIES = "full,fifo,random,lre-paper,lre,oracle"
_BUDGETS = "512,1024,2048"
_RECIPES = {"identifier": "agent", "unit": "agent-paper"}
_SHIPPED = "shipped"


@click.command(
    epilog=examples(
        "lre bench replay logs/",
        "lre bench replay logs/ --policies fifo,lre,oracle --budgets 5%,10%,20% --html report.html",
        "lre bench replay logs/ --mode sticky --granularity unit,span --json -o replay.json",
        "lre bench replay session.json --scorer shipped",
    )
)
@click.argument("paths", metavar="PATHS...", nargs=-1, type=click.Path())
@click.option(
    "--policies",
    metavar="P,...",
    default=_POLICIES,
    help=f"What is measured: names from 'lre policies', and oracle. By default {_POLICIES}.",
)
@click.option(
    "--budgets",
    metavar="N,...",
    default=_BUDGETS,
    help="The most tokens for what is neither pinned nor recent: numbers, or shares of a "
    f"session's own unpinned tokens such as 10%. By default {_BUDGETS}.",
)
@click.option(
    "--recent",
    metavar="N",
    type=click.IntRange(min=0),
    default=5,
    help="How many of the latest units are always kept. By default 5.",
)
@click.option(
    "--mode",
    metavar="M",
    type=click.Choice(["fresh", "sticky"]),
    default="fresh",
    help="fresh: every step chooses anew from the whole history. sticky: what is gone stays gone. "
    "By default fresh.",
)
@click.option(
    "--low",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.7,
    help="In sticky mode, how much of the budget is filled once it is passed. By default 0.7.",
)
@click.option(
    "--granularity",
    metavar="G,...",
    help="What stays or goes as a whole: unit, span, or both. By default a policy that can do "
    "both does, and the better one is shown.",
)
@click.option(
    "--scorer",
    metavar="FILE",
    type=click.Path(),
    help="Measure this file of 'lre train' as it is, instead of training on other folds; or "
    "'shipped': the scorers that come with lre.",
)
@counter_option
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    help="Of the draws behind the intervals. By default 0.",
)
@click.option(
    "--data",
    metavar="DIR",
    envvar="LRE_DATA",
    type=click.Path(),
    help="Where PATHS are looked for that are not here. By default the variable LRE_DATA.",
)
@workers_option
@strict_option
@json_option
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    callback=in_a_folder,
    help="Write a report with plots, and one session step by step, to this file.",
)
@output_option("-")
@click.pass_context
def replay(
    ctx: click.Context, /, paths: Sequence[str], output: str, html: str | None, **given: Any
) -> None:
    """Tell what each policy would have lost on your own logs.

    PATHS are logs in JSON or JSON Lines, compressed or not, and folders of them. Each session is
    walked step by step. Before every action of the assistant each policy shows what it would have
    kept, and what the action needs of earlier messages is looked for there: identifiers, and
    words that it copies. No model is called.

    Policies that learn are fitted on other sessions than those that they are measured on: five
    folds, no task in two of them. The oracle alone is told what the next action needs. The table
    goes to standard output, progress and what was skipped to standard error.

    With --json, one object is printed: "rows" (a policy at a budget each: "policy",
    "granularity", "budget", "identifier_survival", "step_survival", "trace_survival",
    "copy_survival", "misses_removed", "tokens_mean", "tokens_peak", "prefix_reuse",
    "seconds_per_decision", of a decision of a policy that writes texts anew also
    "compressor_calls", "compressor_failures" and "invented", identifiers that it made up, and an
    "interval" for each of these; null where nothing was needed), "traces", "steps", "needed",
    "summaries" (by policy: how many were "asked" for, how many "failed" and left the history
    whole, and the first "reason"), "settings", and "skipped", a "where" and a "what" each.
    """
    plan = _plan(given)
    _demand(plan, html)
    traces, skipped = open_sessions(_placed(paths, given["data"]), given["strict"])
    asked = ctx.get_parameter_source("policies") is not ParameterSource.DEFAULT
    with strays_to_stderr():
        replayed = _measure(traces, plan, given["workers"], asked)
    from lre.bench.record import telling
    from lre.bench.report import report
    from lre.bench.results import chosen, result

    plan = replayed.plan
    found = result(replayed, settings(ctx, given, plan))
    if html:
        timelines = telling(traces, replayed, chosen(replayed))
        write(html, report({**found, "timelines": timelines}).encode())
        tell(f"wrote {html}")
    told = [{"where": one.where, "what": one.what} for one in skipped]
    text = "\n".join(lines(found, plan)) + "\n"
    write(output, json_bytes({**found, "skipped": told}) if given["as_json"] else text.encode())


def _plan(given: Mapping[str, Any]) -> Plan:
    """Make a plan; what cannot be used is told at once."""
    from lre.bench.replay import Plan

    kinds = listed(given["granularity"], "--granularity") if given["granularity"] else []
    for kind in kinds:
        if kind not in SPLITTERS:
            raise UnknownNameError("granularity", kind, SPLITTERS)
    plan = Plan(
        policies=listed(given["policies"], "--policies"),
        budgets=listed(given["budgets"], "--budgets"),
        granularities=kinds,
        recent=given["recent"],
        mode=given["mode"],
        low=given["low"],
        counter=given["counter"],
        seed=given["seed"],
        scorers=_scorers(given["scorer"]),
    )
    counter(plan.counter)
    plan.walkers(plan.scorers, 1)
    _check_use(plan, given["scorer"])
    return plan


def _scorers(path: str | None) -> dict[str, Scorer]:
    if path is None:
        return {}
    if path == _SHIPPED:
        return {recipe: shipped(recipe) for recipe in _RECIPES.values()}
    scorer = Scorer.load(path)
    return {_RECIPES[FEATURES[scorer.features[0]].about]: scorer}


def _check_use(plan: Plan, path: str | None) -> None:
    """Refuse a scorer file that no policy asks for."""
    if path == _SHIPPED:
        return
    from lre.bench.contenders import learners

    used = learners(plan.policies)
    if not plan.scorers.keys() <= used.keys():
        (name,) = ("lre" if recipe == "agent" else "lre-paper" for recipe in plan.scorers)
        raise SettingError("no policy uses this scorer", where=str(path), remedy=f"add {name}")


def _demand(plan: Plan, html: str | None) -> None:
    """Refuse what packages or models are missing for, before any session is read."""
    from lre.bench.contenders import contender
    from lre.bench.requirements import demand

    wanted = {"matplotlib": html, "jinja2": html, "scikit-learn": plan.learners()}
    with strays_to_stderr():
        demand(filter(wanted.get, wanted), (contender(name, {}) for name in plan.policies))


def _placed(paths: Sequence[str], data: str | None) -> list[str]:
    """Look for paths that are not here in the folder of data sets."""
    if not paths:
        raise SettingError("no logs are given", where="PATHS", remedy=_offer(data))
    return [path if Path(path).exists() or not data else str(Path(data, path)) for path in paths]


def _offer(data: str | None) -> str:
    """Say what could be given: files, folders, or data sets where these are."""
    folders = sorted(path for path in Path(data or "").glob("agent/*/")) if data else []
    names = ", ".join(str(path.relative_to(data or "")) for path in folders)
    return f"name files or folders{f', such as {names}' * bool(names)}"


def _measure(traces: Sequence[Trace], plan: Plan, workers: int, asked: bool) -> Replayed:
    """Replay; where there is nothing to train on because nothing is needed, FIFO alone.

    A policy that cannot be trained is left out, unless it was asked for by name.
    """
    from lre.bench.replay import replay as run
    from lre.bench.results import nothing_needed

    try:
        with progress("sessions", plan.ticks(len(traces))) as tick:
            return run(traces, plan, workers, tick)
    except TrainingError as error:
        plain = run(traces, replace(plan, policies=["fifo"], budgets=plan.budgets[:1]), workers)
        if nothing_needed(plain):
            return plain
        if asked:
            raise
        tell(f"left out: {error}")
        rest = [name for name in plan.policies if name not in error.where.split(", ")]
        return _measure(traces, replace(plan, policies=rest), workers, asked)
