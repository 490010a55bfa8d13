"""Tables of ``docs/frameworks.md``: what frameworks bring themselves, in figures.

The figures are those of ``docs/results/replay-peers.json``, in which every policy has the same
budget, pins and recent window; and ``long-task.json``, of ``docs/long_task.py``.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lre.bench.figures import count, duration, share

__all__ = ["brought", "forfeited", "lasting"]

RESULTS = Path(__file__).resolve().parent / "results"

MEANS: Mapping[str, str] = {
    "langchain": "the latest that fit, nothing before the first that does not",
    "fifo": "the same, and what is left is filled with older units that fit",
    "litellm": "BM25 against the last user message; the rest as stubs",
    "headroom": "the best sentences of each text, by BM25, recency and salience",
    "lre": "what later actions likely need, by the scorer",
}
"""Policy to what it keeps."""

Row = Mapping[str, Any]

_table = runpy.run_path(str(Path(__file__).with_name("measured.py")))["table"]


def brought() -> str:
    """Write at how many steps everything needed is in view, at each budget."""
    result = _read("replay-peers.json")
    budgets = _budgets(result)
    head = ("policy", "pieces", "keeps", *(f"steps at {count(budget)}" for budget in budgets))
    rows = [
        [f"`{name}`", _row(result, name, budgets[0])["granularity"], keeps, *_ranges(result, name)]
        for name, keeps in MEANS.items()
    ]
    units = _ranges(_in_units(result), "lre")
    rows.insert(-1, ["`lre`", "unit", "the same as below, in whole units", *units])
    return str(_table(head, rows)) + _below(result)


def _in_units(result: Row) -> Row:
    """Give the rows of whole units of another run over the same logs and budgets."""
    other = _read("tau-fresh.json")
    same = ("traces", "steps")
    if [other[key] for key in same] != [result[key] for key in same]:
        raise ValueError("tau-fresh.json and replay-peers.json are not of the same logs")
    return {**other, "rows": [row for row in other["rows"] if row["granularity"] == "unit"]}


def forfeited() -> str:
    """Write what it costs: copied text beside FIFO's, the beginning of the prompt, and time."""
    result = _read("replay-peers.json")
    budgets = _budgets(result)
    middle = budgets[len(budgets) // 2]
    copied = [f"copied text at {count(budget)}" for budget in budgets]
    rows = []
    for name in MEANS:
        row = _row(result, name, middle)
        texts = [_beside_fifo(_row(result, name, budget)) for budget in budgets]
        spent = share(row["prefix_reuse"]), duration(row["seconds_per_decision"])
        rows.append([f"`{name}`", *texts, *spent])
    head = ("policy", *copied, f"prefix reuse at {count(middle)}", "a decision")
    return str(_table(head, rows))


def lasting() -> str:
    """Write what the frameworks' own code leaves of one long task."""
    rows = [
        [
            f"{row['package']} {row['version']}",
            row["means"],
            str(row["messages"]),
            _yes(row["system"]),
            _yes(row["task"]),
            str(row["parted"]),
        ]
        for row in _read("long-task.json")
    ]
    head = ("package", "means", "messages left", "system prompt", "task", "pairs parted")
    return str(_table(head, rows))


def _yes(so: bool) -> str:
    return "yes" if so else "**no**"


def _read(name: str) -> Any:
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def _budgets(result: Row) -> Sequence[int]:
    return list(dict.fromkeys(row["budget"] for row in result["rows"]))


def _row(result: Row, name: str, budget: int) -> Row:
    rows: Sequence[Row] = result["rows"]
    return next(row for row in rows if (row["policy"], row["budget"]) == (name, budget))


def _ranges(result: Row, name: str) -> list[str]:
    """Write step survival at each budget, with its interval."""
    rows = [_row(result, name, budget) for budget in _budgets(result)]
    return [f"{share(row['step_survival'])} ({_ends(row, 'step_survival', '–')})" for row in rows]


def _beside_fifo(row: Row) -> str:
    """Write how much of copied text survives, with the interval of the difference to FIFO."""
    kept = share(row["copy_survival"])
    if row["policy"] == "fifo":
        return kept
    return f"{kept} ({_ends(row, 'copy_survival_over_fifo', ' to ')})"


def _ends(row: Row, metric: str, between: str) -> str:
    return between.join(map(share, row["interval"][metric]))


def _below(result: Row) -> str:
    used = result["settings"]
    versions = ", ".join(f"{name} {of}" for name, of in used["versions"].items() if of)
    sums = f"{count(result['traces'])} sessions, {count(result['steps'])} steps that need something"
    return (
        f"\n{sums}; in brackets 95 % intervals over tasks. Spans are cut from long texts, and are "
        'not the default (`granularity="span"`); `lre` in whole units is from '
        "[replay](replay.md), over the same logs.\n\n"
        f"`{used['command']}`\n\n{used['date']}, {versions}.\n"
    )
