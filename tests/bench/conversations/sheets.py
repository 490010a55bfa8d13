"""A conversation of six turns that can be worked out on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lre.bench.conversations.sheet import Asked, Ranked, Sheet
from lre.policies.fifo import Fifo
from lre.traces import Trace

__all__ = ["ASKED", "COSTS", "by_score", "sheet", "turns"]

COSTS = (10, 20, 30, 10, 20, 10)
ASKED = (
    Asked("Where does Ann live?", "Oslo", "single-hop", (1,)),
    Asked("What moved with her?", "her cat", "multi-hop", (1, 4)),
    Asked("Would she like snow?", "likely yes", "open-domain", ()),
)


def turns(count: int = 6) -> list[dict[str, Any]]:
    """Ann and Bo in turn, three turns a session."""
    return [
        {
            "role": "user",
            "name": ("Ann", "Bo")[i % 2],
            "content": f"turn {i}",
            "session": i // 3 + 1,
            "time": f"day {i // 3 + 1}",
        }
        for i in range(count)
    ]


def sheet(
    asked: Sequence[Asked] = ASKED, fold: int = 0, meta: Mapping[str, Any] | None = None
) -> Sheet:
    trace = Trace("", "", turns(), meta=meta or {})
    return Sheet(trace, [(i,) for i in range(6)], np.array(COSTS), tuple(asked), fold)


def by_score(name: str, *scores: Sequence[float], note: str = "") -> Ranked:
    """A policy that takes the highest score first, skipping what does not fit."""
    return Ranked(name, Fifo(), [np.array(one, dtype=np.float64) for one in scores], note)
