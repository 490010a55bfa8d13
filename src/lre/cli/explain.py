"""``lre explain``: why each unit would stay or go."""

from __future__ import annotations

from typing import Any

import click

import lre
from lre.cli.options import examples, history_options
from lre.cli.output import json_bytes, show, strays_to_stderr
from lre.cli.shared import open_session, placed, settings

__all__ = ["explain"]


@click.command(epilog=examples("lre explain session.json --budget 8000"))
@history_options
def explain(file: str, as_json: bool, **given: Any) -> None:
    """Show why each unit would stay or go.

    FILE and options are those of 'lre trim'. The table has a line for each unit, with its score
    and the three things that weighed most in it. For the policy lre these are identifiers, each
    with the probability that a later action needs it. For lre-paper they are features, each with
    what it added to the score's logit: above 0 it spoke for keeping the unit, below 0 against.
    Policies that do not score by either show none.

    With --json, one object is printed: that of 'lre trim --json' without "messages", with a
    "score" in every decision and its "features", up to three with a "name" and a "weight" each.
    """
    trace = open_session(file, given)
    with placed(trace), strays_to_stderr():
        explanation = lre.explain(trace.messages, **settings(trace, given))
    if as_json:
        show(json_bytes(explanation.to_dict()))
    else:
        show(str(explanation))
