"""The laws of the design, one function each.

>>> chat = [{"role": "user", "content": f"Ticket T-{i}00{i} is open."} for i in range(9)]
>>> for law in LAWS.values():
...     law(chat, policy="fifo", budget="60%", recent=2)
"""

from __future__ import annotations

from collections.abc import Mapping

from lre.testing.laws.base import NAMES, Law, demand
from lre.testing.laws.result import (
    unchanged_under_budget,
    usable,
    valid,
    verbatim,
    within_budget,
)
from lre.testing.laws.sticky import sticky
from lre.testing.laws.time import causal, causal_features, deterministic, incremental, pure

__all__ = [
    "LAWS",
    "NAMES",
    "Law",
    "causal",
    "causal_features",
    "demand",
    "deterministic",
    "incremental",
    "pure",
    "sticky",
    "unchanged_under_budget",
    "usable",
    "valid",
    "verbatim",
    "within_budget",
]

LAWS: Mapping[int, Law] = {
    0: usable,
    1: verbatim,
    2: valid,
    3: within_budget,
    4: unchanged_under_budget,
    5: causal,
    6: deterministic,
    7: pure,
    8: incremental,
    9: sticky,
}
"""Every law by its number in the design; 0 is "`evict` raises only on unusable arguments", 9 is
what `History(low=…)` promises."""
