"""Options and arguments that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from lre.dialects import DIALECTS
from lre.pieces import SPLITTERS
from lre.policies import names
from lre.units import SEGMENTERS

__all__ = [
    "counter_option",
    "examples",
    "file_argument",
    "history_options",
    "in_a_folder",
    "json_option",
    "output_option",
    "reading_options",
    "strict_option",
    "workers_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


def examples(*lines: str) -> str:
    """Make the end of a command's help; the backspace keeps click from wrapping the lines."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def _together(*options: Decorator[Any]) -> Decorator[Any]:
    """Make one decorator of several; the help shows them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _complete_policy(_ctx: click.Context, _param: click.Parameter, start: str) -> list[str]:
    return [name for name in sorted(names()) if name.startswith(start)]


def in_a_folder(_ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    """Refuse at once what could not be written in the end."""
    folder = Path(path or "").parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder '{folder}'")
    return path


def output_option(default: str | None = None) -> Decorator[Any]:
    """Give the option ``-o``; without a default it has to be given."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(dir_okay=False, allow_dash=default is not None),
        default=default,
        required=default is None,
        callback=in_a_folder,
        help="Write to this file, all at once or not at all"
        + ("; by default to standard output." if default else "."),
    )


def file_argument(folders: bool = False) -> Decorator[Any]:
    """Give the argument FILE, which may be standard input, and a folder where that makes sense."""
    kind = click.Path(dir_okay=folders, allow_dash=True)
    return click.argument("file", metavar="FILE", type=kind)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

strict_option = click.option(
    "--strict", is_flag=True, help="Stop at the first record that cannot be read; skip none."
)

counter_option = click.option(
    "--counter",
    metavar="C",
    default="o200k",
    help="How tokens are counted: o200k, cl100k, estimate, or the path of a tokenizer.json. "
    "By default o200k.",
)

workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="How many processes share the work. By default one for each core.",
)

reading_options = _together(
    click.option(
        "--dialect",
        metavar="D",
        type=click.Choice(list(DIALECTS)),
        help=f"The messages' format: {', '.join(DIALECTS)}. By default it is recognised.",
    ),
    strict_option,
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors on standard error."),
)

history_options = _together(
    file_argument(),
    click.option(
        "--budget",
        metavar="N",
        help="The most tokens that the prompt may cost: messages, system and tools. "
        "A number, or a share of the messages' own tokens such as 25%.",
    ),
    click.option(
        "--older-budget",
        metavar="N",
        help="Instead of --budget: the most tokens for what is neither pinned nor recent.",
    ),
    click.option(
        "--session",
        metavar="K",
        type=click.IntRange(min=0),
        default=0,
        help="Which session of a log with many, counted from 0. By default the first.",
    ),
    click.option(
        "--policy",
        metavar="P",
        default="lre",
        shell_complete=_complete_policy,
        help="What decides: a name from 'lre policies', or package.module:Class. By default lre.",
    ),
    click.option(
        "--scorer",
        metavar="FILE",
        type=click.Path(),
        help="Score with a file that 'lre train' wrote, not with the one that ships.",
    ),
    click.option(
        "--granularity",
        metavar="G",
        type=click.Choice(list(SPLITTERS)),
        default="unit",
        help="What stays or goes as a whole: unit, or span (a line, a record, a sentence). "
        "By default unit.",
    ),
    click.option(
        "--oversize",
        metavar="O",
        type=click.Choice(["span"]),
        help="span: cut oversized results even of pinned and recent units into spans, where these "
        "alone break the budget. By default nothing of these is cut.",
    ),
    click.option(
        "--recent",
        metavar="N",
        type=click.IntRange(min=0),
        default=5,
        help="How many of the latest units are always kept. By default 5.",
    ),
    click.option(
        "--pin",
        metavar="PATTERN",
        multiple=True,
        help="Always keep messages in which this regular expression is found. May be repeated.",
    ),
    counter_option,
    click.option(
        "--segmenter",
        metavar="S",
        type=click.Choice(list(SEGMENTERS)),
        default="auto",
        help=f"How messages are grouped into units: {', '.join(SEGMENTERS)}. By default auto.",
    ),
    reading_options,
    json_option,
)
