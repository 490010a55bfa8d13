"""The group of commands, and what becomes of errors: one line and an exit status."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, NoReturn

import click

from lre import LreError, __version__
from lre.cli.bench import bench
from lre.cli.check import check
from lre.cli.completion import completion
from lre.cli.convert import convert
from lre.cli.explain import explain
from lre.cli.formats import formats
from lre.cli.output import tell
from lre.cli.policies import policies
from lre.cli.train import train
from lre.cli.trim import trim

__all__ = ["cli", "main"]

_UNUSABLE, _INTERRUPTED = 2, 130


class _Group(click.Group):
    """Ends every failure with one line on standard error instead of a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read us has seen enough; click would exit with 1
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return 0

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except click.Abort:
            sys.exit(_INTERRUPTED)
        except click.UsageError as error:
            _fail(f"{error.format_message().rstrip('.')}: see '{_path(error.ctx)} --help'")
        except click.ClickException as error:
            _fail(error.format_message())
        except LreError as error:
            _fail(str(error))
        except OSError as error:
            place = f" @ {error.filename}" if error.filename else ""
            _fail(f"{error.strerror or error}{place}")
        except RecursionError:
            _fail("the messages are nested too deeply: give them with fewer levels")
        sys.exit(status if isinstance(status, int) else 0)


@click.group(
    cls=_Group,
    invoke_without_command=True,
    epilog="Exit status: 0 done; 1 'lre check' found problems; 2 the input or an argument cannot "
    "be used, and one line on standard error says why.",
)
@click.version_option(__version__, prog_name="lre", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Fit an agent's history into a token budget, word for word."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (trim, explain, check, train, bench, convert, formats, policies, completion):
    cli.add_command(_command)


def main() -> NoReturn:
    """Run the command; what the terminal's encoding cannot show is escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    cli.main(prog_name="lre")


def _fail(message: str) -> NoReturn:
    tell(f"lre: {message}")
    sys.exit(_UNUSABLE)


def _path(ctx: click.Context | None) -> str:
    return ctx.command_path if ctx else "lre"
