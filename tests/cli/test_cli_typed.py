"""The command that stands beside figures is the one that was typed."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from lre.cli.shared import typed


@click.command()
@click.argument("dataset")
@click.argument("rest", nargs=-1)
@click.option("--seed", default=0)
@click.pass_context
def study(ctx: click.Context, /, **_given: object) -> None:
    click.echo(typed(ctx, 100))


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["locomo"], "study locomo"),
        (["locomo", "one", "two", "--seed", "3"], "study --seed 3 locomo one two"),
        (["/home/ann/my logs.json", "/data/b.json"], "study 'my logs.json' b.json"),
    ],
)
def test_arguments_are_told_whole_whether_one_or_many(args: list[str], told: str) -> None:
    assert CliRunner().invoke(study, args, prog_name="study").stdout == f"{told}\n"
