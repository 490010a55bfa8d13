"""What has to be said beside any figure: when, with what, on what, and by which command."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

import lre
from lre.cli.shared import typed

__all__ = ["provenance", "told"]

_COMMAND = 1000  # characters


def provenance(ctx: click.Context, without: Sequence[str] = ("data",)) -> dict[str, Any]:
    """Give date, versions, cores and command; of the command, the options `without` are hidden."""
    return {
        "date": date.today().isoformat(),
        "versions": _versions(),
        "cores": os.cpu_count() or 1,
        "command": typed(ctx, _COMMAND, without=without),
    }


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {"python": platform.python_version(), "lre": lre.__version__}
    for package in ("numpy", "scikit-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def told(used: Mapping[str, Any]) -> Iterator[str]:
    """Write it in two lines, below a table."""
    versions = ", ".join(f"{name} {one}" for name, one in used["versions"].items() if one)
    yield f"{used['date']}; {versions}; {used['cores']} cores"
    yield f"$ {used['command']}"
