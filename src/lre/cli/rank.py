"""``lre bench rank``: how well each policy ranks what later questions are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from lre.bench.figures import percent, share
from lre.cli.conversations import (
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
)
from lre.cli.datasets import open_conversations
from lre.cli.options import examples
from lre.cli.table import aligned

__all__ = ["rank"]

_POLICIES = (
    "fifo,decay,random,salience,salience-prefix,lre-paper-self,lre-paper,lre-content,"
    "lre-self-paper,lre-self,lre"
)


@click.command(
    epilog=examples(
        "lre bench rank locomo",
        "lre bench rank longmemeval --data DIR --json -o rank.json",
        "lre bench rank locomo10.json --policies fifo,salience,lre --html rank.html",
    )
)
@click.option(
    "--policies",
    metavar="P,...",
    default=_POLICIES,
    help=f"What is measured. By default {_POLICIES.replace(',', ', ')}.",
)
@conversation_options
@click.pass_context
def rank(ctx: click.Context, /, **given: Any) -> None:
    """Tell how well each policy ranks what later questions are about.

    DATASET is locomo or longmemeval, looked for in the folder of the data sets, or the path of a
    file of either. A unit is a turn (LoCoMo) or a session (LongMemEval); those that answer a
    question are evidence. The figure is the area under the ROC curve in each conversation, then
    the mean over conversations: .5 is chance. Policies that learn are fitted on other folds.

    With --json, one object is printed: "dataset", "macro_auc" by policy, "recovery" (of lre by
    lre-self: what of a supervised scorer's lead over chance is learnt without annotation) and
    "recoveries" by self-supervised policy, "lead" over salience and over fifo by policy ("value",
    "interval"), "folds" and "per_conversation" by policy, "interval" (of "macro_auc", "recovery",
    "recoveries"), "conversations", "left_out" (with evidence only, or none), "units", "positives",
    "tokens", "questions", "faults", "notes", "settings" and "skipped".
    """
    names = entrants(given)
    require("scikit-learn", "SciPy", *drawing(given), policies=names)
    kind, traces, skipped = open_conversations(given)
    sheets, ranked = compete(kind, traces, names, given)
    from lre.bench.conversations.rank import rank as measure

    found = {
        **measure(kind, sheets, ranked, given["seed"]),
        "settings": settings(ctx, given, names),
    }
    save_page("rank", found, given)
    print_found(found, skipped, _lines(found), given)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    bases = list(found["lead"])
    over = [cell for base in bases for cell in (f"over {base}", "95 %")]
    rows = [_cells(found, name, bases) for name in found["macro_auc"]]
    yield from aligned([["policy", "macro-AUC", "95 %", *over], *rows], words=1)
    yield ""
    for name, value in found["recoveries"].items():
        ends = found["interval"]["recoveries"][name]
        spread = f" ({' – '.join(map(percent, ends))})" if ends else ""
        if value is not None:
            yield f"{name} recovers {percent(value)}{spread} of what gold evidence teaches"
    if found["left_out"]:
        yield f"left out: {found['left_out']:,} conversations with evidence only, or none"
    yield from below(found)


def _cells(found: Mapping[str, Any], name: str, bases: list[str]) -> list[str]:
    leads = [found["lead"][base].get(name) for base in bases]
    gains = [
        cell
        for lead in leads
        for cell in ([share(lead["value"]), between(lead["interval"])] if lead else ["", ""])
    ]
    ends = between(found["interval"]["macro_auc"][name])
    return [name, share(found["macro_auc"][name]), ends, *gains]
