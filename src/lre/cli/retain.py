"""``lre bench retain``: how much of what later questions are about is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from lre.bench.figures import budget_name, count, interval, percent, share
from lre.cli.conversations import (
    amounts,
    below,
    between,
    compete,
    conversation_options,
    drawing,
    entrants,
    print_found,
    require,
    save_page,
    settings,
    written,
)
from lre.cli.datasets import open_conversations
from lre.cli.options import examples
from lre.cli.table import aligned

__all__ = ["retain"]

_POLICIES = "fifo,decay,random,salience,lre-paper,lre-self,lre,oracle"
_BUDGETS = "5%,10%,20%,25%,50%"


@click.command(
    epilog=examples(
        "lre bench retain locomo --html retain.html",
        "lre bench retain longmemeval --data DIR --json -o retain.json",
        "lre bench retain locomo10.json --policies fifo,lre,oracle --budgets 2048,4096",
    )
)
@click.option(
    "--policies",
    metavar="P,...",
    default=_POLICIES,
    help=f"What is measured. By default {_POLICIES.replace(',', ', ')}.",
)
@click.option(
    "--budgets",
    metavar="N,...",
    default=_BUDGETS,
    help="The most tokens that are kept: numbers, or shares of a conversation's own tokens. "
    f"By default {_BUDGETS}.",
)
@conversation_options
@click.pass_context
def retain(ctx: click.Context, /, **given: Any) -> None:
    """Tell how much of what later questions are about each policy keeps.

    DATASET is locomo or longmemeval, looked for in the folder of the data sets, or the path of a
    file of either. What is to stay is chosen at the end of each conversation, from all of it, with
    no pins and no recent window. Policies that learn are fitted on other folds; the oracle alone
    knows the questions.

    With --json, one object is printed: "rows" (a policy at a budget each: "policy", "budget",
    "evidence_kept", the mean share of a question's evidence, "questions_whole", the share of
    questions whose evidence is kept whole, "misses_removed" compared with fifo, "tokens_mean",
    "units_mean", and an "interval" for each of these and of the gains over fifo), "dataset",
    "with_evidence" (questions that count), "conversations", "units", "positives", "tokens",
    "questions", "faults", "notes", "settings" and "skipped".
    """
    names, budgets = entrants(given), amounts(given["budgets"])
    require("scikit-learn", "SciPy", *drawing(given), policies=names)
    kind, traces, skipped = open_conversations(given)
    sheets, ranked = compete(kind, traces, names, given)
    from lre.bench.conversations.retain import retain as measure

    found = {
        **measure(kind, sheets, ranked, budgets, given["seed"]),
        "settings": settings(ctx, given, names, budgets=budgets),
    }
    save_page("retain", found, given)
    print_found(found, skipped, _lines(found), given)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    budgets = list(dict.fromkeys(row["budget"] for row in found["rows"]))
    rows = sorted(found["rows"], key=lambda row: budgets.index(row["budget"]))
    head = ["budget", "policy", "evidence kept", "95 %", "questions whole", "95 %"]
    head += ["misses removed", "units", "tokens"]
    yield from aligned([head, *map(_cells, rows)], words=2)
    yield ""
    yield f"over {found['with_evidence']:,} questions that have evidence"
    yield from below(found)


def _cells(row: Mapping[str, Any]) -> list[str]:
    kept = [
        cell
        for name in ("evidence_kept", "questions_whole")
        for cell in (written(row[name], share), between(interval(row, name)))
    ]
    rest = [written(row["misses_removed"], percent)]
    rest += [count(row["units_mean"]), count(row["tokens_mean"])]
    return [budget_name(row["budget"]), row["policy"], *kept, *rest]
