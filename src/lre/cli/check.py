"""``lre check``: what the provider would reject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

import click

from lre.cli.output import json_bytes, tell
from lre.cli.shared import examples, file_argument, json_option, placed, reading_options
from lre.dialects import parse
from lre.errors import LogError
from lre.traces import Skipped, Trace, pick, read

__all__ = ["check"]

Row = Mapping[str, Any]


@click.command(
    epilog=examples("lre check session.json --dialect anthropic", "lre check logs/ --json")
)
@file_argument
@click.option(
    "--session",
    metavar="K",
    type=click.IntRange(min=0),
    help="Check only this session, counted from 0. By default all are checked.",
)
@reading_options
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    file: str,
    session: int | None,
    as_json: bool,
    dialect: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """List what the provider would reject, one line each.

    FILE is a log in JSON or JSON Lines, compressed or not, or a folder of logs; - is standard
    input. All of its sessions are checked.

    The exit status is 0 if there is no problem, 1 if there is one, and 2 if anything could not
    be read and so was not checked.

    With --json, one object is printed: "sessions", each with "session" (its number from 0),
    "name", "dialect", and "problems", each with "index", "rule", "text" and "source".
    """
    unread: list[LogError] = []

    def skipped(problem: Skipped) -> None:
        unread.append(LogError(problem.what, where=problem.where))

    traces = _traces(file, session, strict, skipped)
    rows = list(_checked(traces, dialect, unread))
    for error in unread:
        tell(f"lre: {error}")
    if as_json and rows:
        click.echo(json_bytes({"sessions": rows}), nl=False)
    elif not as_json:
        click.echo("".join(f"{line}\n" for line in _lines(rows)), nl=False)
    found = sum(len(row["problems"]) for row in rows)
    tell(f"{found} problems in {len(rows)} sessions", quiet or not rows)
    ctx.exit(2 if unread else min(found, 1))


def _traces(
    file: str, session: int | None, strict: bool, skipped: Callable[[Skipped], None]
) -> Iterable[tuple[int, Trace]]:
    """Give the sessions that were asked for, with their numbers."""
    if session is None:
        return enumerate(read(file, strict=strict, on_problem=skipped))
    return [(session, pick(file, session, strict=strict, on_problem=skipped)[0])]


def _checked(
    traces: Iterable[tuple[int, Trace]], dialect: str | None, unread: list[LogError]
) -> Iterator[Row]:
    for number, trace in traces:
        try:
            yield {"session": number, "name": trace.name, **_findings(trace, dialect)}
        except LogError as error:
            unread.append(error)


def _findings(trace: Trace, dialect: str | None) -> Row:
    with placed(trace):
        spoken, messages = parse(trace.messages, dialect)
    return {
        "dialect": spoken.name,
        "problems": [asdict(problem) for problem in spoken.problems(messages)],
    }


def _lines(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        name = f"{row['name']}: " if len(rows) > 1 else ""
        for problem in row["problems"]:
            text = " ".join(problem["text"].splitlines())
            yield f"{name}messages[{problem['index']}] {problem['rule']}: {text}"
