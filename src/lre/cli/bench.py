"""``lre bench``: the studies, a command each."""

from __future__ import annotations

import click

from lre.cli.options import examples
from lre.cli.replay import replay

__all__ = ["bench"]


@click.group(
    invoke_without_command=True,
    epilog=examples("lre bench replay logs/ --budgets 512,1024,10%"),
)
@click.pass_context
def bench(ctx: click.Context) -> None:
    """Measure what policies are worth, on your own logs."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


bench.add_command(replay)
