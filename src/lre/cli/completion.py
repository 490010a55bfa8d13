"""``lre completion``: what a shell needs to complete commands and options."""

from __future__ import annotations

import click

from lre.cli.options import examples

__all__ = ["completion"]


@click.command(
    epilog=examples(
        """echo 'eval "$(lre completion bash)"' >> ~/.bashrc""",
        """echo 'eval "$(lre completion zsh)"' >> ~/.zshrc""",
        "lre completion fish > ~/.config/fish/completions/lre.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script for completion with the Tab key.

    To have it in every new shell, run the line for yours below once.
    """
    from click.shell_completion import get_completion_class

    make = get_completion_class(shell)
    if make is None:
        raise click.UsageError(f"No completion for {shell}")
    click.echo(make(ctx.find_root().command, {}, "lre", "_LRE_COMPLETE").source())
