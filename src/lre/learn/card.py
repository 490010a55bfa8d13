"""The model card: where a scorer comes from and how well it does where it never looked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import lre
from lre.learn.dataset import Rows

__all__ = ["card"]


def card(
    rows: Rows,
    held_out: Mapping[str, Any],
    *,
    data: str,
    command: str,
    recipe: str,
    label: str,
    replay: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write a card.

    `data` says in a few words what the logs are, `command` how the scorer was made, `replay`
    what came of it on sessions that it did not see.
    """
    about = {
        "recipe": recipe,
        "label": label,
        "data": data,
        "sessions": rows.sessions,
        "units": rows.units,
        "rows": len(rows.labels),
        "positive": round(float(rows.labels.mean()), 4),
        "held_out": dict(held_out),
        "command": command,
        "made": f"{date.today().isoformat()}, lre {lre.__version__}",
    }
    return about | ({"replay": dict(replay)} if replay else {})
