"""``lre train``: a scorer from one's own logs."""

from __future__ import annotations

import shlex
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import click

from lre.cli.options import examples, json_option, output_option, strict_option
from lre.cli.output import json_bytes, tell, write
from lre.cli.shared import parse_session
from lre.errors import MissingExtraError, SettingError
from lre.traces import Skipped, Trace, read

__all__ = ["train"]

_DATA, _COMMAND = 160, 240  # characters: a scorer file is to stay within 4 KB
_RECIPE, _UNSAID = "agent", "own logs"
_SHOWN = 3  # places of what was skipped


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
    type=click.Choice(["agent", "agent-paper"]),
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
@strict_option
@json_option
def train(
    logs: Sequence[str], output: str, recipe: str, data: str, strict: bool, as_json: bool
) -> None:
    """Learn from your own logs what later steps use again.

    LOGS are files in JSON or JSON Lines, compressed or not, and folders of them. The scorer, for
    'lre trim --scorer', is written to a JSON file of at most 4 KB, with a card that says what it
    was trained on and how well it does on tasks that it never saw. The card is printed; progress,
    and what was skipped, go to standard error.

    With --json, one object is printed: "scorer" (the file), "card", and "skipped", a "where" and
    a "what" each.
    """
    if find_spec("sklearn") is None:
        raise MissingExtraError("scikit-learn", "train")
    from lre.learn.card import card
    from lre.learn.dataset import collect
    from lre.learn.train import RECIPES, fit, held_out

    sessions = _Sessions(logs, strict)
    with _progress(sessions) as traces:
        rows = collect(traces, RECIPES[recipe].features, RECIPES[recipe].sampler)
    _tell_skipped(sessions.skipped)
    judged = held_out(rows, RECIPES[recipe].features)
    command = _command(logs, output, recipe, data)
    about = card(rows, judged, data=data, command=command, recipe=recipe)
    text = fit(rows, RECIPES[recipe].features, about).to_json()
    write(output, text.encode("utf-8", "backslashreplace"))
    tell(f"wrote {output}")
    if as_json:
        skipped = [{"where": one.where, "what": one.what} for one in sessions.skipped]
        click.echo(json_bytes({"scorer": output, "card": about, "skipped": skipped}), nl=False)
    else:
        click.echo("\n".join(_lines(about)))


class _Sessions:
    """The sessions of several logs: counted first, so that progress has an end, then read."""

    def __init__(self, paths: Sequence[str], strict: bool) -> None:
        for path in paths:
            if Path(path).is_fifo():
                raise SettingError(
                    "a pipe cannot be read twice", where=path, remedy="save it to a file first"
                )
        self._paths = {Path(path).resolve(): path for path in paths}.values()  # each once
        self._strict = strict
        self.skipped: list[Skipped] = []
        self._count = sum(1 for _ in self._read(self.skipped))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Trace]:
        for trace in self._read([]):
            if parse_session(trace, None, self._strict, self.skipped):
                yield trace

    def _read(self, skipped: list[Skipped]) -> Iterator[Trace]:
        logs = (read(path, strict=self._strict, on_problem=skipped.append) for path in self._paths)
        return chain.from_iterable(logs)


def _progress(sessions: _Sessions) -> AbstractContextManager[Iterable[Trace]]:
    """Show a bar where a terminal shows it."""
    if not sys.stderr.isatty():
        return nullcontext(sessions)
    return click.progressbar(sessions, label="sessions", show_pos=True, file=sys.stderr)


def _tell_skipped(skipped: Sequence[Skipped]) -> None:
    for one in skipped[:_SHOWN]:
        tell(f"skipped: {one.where}: {one.what}")
    if len(skipped) > _SHOWN:
        tell(f"skipped: {len(skipped) - _SHOWN} more")


def _command(logs: Sequence[str], output: str, recipe: str, data: str) -> str:
    """Give the command as it was typed, the logs last: what is too long is cut there."""
    chosen = {"--recipe": (recipe, _RECIPE), "--data": (data, _UNSAID)}
    options = [(name, value) for name, (value, default) in chosen.items() if value != default]
    words = ["lre", "train", "-o", _typed(output), *chain(*options), *map(_typed, logs)]
    return textwrap.shorten(shlex.join(words), _COMMAND + len(data), placeholder=" …")


def _typed(path: str) -> str:
    """Keep the name alone of an absolute path, which would tell where somebody's files are."""
    return Path(path).name if Path(path).is_absolute() else path


def _lines(about: Mapping[str, Any]) -> Iterator[str]:
    """Give a card as aligned lines."""
    width = max(map(len, about))
    for name, value in about.items():
        inner = value.items() if isinstance(value, Mapping) else [("", value)]
        text = ", ".join(f"{key} {_number(one)}".strip() for key, one in inner)
        yield f"{name.replace('_', ' '):{width}}  {text}"


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
