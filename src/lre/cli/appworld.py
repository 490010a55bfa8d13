"""``lre bench appworld``: which tasks an agent completes with what each policy shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lre.cli.appworld_options import appworld_options
from lre.cli.conversations import require
from lre.cli.episodes import lines
from lre.cli.options import examples
from lre.cli.output import json_bytes, tell, write
from lre.cli.provenance import provenance
from lre.cli.reader import endpoint_of
from lre.cli.sessions import progress, watched
from lre.cli.shared import listed, typed
from lre.errors import SettingError, UnknownNameError
from lre.features import FEATURES
from lre.pieces import SPLITTERS
from lre.scorer import Scorer
from lre.tokens import counter

if TYPE_CHECKING:
    from lre.bench.appworld.client import Server
    from lre.bench.appworld.contestants import Plan
    from lre.bench.appworld.study import Failure, Study

__all__ = ["appworld"]

_RECIPES = {"identifier": "agent", "unit": "agent-paper"}
_COMMAND = 240  # characters of the command in a scorer's card


@click.command(
    epilog=examples(
        "lre bench appworld --root ~/appworld --model NAME --base-url URL --seeds 0,1,2",
        "lre bench appworld --root ~/appworld --model NAME --base-url URL --train-split train",
        "lre bench replay lre-appworld-NAME/full.jsonl --policies fifo,lre",
    )
)
@appworld_options
@click.pass_context
def appworld(ctx: click.Context, /, **given: Any) -> None:
    """Tell which tasks of AppWorld an agent completes with what each policy shows it.

    AppWorld runs in an environment of its own, behind its environment server: pip install
    appworld, appworld install, appworld download data, appworld serve environment. The agent is a
    model behind any OpenAI-compatible endpoint, which writes a block of Python a turn. Of its past
    it sees the system's words, the task, the latest turns, and what the policy keeps. What it did
    is done again in a fresh world, and AppWorld's evaluator is asked there; that the agent says it
    is done counts for nothing. An episode in which the world failed is no loss: it is left out for
    all policies, told, and played again when the command is repeated. All that went well is kept,
    and not played again.

    With --json, one object is printed: "rows" (a policy each: "policy", "granularity",
    "completion", "steps", "peak_mean", "peak_largest", "tokens_sent", "compressor_calls",
    "compressor_tokens", "said_done", an "interval" for each of these but the largest, "episodes",
    the same "by_difficulty", "only" (tasks that no other policy solves), "ended", "differed" and
    "compressor_failures"), "leads" (in completion, of every policy over all that do worse:
    "policy", "granularity", "over", "over_granularity", "value", "interval"), "tasks", "episodes",
    "left_out", "failures" and "settings".
    """
    require("openai", extra="appworld")
    from lre.bench.appworld.client import Server
    from lre.bench.appworld.results import result
    from lre.bench.appworld.study import Study

    plan, folder = _plan(ctx, given)
    server = Server(given["server"])
    if given["train_split"]:
        plan = _trained(ctx, plan, server, folder, given)
    study = Study(plan, folder)
    failures = _run(study, server, "episodes")
    played = {(one.name, one.granularity): study.played(one) for one in study.contestants}
    found = {
        **result(played, given["seed"]),
        "failures": [asdict(one) for one in failures],
        "settings": {**_settings(plan, given), **provenance(ctx, without=["api_key"])},
    }
    text = "\n".join(lines(found)) + "\n"
    write(given["output"], json_bytes(found) if given["as_json"] else text.encode())


def _plan(ctx: click.Context, given: Mapping[str, Any]) -> tuple[Plan, Path]:
    """Make a plan, and name its folder; what cannot be used is told at once."""
    from lre.bench.appworld.contestants import Plan
    from lre.bench.appworld.tasks import task_ids

    kinds = listed(given["granularity"], "--granularity")
    for kind in kinds:
        if kind not in SPLITTERS:
            raise UnknownNameError("granularity", kind, SPLITTERS)
    seeds = [_number(one) for one in listed(given["seeds"], "--seeds")]
    names = listed(given["policies"], "--policies")
    tasks = task_ids(Path(given["root"]), given["split"], given["tasks"])
    for option in ("model", "base_url"):
        if not given[option]:
            raise click.UsageError(f"Missing option '--{option.replace('_', '-')}'", ctx)
    plan = Plan(
        endpoint=endpoint_of(ctx, {**given, "in_flight": 1, "seed": 0}),
        tasks=tasks,
        policies=names,
        seeds=seeds,
        granularities=kinds,
        cap=given["steps"],
        scorers=_scorers(given),
        **{name: given[name] for name in ("older_budget", "recent", "counter")},
    )
    plan.contestants()
    counter(plan.counter)
    name = re.sub(r"[^\w.]", "-", plan.endpoint.model)
    return plan, Path(given["folder"] or f"lre-appworld-{name}")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise SettingError(f"{text!r} is no seed", where="--seeds", remedy="give 0,1,2, say")
    return int(text)


def _scorers(given: Mapping[str, Any]) -> dict[str, Scorer]:
    if not given["scorer"]:
        return {}
    if given["train_split"]:
        raise click.UsageError("Give either --scorer or --train-split")
    scorer = Scorer.load(given["scorer"])
    return {_RECIPES[FEATURES[scorer.features[0]].about]: scorer}


def _trained(
    ctx: click.Context, plan: Plan, server: Server, folder: Path, given: Mapping[str, Any]
) -> Plan:
    """Play the tasks for training with full history, and fit the scorers that are needed."""
    from lre.bench.appworld.study import Study
    from lre.bench.appworld.tasks import task_ids
    from lre.bench.appworld.training import recipes, trained

    require("scikit-learn", extra="appworld")
    tasks = task_ids(Path(given["root"]), given["train_split"])
    study = Study(
        replace(plan, tasks=tasks, policies=["full"], seeds=plan.seeds[:1]), folder, "train-"
    )
    failures = _run(study, server, "for training")
    if failures:
        tell(f"for training: {len(failures):,} episodes failed ({failures[0].reason})")
    watch = partial(watched, label="learning")
    command = typed(ctx, _COMMAND, without=["api_key"])
    log = study.path(study.contestants[0])
    return replace(plan, scorers=trained(log, recipes(plan), command, watch))


def _run(study: Study, server: Server, label: str) -> list[Failure]:
    """Play what is to do, under a bar; without anything to do no server is needed."""
    todo = study.todo()
    if not todo:
        return []
    server.check()
    tell(f"{len(todo):,} {label} to play, kept in {study.folder}")
    with progress(label, len(todo)) as tick:
        return study.run(server, tick)


def _settings(plan: Plan, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give all that the figures depend on."""
    scorer = given["scorer"]
    return {
        "policies": list(plan.policies),
        "seeds": list(plan.seeds),
        **{name: given[name] for name in ("split", "train_split", "steps", "seed", "max_tokens")},
        **{name: given[name] for name in ("older_budget", "recent", "granularity", "counter")},
        "model": plan.endpoint.model,
        "scorer": Path(scorer).name if scorer else None,
    }
