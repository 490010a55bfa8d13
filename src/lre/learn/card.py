"""The model card: where a scorer comes from and how well it does where it never looked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import lre

__all__ = ["card"]


def card(
    about: Mapping[str, Any],
    held_out: Mapping[str, Any],
    *,
    data: str,
    command: str,
    recipe: str,
    replay: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write a card.

    `about` counts what was learnt from, and names the label; `data` says in a few words what the
    logs are, `command` how the scorer was made, `replay` what came of it on sessions that it did
    not see.
    """
    counts = {name: value for name, value in about.items() if name != "label"}
    made = {
        "recipe": recipe,
        "label": about["label"],
        "data": data,
        **counts,
        "held_out": dict(held_out),
        "command": command,
        "made": f"{date.today().isoformat()}, lre {lre.__version__}",
    }
    return made | ({"replay": dict(replay)} if replay else {})
