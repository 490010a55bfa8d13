"""The overview of the comparison: who is shown, and which of two rows."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

MADE = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "compared.py"))


def replayed(**shares: float) -> dict[str, Any]:
    """A result of `lre bench replay` at one budget: a policy's step survival by granularity."""
    lost = {"identifier_survival": 1, "copy_survival": None, "tokens_mean": 900}
    wrote = {"compressor_calls": 0, "compressor_failures": 0, "invented": 0}
    rows = [
        {"policy": "lre", "granularity": kind, "budget": 512, "step_survival": value, **lost}
        for kind, value in shares.items()
    ]
    settings = {"command": "lre bench replay", "date": "", "versions": {}}
    return {"rows": [{**row, **wrote} for row in rows], "settings": settings}


def test_the_overview_has_the_better_of_both_granularities_and_names_spans() -> None:
    read = MADE["_survives"]
    for shares, shown in (
        ({"unit": 0.9, "span": 0.95}, ".950, spans"),
        ({"unit": 0.95, "span": 0.9}, ".950"),
        ({"span": 0.9}, ".900, spans"),
    ):
        found = replayed(**shares)
        found["settings"]["budgets"] = ["256", "512"]
        assert read(found) == {"lre": shown}


def test_the_table_of_a_replay_has_both_granularities() -> None:
    lines = MADE["_replay"](replayed(unit=0.9, span=0.95)).splitlines()
    assert [line.split(" | ")[1:3] for line in lines[2:4]] == [
        ["`lre`", ".900"],
        ["`lre`, spans", ".950"],
    ]


def test_the_scorer_that_ships_stands_beside_the_fitted_one() -> None:
    rows = [line.split(" | ") for line in MADE["compared"]().splitlines()]
    shown = {row[0].strip("| `"): row[1:] for row in rows}
    place = rows[0].index("loop, hard tasks at 25\u00a0%") - 1
    assert shown["lre-shipped"][place] != shown["lre"][place]
    assert "lre-self" not in shown


def test_speed_is_of_whole_decisions() -> None:
    row = {"policy": "lre", "units_per_second": 900, "units_per_second_with_choice": 400}
    assert MADE["_speeds"]({"rows": [row]}) == {"lre": "400"}
