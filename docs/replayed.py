"""Tables of the saved replays in ``docs/results``, for ``docs/replay.md``.

Each file there is what the command that it names printed with ``--json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["replayed", "table"]

RESULTS = Path(__file__).resolve().parent / "results"
HEAD = (
    "older budget",
    "policy",
    "step survival",
    "misses removed",
    "identifiers",
    "traces",
    "copied text",
    "tokens shown",
    "prefix reuse",
)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def replayed(mode: str) -> str:
    """Write a table for each saved replay of a mode: "fresh", "sticky" or "unseen"."""
    return "\n".join(_section(path) for path in sorted(RESULTS.glob(f"*-{mode}.json")))


def _section(path: Path) -> str:
    result = json.loads(path.read_text(encoding="utf-8"))
    settings = result["settings"]
    versions = ", ".join(f"{name} {version}" for name, version in settings["versions"].items())
    lead = (
        f"`{settings['command']}`\n\n"
        f"{result['traces']:,} traces, {result['steps']:,} actions that need something, "
        f"{result['needed']:,} needed identifiers; {settings['date']}, {versions}, "
        f"{settings['cores']} cores.\n\n"
    )
    return lead + table(HEAD, [_row(row) for row in _ordered(result["rows"])])


def _ordered(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Sort by budget, `full` once at the end."""
    budgets = list(dict.fromkeys(row["budget"] for row in rows))
    some = [row for row in rows if row["policy"] != "full" or row["budget"] == budgets[-1]]
    return sorted(some, key=lambda row: (row["policy"] == "full", budgets.index(row["budget"])))


def _row(row: Mapping[str, Any]) -> list[str]:
    interval = row["interval"]
    budget = "–" if row["policy"] == "full" else f"{row['budget']}"
    kind = ", spans" if row["granularity"] == "span" else ""
    return [
        budget,
        f"`{row['policy']}`{kind}",
        _share(row["step_survival"], interval.get("step_survival")),
        _percent(row["misses_removed"], interval.get("misses_removed")),
        _share(row["identifier_survival"]),
        _share(row["trace_survival"]),
        _share(row["copy_survival"], interval.get("copy_survival")),
        f"{row['tokens_mean']:,.0f}",
        _share(row["prefix_reuse"]),
    ]


def _share(value: float | None, interval: Sequence[float] | None = None) -> str:
    if value is None:
        return "–"
    spread = f" ({_bare(interval[0])}–{_bare(interval[1])})" if interval else ""
    return _bare(value) + spread


def _bare(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def _percent(value: float | None, interval: Sequence[float] | None) -> str:
    if value is None:
        return "–"
    spread = f" ({interval[0]:.0%} to {interval[1]:.0%})" if interval else ""
    return f"{value:.0%}{spread}".replace("%", " %").replace("-", "−")


def cache() -> str:
    """Compare what prompts cost and what they lose, in both modes."""
    rows = []
    for fresh, path in _pairs():
        for row in fresh:
            other = next(r for r in path if _same(r, row))
            rows.append([*_named(row), *_priced(row), *_priced(other)])
    modes = ("anew: step survival", "price", "low: step survival", "price")
    return table(("traces", "older budget", "policy", *modes), rows)


def _pairs() -> list[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    pairs = []
    for path in sorted(RESULTS.glob("*-fresh.json")):
        other = path.with_name(path.name.replace("-fresh", "-sticky"))
        modes = [json.loads(one.read_text(encoding="utf-8")) for one in (path, other)]
        rows = [[{**row, "of": path.name} for row in mode["rows"]] for mode in modes]
        shown = [row for row in rows[0] if _is_shown(row)]
        pairs.append((shown, rows[1]))
    return pairs


def _is_shown(row: Mapping[str, Any]) -> bool:
    return row["policy"] == "fifo" or (row["policy"], row["granularity"]) == ("lre", "span")


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("policy", "granularity", "budget"))


def _named(row: Mapping[str, Any]) -> list[str]:
    kind = ", spans" if row["granularity"] == "span" else ""
    return [row["of"].removesuffix("-fresh.json"), f"{row['budget']}", f"`{row['policy']}`{kind}"]


def _priced(row: Mapping[str, Any]) -> list[str]:
    price = row["tokens_mean"] * (1 - 0.9 * row["prefix_reuse"])
    return [_share(row["step_survival"]), f"{price:,.0f}"]


GOALS: Mapping[str, Mapping[Any, float]] = {
    "tau": {512: 0.65, 1024: 0.80},
    "mini_swe_agent": {"5%": 0.55, "10%": 0.65, "20%": 0.80},
}
"""Misses removed that we set out for, by collection and older budget."""


def goals() -> str:
    """Set what was reached beside what we set out for."""
    rows = []
    for name, wanted in GOALS.items():
        for mode in ("fresh", "sticky", "unseen"):
            result = json.loads((RESULTS / f"{name}-{mode}.json").read_text(encoding="utf-8"))
            ours = [row for row in result["rows"] if _ours(row, wanted)]
            rows += [[name, mode, *_reached(row, wanted)] for row in ours]
    head = ("traces", "mode", "older budget", "goal", "misses removed", "copied text over FIFO")
    return table(head, rows)


def _ours(row: Mapping[str, Any], wanted: Mapping[Any, float]) -> bool:
    return row["policy"] == "lre" and row["granularity"] == "span" and row["budget"] in wanted


def _reached(row: Mapping[str, Any], wanted: Mapping[Any, float]) -> list[str]:
    interval = row["interval"]
    low, high = interval["copy_survival_over_fifo"]
    return [
        f"{row['budget']}",
        f"{wanted[row['budget']]:.0%}".replace("%", " %"),
        _percent(row["misses_removed"], interval.get("misses_removed")),
        f"{low:+.3f} to {high:+.3f}".replace("-", "−"),
    ]
