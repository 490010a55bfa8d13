"""``lre train``: a scorer from one's own logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
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
    from lre.bench.replay import Plan
    from lre.learn.recipes import Lesson
    from lre.traces import Trace

__all__ = ["train"]

_DATA, _COMMAND = 160, 240  # characters: a scorer file without words is to stay within 4 KB
_RECIPE, _UNSAID = "agent", "own logs"
_BUDGETS = "5%,10%,20%"
_POLICIES = {"agent": "lre", "agent-paper": "lre-paper", "chat": "lre-chat"}
_REPLIES = (
    "these logs have no questions with answers: replies alone teach little, and the scorer that "
    "ships may well do better (docs/conversations.md)"
)
_REPLAYED = ("agent", "agent-paper")  # of a conversation no action needs anything


def _short(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if len(text) > _DATA:
        raise click.BadParameter(f"{len(text)} characters; the card takes {_DATA}")
    return text


@click.command(
    epilog=examples(
        "lre train logs/ -o mine.json --data 'support chats of May'",
        "lre trim session.json --budget 8000 --scorer mine.json",
        "lre train chats/ --recipe chat --no-terms -o chat.json",
        "lre trim chat.jsonl --budget 8000 --policy lre-chat --scorer chat.json",
    )
)
@click.argument("logs", metavar="LOGS...", nargs=-1, required=True, type=click.Path(exists=True))
@output_option()
@click.option(
    "--recipe",
    metavar="R",
    type=click.Choice(list(_POLICIES)),
    default=_RECIPE,
    help="What to learn: agent for the policy lre, agent-paper for lre-paper, chat for lre-chat. "
    "By default agent.",
)
@click.option(
    "--no-terms",
    is_flag=True,
    help="Leave single words out of the file. The recipe chat learns some, of those that at least "
    "five sessions have; the card says how many at most, or none.",
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
    """Learn from your own logs what later steps use again, or later questions ask for.

    LOGS are files in JSON or JSON Lines, compressed or not, and folders of them. The scorer, for
    'lre trim --scorer', is written to a JSON file of at most 4 KB (64 KB with words), with a card
    that says what it was trained on and how well it does on tasks that it never saw. The card is
    printed, and a report: what the policy would have lost on these logs, trained on other folds,
    beside others, and whether dropping the oldest would do as well. The recipe chat has no report:
    its card's auc says how well the label is foretold for conversations of other folds. Progress,
    and what was skipped, go to standard error.

    With --json, one object is printed: "scorer" (the file), "card", "rows" of the report as for
    'lre bench replay', and "skipped", a "where" and a "what" each.
    """
    if find_spec("sklearn") is None:
        raise MissingExtraError("scikit-learn", "train")
    plan = _plan(recipe, given)
    traces, skipped = open_sessions(logs, given["strict"])
    lesson = _learn(traces, recipe, given["no_terms"])
    about = {"recipe": recipe, "data": data, "command": typed(ctx, _COMMAND + len(data))}
    judged = lesson.held_out()
    found = measure(traces, plan, given["workers"]) if plan else None
    scorer = _scorer(lesson, judged, about, found)
    write(output, scorer.to_json().encode("utf-8", "backslashreplace"))
    tell(f"wrote {output}")
    if scorer.card["label"] == "replied":
        tell(_REPLIES)
    ours = found["rows"] if found else []
    told = [{"where": one.where, "what": one.what} for one in skipped]
    if given["as_json"]:
        show(json_bytes({"scorer": output, "card": scorer.card, "rows": ours, "skipped": told}))
    else:
        show(
            "\n".join([*_lines(scorer.card), *(report(found, _POLICIES[recipe]) if found else ())])
        )


def _plan(recipe: str, given: Mapping[str, Any]) -> Plan | None:
    """Plan the report; what cannot be used is told at once."""
    if recipe not in _REPLAYED:
        return None
    plan = planned(_POLICIES[recipe], listed(given["budgets"], "--budgets"))
    return None if given["no_report"] else plan


def _learn(traces: Sequence[Trace], recipe: str, wordless: bool) -> Lesson:
    """Read all sessions for what can be learnt from them."""
    from lre.learn.folds import groups
    from lre.learn.recipes import RECIPES

    chosen = RECIPES[recipe].wordless() if wordless else RECIPES[recipe]
    return chosen.learn(traces, groups(traces), partial(watched, label="learning"))


def _scorer(
    lesson: Lesson,
    judged: Mapping[str, Any],
    about: Mapping[str, Any],
    found: Mapping[str, Any] | None,
) -> Scorer:
    from lre.bench.results import brief
    from lre.learn.card import card

    replay = brief(found, _POLICIES[about["recipe"]]) if found else None
    return lesson.scorer(card(lesson.about(), judged, replay=replay, **about))


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
