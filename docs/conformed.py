"""Tables of ``docs/conformance.md``, from what ``tests/conformance/compactors.py`` printed."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

from lre.bench.figures import percent

__all__ = ["budgeted", "seeded"]

RESULTS = Path(__file__).resolve().parent / "results"

_table = runpy.run_path(str(Path(__file__).with_name("measured.py")))["table"]


def seeded() -> str:
    """Write what survives of the kit's own session, a row for each compactor."""
    result = _read()
    types = list(next(iter(result["seeded"].values())))
    rows = [
        [_name(name, result), *(_curve(curves[kind]) for kind in types)]
        for name, curves in result["seeded"].items()
    ]
    head = ("compactor", *(kind.replace("_", " ") for kind in types))
    return str(_table(head, rows)) + _below(result)


def budgeted() -> str:
    """Write what survives at the kit's fixed budgets, best first within each."""
    result = _read()
    rows = [_entry(entry, result) for entry in result["benchmark"]["entries"]]
    head = ("budget", "compactor", "fits", "survival", "updates resolved", "stale values", "size")
    return str(_table(head, rows)) + _below(result)


def _entry(entry: dict[str, Any], result: dict[str, Any]) -> list[str]:
    semantic = entry["semantic"]
    return [
        percent(entry["budget_fraction"]),
        _name(entry["compactor"], result),
        "yes" if entry["budget_compliant"] else "no",
        percent(entry["randomized"]["overall_final_survival"]),
        percent(semantic["resolved_rate"]),
        percent(semantic["conflicts"]["stale"] / semantic["conflicts"]["n"]),
        percent(entry["mean_final_output_ratio"]),
    ]


def _curve(curve: list[float]) -> str:
    """Write the survival after the first round, and after the last where it is another."""
    first, last = percent(curve[0]), percent(curve[-1])
    return first if first == last else f"{first} → {last}"


def _name(name: str, result: dict[str, Any]) -> str:
    return f"`{name}`" if name in result["contestants"] else f"{name} (the kit's)"


def _below(result: dict[str, Any]) -> str:
    made = f"compaction-conformance-kit {result['kit']}, lre {result['lre']}."
    return f"\n`{result['command']}`\n\n{made}\n"


def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / "conformance.json").read_text(encoding="utf-8"))
    return found
