"""Every real session is trimmed at a half, a quarter and a tenth of its tokens, and stays sound."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import lre
from lre.traces import Trace, read

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("LRE_DATA") or ROOT.parent / "shared" / "data")

SESSIONS = {
    "agent/tau2_bench": 1075,
    "agent/tau_bench": 115,
    "agent/mini_swe_agent": 128,
    "formats/openai_http": 8,
    "formats/anthropic_http": 50,
}


@pytest.mark.parametrize("collection", SESSIONS)
def test_every_session_is_trimmed_and_stays_sound(collection: str) -> None:
    path = DATA / collection
    if not path.is_dir():
        pytest.skip(f"{collection} is not there: set LRE_DATA to the folder of the data")
    count = 0
    for trace in read(path, strict=True):
        count += 1
        had = complaints(trace.messages, None)
        for budget in ("50%", "25%", "10%"):
            check(trace, budget, had)
    assert count == SESSIONS[collection]


def check(trace: Trace, budget: str, had: Counter[tuple[str, int]]) -> None:
    """Hold one result against laws 1 to 3."""
    result = lre.evict(trace.messages, budget=budget, system=trace.system, tools=trace.tools)
    rest = iter(trace.messages)
    kept_in_order = all(any(one is message for one in rest) for message in result.messages)
    assert kept_in_order, trace.meta["where"]
    assert complaints(result.messages, result.dialect) <= had, trace.meta["where"]
    reasons = Counter(d.reason for d in result.selection.decisions if d.verdict == "kept")
    if result.over_budget:
        assert set(reasons) <= {"pinned", "recent"}, trace.meta["where"]
        assert result.receipt.after > result.receipt.limit
    else:
        assert result.receipt.after <= result.receipt.limit, trace.meta["where"]


def complaints(messages: list[Any], dialect: str | None) -> Counter[tuple[str, int]]:
    """Count what the provider would reject, by rule and by the object that it is about."""
    found = lre.problems(messages, dialect)
    return Counter((problem.rule, id(messages[problem.index])) for problem in found)
