"""``lre train``: a scorer from one's own logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from lre.cli.heldout import measure, planned, report
from lre.cli.options import examples, json_option, output_option, strict_option, workers_option
from lre.cli.output import json_bytes, show, tell, write
from lre.cli.sessions import open_sessions, watched
from lre.cli.shared import listed, typed
from lre.errors import MissingExtraError
from lre.scorer import Scorer

if TYPE_CHECKING:
    from lre.learn.dataset import Rows
    from lre.traces import Trace

__all__ = ["train"]

_DATA, _COMMAND = 160, 240  # characters: a scorer file is to stay within 4 KB
_RECIPE, _UNSAID = "agent", "own logs"
_BUDGETS = "5%,10%,20%"
_POLICIES = {"agent": "lre", "agent-paper": "lre-paper"}


def _short(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if len(text) > _DATA:
        raise click.BadParameter(f"{len(text)} characters; the card takes {_DATA}")
    return text


@click.command(
    epilog=examples(
        "lre train logs/ -o mine.json --data 'support chats of May'",
        "lre trim session.json --budget 8000 --scorer mine.json",
    )
)
@click.argument("logs", metavar="LOGS...", nargs=-1, required=True, type=click.Path(exists=True))
@output_option()
@click.option(
    "--recipe",
    metavar="R",
    type=click.Choice(list(_POLICIES)),
    default=_RECIPE,
    help="What to learn: agent for the policy lre, agent-paper for lre-paper. By default agent.",
)
@click.option(
    "--data",
    metavar="TEXT",
    default=_UNSAID,
    callback=_short,
    help="What the logs are, in a few words, for the card.",
)
@click.option(
    "--budgets",
    metavar="N,...",
    default=_BUDGETS,
    help=f"The older budgets of the report, as for 'lre bench replay'. By default {_BUDGETS}.",
)
@click.option("--no-report", is_flag=True, help="Leave out the report, which takes the longest.")
@workers_option
@strict_option
@json_option
@click.pass_context
def train(
    ctx: click.Context, /, logs: Sequence[str], output: str, recipe: str, data: str, **given: Any
) -> None:
    """Learn from your own logs what later steps use again.

    LOGS are files in JSON or JSON Lines, compressed or not, and folders of them. The scorer, for
    'lre trim --scorer', is written to a JSON file of at most 4 KB, with a card that says what it
    was trained on and how well it does on tasks that it never saw. The card is printed, and a
    report: what the policy would have lost on these logs, trained on other folds, beside others,
    and whether dropping the oldest would do as well. Progress, and what was skipped, go to
    standard error.

    With --json, one object is printed: "scorer" (the file), "card", "rows" of the report as for
    'lre bench replay', and "skipped", a "where" and a "what" each.
    """
    if find_spec("sklearn") is None:
        raise MissingExtraError("scikit-learn", "train")
    plan = planned(_POLICIES[recipe], listed(given["budgets"], "--budgets"))
    traces, skipped = open_sessions(logs, given["strict"])
    rows, about = _learn(traces, recipe)
    about |= {"data": data, "command": typed(ctx, _COMMAND + len(data))}
    found = None if given["no_report"] else measure(traces, plan, given["workers"])
    scorer = _scorer(rows, about, found)
    write(output, scorer.to_json().encode("utf-8", "backslashreplace"))
    tell(f"wrote {output}")
    ours = found["rows"] if found else []
    told = [{"where": one.where, "what": one.what} for one in skipped]
    if given["as_json"]:
        show(json_bytes({"scorer": output, "card": scorer.card, "rows": ours, "skipped": told}))
    else:
        show(
            "\n".join([*_lines(scorer.card), *(report(found, _POLICIES[recipe]) if found else ())])
        )


def _learn(traces: Sequence[Trace], recipe: str) -> tuple[Rows, dict[str, Any]]:
    """Sample all sessions, and judge by what comes of it where nothing was seen."""
    from lre.learn.dataset import collect
    from lre.learn.folds import groups
    from lre.learn.train import RECIPES, held_out

    chosen = RECIPES[recipe]
    rows = collect(watched(traces, "learning"), groups(traces), chosen.features, chosen.sampler)
    judged = held_out(rows, chosen.features)
    return rows, {"recipe": recipe, "label": chosen.label, "held_out": judged}


def _scorer(rows: Rows, about: Mapping[str, Any], found: Mapping[str, Any] | None) -> Scorer:
    from lre.bench.results import brief
    from lre.learn.card import card
    from lre.learn.train import RECIPES, fit

    recipe = about["recipe"]
    replay = brief(found, _POLICIES[recipe]) if found else None
    return fit(rows, RECIPES[recipe].features, card(rows, replay=replay, **about))


def _lines(about: Mapping[str, Any]) -> Iterator[str]:
    """Give a card as aligned lines; its figures of the replay stand in the report."""
    width = max(map(len, about))
    for name, value in about.items():
        if name == "replay":
            continue
        inner = value.items() if isinstance(value, Mapping) else [("", value)]
        text = ", ".join(f"{key} {_number(one)}".strip() for key, one in inner)
        yield f"{name.replace('_', ' '):{width}}  {text}"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
