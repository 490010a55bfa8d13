"""``lre policies``: what can decide."""

from __future__ import annotations

import inspect
from typing import Any

import click
import numpy as np

from lre.cli.options import json_option
from lre.cli.output import json_bytes, show
from lre.errors import LreError
from lre.policies import Policy, names, policy
from lre.policies.base import LAWS

__all__ = ["policies"]


@click.command()
@json_option
def policies(as_json: bool) -> None:
    """List what can decide what stays.

    Each policy is shown with the laws that it waives, and with what it lacks where it cannot be
    used.

    With --json, one object is printed: "policies", each with "name", "place", "about", "waives"
    (numbers of laws), and "problem" (null, or why it cannot be used).
    """
    rows = [_row(name, place) for name, place in sorted(names().items())]
    if as_json:
        show(json_bytes({"policies": rows}))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        show(f"{row['name']:{width}}  {' '.join(_words(row))}")


def _row(name: str, place: str) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "place": place, "about": "", "waives": [], "problem": None}
    try:
        made = policy(name)
        row["about"] = (inspect.getdoc(type(made)) or "").partition("\n")[0]
        row["waives"] = sorted(made.waives)
        _try(made)
    except LreError as error:
        row["problem"] = str(error)
    return row


def _try(made: Policy) -> None:
    """Let a policy choose one unit of one, so that it needs what it imports at first use."""
    made.choose(np.ones(1), np.ones(1, dtype=np.int64), 1)


def _words(row: dict[str, Any]) -> list[str]:
    waived = ", ".join(f"{law} ({LAWS[law]})" if law in LAWS else f"{law}" for law in row["waives"])
    return [
        *([row["about"]] if row["about"] else []),
        *([f"[waives law {waived}]"] if waived else []),
        *([f"[cannot be used: {row['problem']}]"] if row["problem"] else []),
    ]
