"""The page of the documentation about the command, made from the help that it prints.

``python -m lre.cli.helppages > docs/cli.md`` writes it anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from lre.cli.main import cli

__all__ = ["pages"]

_HEAD = """\
<!-- Made by `python -m lre.cli.helppages > docs/cli.md`: change the commands, not this page. -->

# The command `lre`
"""


def pages() -> str:
    """Give the page: the group first, then a section for each command, in Markdown."""
    top = click.Context(cli, info_name="lre")
    parts = [_HEAD, *_prose(cli.help), *_prose(cli.epilog)]
    for name in cli.list_commands(top):
        command = cli.get_command(top, name)
        if command is not None:
            parts += _section(command, click.Context(command, info_name=name, parent=top))
    return "\n".join(parts)


def _section(command: click.Command, ctx: click.Context) -> Iterator[str]:
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    yield f"## `{ctx.command_path}`\n"
    yield f"```text\n{usage}\n```\n"
    yield from _prose(command.help)
    records = [param.get_help_record(ctx) for param in command.get_params(ctx)]
    yield from (f"`{names}`\n: {text}\n" for names, text in filter(None, records))
    yield from _prose(command.epilog)


def _prose(text: str | None) -> Iterator[str]:
    """Give the paragraphs; those that click is told not to wrap are examples."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        if paragraph.startswith("\b"):
            lines = [f"$ {line.strip()}" for line in paragraph.splitlines()[2:]]
            yield "\n".join(["```console", *lines, "```", ""])
        elif paragraph:
            yield " ".join(paragraph.split()) + "\n"


if __name__ == "__main__":
    click.echo(pages(), nl=False)
