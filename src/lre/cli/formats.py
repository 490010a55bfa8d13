"""``lre formats``: which logs are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from lre.cli.options import examples, json_option
from lre.cli.output import json_bytes, show
from lre.cli.table import aligned
from lre.traces import Reader, readers

__all__ = ["formats"]

_HEAD = ("format", "dialects", "example", "what it is")


@click.command(epilog=examples("lre formats", "lre formats --json | jq -r '.formats[].name'"))
@json_option
def formats(as_json: bool) -> None:
    """List the formats of logs that are read.

    A format is recognised by what is in a file, whatever its name; each log may be compressed.
    The dialects are those in which the messages come out.

    With --json, one object is printed: "formats", in the order in which they are asked, each
    with "name", "about", "dialects" and "example".
    """
    rows = [_row(reader) for reader in readers()]
    show(json_bytes({"formats": rows}) if as_json else "\n".join(_table(rows)))


def _row(reader: Reader) -> dict[str, Any]:
    return {
        "name": reader.name,
        "about": reader.describe,
        "dialects": [*reader.dialects],
        "example": reader.example,
    }


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    cells = [
        (row["name"], ", ".join(row["dialects"]), row["example"], row["about"]) for row in rows
    ]
    yield from aligned([_HEAD, *cells], words=len(_HEAD))
