"""From options to a session and to the arguments of `evict`; problems of reading."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lre.cli.output import tell
from lre.dialects import Dialect, parse
from lre.errors import LogError, MessageError, SettingError
from lre.evict import Settings
from lre.messages import Budget, Message
from lre.policies import policy
from lre.scorer import Scorer
from lre.traces import Skipped, Trace, pick

__all__ = ["because", "listed", "open_session", "parse_session", "placed", "settings", "typed"]


def open_session(path: str, given: Mapping[str, Any]) -> Trace:
    """Read the session that was asked for, once the budget makes sense."""
    total, older, quiet = given["budget"], given["older_budget"], given["quiet"]
    if (total is None) == (older is None):
        raise click.UsageError("Give either --budget or --older-budget")
    Budget.of(budget=total, older_budget=older)
    skipped: list[Skipped] = []
    with because(skipped):
        trace, count = pick(
            path, given["session"], strict=given["strict"], on_problem=skipped.append
        )
    for one in skipped:
        tell(f"skipped: {one.where}: {one.what}", quiet)
    if count > 1:
        tell(f"{trace.name}: one of {count} sessions; --session K picks one, from 0", quiet)
    return trace


def settings(trace: Trace, given: Mapping[str, Any]) -> Settings:
    """Make the arguments of `evict` from the options; a bad scorer file is told at once."""
    options = {"scorer": Scorer.load(given["scorer"])} if given["scorer"] else {}
    return Settings(
        budget=given["budget"],
        older_budget=given["older_budget"],
        policy=policy(given["policy"], **options),
        granularity=given["granularity"],
        oversize=given["oversize"],
        recent=given["recent"],
        pin=given["pin"],
        system=trace.system,
        tools=trace.tools,
        dialect=given["dialect"],
        counter=given["counter"],
        segmenter=given["segmenter"],
    )


@contextmanager
def because(skipped: Sequence[Skipped]) -> Iterator[None]:
    """Say why nothing could be read: what was skipped first, where the error gives no remedy."""
    try:
        yield
    except LogError as error:
        if error.remedy or not skipped:
            raise
        raise LogError(skipped[0].what, where=skipped[0].where) from error


def parse_session(
    trace: Trace, dialect: str | None, strict: bool, skipped: list[Skipped]
) -> tuple[Dialect, list[Message]] | None:
    """Parse a session's messages; one that cannot be read is skipped, unless `strict`."""
    try:
        with placed(trace):
            return parse(trace.messages, dialect)
    except LogError as error:
        if strict:
            raise
        skipped.append(Skipped(error.where, f"{error.what}: {error.remedy}"))
        return None


@contextmanager
def placed(trace: Trace) -> Iterator[None]:
    """Name the session in errors that know no more than a place in its messages."""
    try:
        yield
    except MessageError as error:
        where = f"{trace.name}: {error.where}"
        raise LogError(error.what, where=where, remedy=error.remedy) from error


def listed(text: str, what: str) -> list[str]:
    """Read a list with commas, each entry once.

    >>> listed("fifo, lre,fifo", "policies")
    ['fifo', 'lre']

    Raises
    ------
    SettingError
        If it is empty.
    """
    found = [entry.strip() for entry in text.split(",")]
    if not all(found):
        raise SettingError("an empty name in a list", where=what, remedy="put one between commas")
    return list(dict.fromkeys(found))


def typed(ctx: click.Context, most: int, without: Sequence[str] = ()) -> str:
    """Give the command as it was typed, its arguments last: what is too long is cut there.

    Of an absolute path the name alone is kept: the rest would tell where somebody's files are.
    """
    options, arguments = ctx.command_path.split(), list[str]()
    for param in ctx.command.params:
        name = str(param.name)
        if name in without or ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[name]
        if isinstance(param, click.Argument):
            arguments += map(_named, [value] if param.nargs == 1 else value)
        else:
            options += [param.opts[0]] + [_named(str(value))] * (value is not True)
    return textwrap.shorten(shlex.join(options + arguments), most, placeholder=" …")


def _named(path: str) -> str:
    return Path(path).name if Path(path).is_absolute() else path
