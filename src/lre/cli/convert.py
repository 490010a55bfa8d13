"""``lre convert``: any logs as JSON Lines of our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lre.cli.options import examples, json_option, output_option, strict_option
from lre.cli.output import json_bytes, show, tell, write
from lre.cli.sessions import open_sessions, watched
from lre.errors import SettingError
from lre.traces import Trace
from lre.traces.own import line

__all__ = ["convert"]


@click.command(
    epilog=examples(
        "lre convert ~/.codex/sessions -o codex.jsonl",
        "lre convert traces/*.json --strict | head -1",
        "lre train codex.jsonl -o mine.json",
    )
)
@click.argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True),
)
@output_option(default="-")
@strict_option
@json_option
def convert(sources: Sequence[str], output: str, strict: bool, as_json: bool) -> None:
    """Write logs of any known format as JSON Lines, one session a line.

    Each SOURCE is a log, compressed or not, or a folder of logs; - is standard input. 'lre
    formats' lists what is read. A line holds all that was read of a session: its messages as
    they were, system prompt, tools, task, questions, and where it stood. Every command reads
    such lines again. Progress, and what was skipped, go to standard error.

    With --json, and -o FILE, one object is printed: "output", "sessions", "messages", "formats"
    (how many sessions of each), and "skipped", a "where" and a "what" each.
    """
    if as_json and output == "-":
        raise SettingError("two results for standard output", where="--json", remedy="give -o FILE")
    _apart(output, sources)
    traces, skipped = open_sessions(sources, strict)
    write(output, b"".join(map(line, watched(traces, "converting"))))
    found = _summary(output, traces)
    if as_json:
        told = [{"where": one.where, "what": one.what} for one in skipped]
        show(json_bytes({**found, "skipped": told}))
    of_each = ", ".join(f"{count:,} {name}" for name, count in found["formats"].items())
    place = "" if output == "-" else f"wrote {output}: "
    tell(f"{place}{len(traces):,} session{'s' * (len(traces) != 1)} ({of_each})")


def _apart(output: str, sources: Sequence[str]) -> None:
    """Refuse an output among the sources: the next run would read it as a log."""
    target = Path(output).resolve()
    among = [Path(one).resolve() for one in sources if one != "-"]
    if output != "-" and any(one == target or one in target.parents for one in among):
        remedy = "write it elsewhere"
        raise SettingError("the output lies among the sources", where=output, remedy=remedy)


def _summary(output: str, traces: Sequence[Trace]) -> dict[str, Any]:
    return {
        "output": output,
        "sessions": len(traces),
        "messages": sum(len(trace.messages) for trace in traces),
        "formats": dict(Counter(str(trace.meta.get("reader")) for trace in traces)),
    }
