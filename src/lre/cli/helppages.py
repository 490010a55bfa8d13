"""The page of the documentation about the command, made from the help that it prints.

``python -m lre.cli.helppages > docs/cli.md`` writes it anew.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from lre.cli.main import cli

__all__ = ["pages"]

_HEAD = """\
<!-- Made by `python -m lre.cli.helppages > docs/cli.md`: change the commands, not this page. -->

# The command `lre`
"""
_CODE = re.compile(r"'(lre[^']*)'|--[a-z][a-z-]*")


def pages() -> str:
    """Give the page: the group first, then a section for each command, in Markdown."""
    top = click.Context(cli, info_name="lre")
    parts = [_HEAD, *_prose(cli.help), *_prose(cli.epilog)]
    return "\n".join([*parts, *_sections(cli, top)])


def _sections(group: click.Group, ctx: click.Context) -> Iterator[str]:
    """Give a section for each command of a group, and after a group those of its own."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is None:
            continue
        inner = click.Context(command, info_name=name, parent=ctx)
        yield from _section(command, inner)
        if isinstance(command, click.Group):
            yield from _sections(command, inner)


def _section(command: click.Command, ctx: click.Context) -> Iterator[str]:
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    yield f"## `{ctx.command_path}`\n"
    yield f"```text\n{usage}\n```\n"
    yield from _prose(command.help)
    yield "\n".join([*_options(command, ctx), ""])
    yield from _prose(command.epilog)


def _options(command: click.Command, ctx: click.Context) -> Iterator[str]:
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
        if record:
            yield f"- `{record[0]}`: {_marked(record[1])}"


def _prose(text: str | None) -> Iterator[str]:
    """Give the paragraphs; those that click is told not to wrap are examples."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        if paragraph.startswith("\b"):
            lines = [f"$ {line.strip()}" for line in paragraph.splitlines()[2:]]
            yield "\n".join(["```console", *lines, "```", ""])
        elif paragraph:
            yield _marked(paragraph) + "\n"


def _marked(text: str) -> str:
    """Mark commands and options as code, so that Markdown leaves their dashes alone."""
    return _CODE.sub(lambda found: f"`{found[1] or found[0]}`", " ".join(text.split()))


if __name__ == "__main__":
    click.echo(pages(), nl=False)
