"""``lre check``: what the provider would reject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from lre.cli.options import examples, file_argument, json_option, reading_options
from lre.cli.output import json_bytes, show, tell
from lre.cli.shared import because, parse_session
from lre.traces import Skipped, Trace, pick, read

__all__ = ["check"]

Row = Mapping[str, Any]


@click.command(
    epilog=examples(
        "lre check session.json --dialect anthropic",
        "lre check session.json --explain",
        "lre check logs/ --json",
    )
)
@file_argument(folders=True)
@click.option(
    "--session",
    metavar="K",
    type=click.IntRange(min=0),
    help="Check only this session, counted from 0. By default all are checked.",
)
@click.option("--explain", is_flag=True, help="Say under each problem where the provider says so.")
@reading_options
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    file: str,
    session: int | None,
    explain: bool,
    as_json: bool,
    dialect: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """List what the provider would reject, one line each; with --explain, one more for the rule.

    FILE is a log in JSON or JSON Lines, compressed or not, or a folder of logs; - is standard
    input. All of its sessions are checked.

    The exit status is 0 if there is no problem, 1 if there is one, and 2 if anything could not
    be read and so was not checked.

    With --json, one object is printed: "sessions", each with "session" (its number from 0),
    "name", "where" (its file and place there), "dialect", and "problems", each with "index",
    "rule", "text" and "source".
    """
    skipped: list[Skipped] = []
    with because(skipped):
        traces = _traces(file, session, strict, skipped)
        rows = [row for k, trace in traces if (row := _row(k, trace, dialect, strict, skipped))]
    for one in skipped:
        tell(f"lre: {one.where}: {one.what}")
    found = sum(len(row["problems"]) for row in rows)
    if rows:
        _print(rows, as_json, explain)
        tell(f"{_many(found, 'problem')} in {_many(len(rows), 'session')}", quiet)
    ctx.exit(2 if skipped else min(found, 1))


def _traces(
    file: str, session: int | None, strict: bool, skipped: list[Skipped]
) -> Iterable[tuple[int, Trace]]:
    """Give the sessions that were asked for, with their numbers."""
    if session is None:
        return enumerate(read(file, strict=strict, on_problem=skipped.append))
    return [(session, pick(file, session, strict=strict, on_problem=skipped.append)[0])]


def _row(
    number: int, trace: Trace, dialect: str | None, strict: bool, skipped: list[Skipped]
) -> Row | None:
    parsed = parse_session(trace, dialect, strict, skipped)
    if parsed is None:
        return None
    spoken, messages = parsed
    problems = [asdict(problem) for problem in spoken.problems(messages)]
    told = {"name": trace.name, "where": str(trace.meta.get("where", "")), "dialect": spoken.name}
    return {"session": number, **told, "problems": problems}


def _print(rows: Sequence[Row], as_json: bool, explain: bool) -> None:
    if as_json:
        show(json_bytes({"sessions": rows}))
    for row in () if as_json else rows:
        place = _place(row["where"]) if len(rows) > 1 else "messages"
        for problem in row["problems"]:
            text = " ".join(problem["text"].splitlines())
            show(f"{place}[{problem['index']}] {problem['rule']}: {text}")
            if explain:
                show(f"    a rule of {row['dialect']}, by the {problem['source']}")


def _place(where: str) -> str:
    """Say where a session's list stands; what is a file alone is the list itself."""
    return where if ": " in where else f"{where}: messages"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
