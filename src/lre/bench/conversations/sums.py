"""What the studies of conversations share: what was measured on, and means with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from lre.bench.conversations.sheet import Floats, Ranked, Sheet
from lre.bench.tally import bounds

__all__ = ["about", "bounds", "means"]


def about(dataset: str, sheets: Sequence[Sheet], ranked: Sequence[Ranked]) -> dict[str, Any]:
    """Say what figures are of: how many conversations, units, tokens, and known faults."""
    faults: Counter[str] = Counter()
    for sheet in sheets:
        faults.update(sheet.trace.meta.get("faults", {}))
    return {
        "dataset": dataset,
        "conversations": len(sheets),
        "units": sum(len(sheet.units) for sheet in sheets),
        "tokens": sum(int(sheet.costs.sum()) for sheet in sheets),
        "positives": sum(int(sheet.gold.sum()) for sheet in sheets),
        "questions": sum(len(sheet.asked) for sheet in sheets),
        "faults": dict(faults),
        "notes": {one.name: one.note for one in ranked if one.note},
    }


def means(sums: Floats, counts: Floats, drawn: Floats) -> Floats:
    """Give the pooled mean of each draw: shape ``(draws,)``, NaN where a draw counts nothing.

    `sums` and `counts` have shape ``(groups,)``; `drawn` says how often each group was drawn.

    >>> means(np.array([1.0, 3.0]), np.array([1.0, 2.0]), np.array([[1.0, 1.0], [2.0, 0.0]]))
    array([1.33333333, 1.        ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (drawn @ sums) / (drawn @ counts)
    return found
