"""``lre trim``: the messages that stay."""

from __future__ import annotations

from typing import Any

import click

from lre import evict
from lre.cli.models import running
from lre.cli.options import examples, history_options, output_option
from lre.cli.output import json_bytes, strays_to_stderr, tell, write
from lre.cli.shared import open_session, placed, settings
from lre.policies import policy

__all__ = ["trim"]


@click.command(
    epilog=examples(
        "lre trim session.json --budget 8000",
        "lre trim logs.jsonl --session 3 --older-budget 25% --pin 'tok_[a-z]+' -o short.json",
        "cat session.json | lre trim - --budget 8000 | lre check -",
    )
)
@history_options
@output_option("-")
def trim(file: str, output: str, as_json: bool, **given: Any) -> None:
    """Print the messages that fit a budget, word for word.

    FILE is a log in JSON or JSON Lines, compressed or not; - is standard input. The messages
    are printed as a JSON list, on standard error a summary and the model that a policy runs, if
    any. Their texts are those of the input to the letter; numbers are written as Python reads them.

    What is pinned or recent is kept even where it exceeds the budget by itself: then the summary
    and "over_budget" say so, and the exit status is 0 all the same.

    With --json, one object is printed: "messages", "dialect", "policy", "tokens" ("before" and
    "after", of the whole prompt), "limit" ("tokens" and "scope"), "over_budget", and for each
    unit one of "decisions": "unit", "messages" (places in the input), "verdict", "reason",
    "note", "score", "tokens" (whole) and "left".
    """
    trace = open_session(file, given)
    used = settings(trace, given)
    if line := running(given["policy"], policy(used["policy"])):
        tell(line, given["quiet"])
    with placed(trace), strays_to_stderr():
        result = evict(trace.messages, **used)
    write(output, json_bytes(result.to_dict() if as_json else result.messages))
    tell(result.receipt.summary(), given["quiet"])
