"""The report of retention: what of the evidence stays within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lre.bench.canvas import svg
from lre.bench.conversations.report_parts import Line, Page, Plot, Table, Tile, best, cell, found_in
from lre.bench.curves import Chart, curves
from lre.bench.figures import Row, budget_name, count, percent, share

__all__ = ["page"]

_CHARTS = {
    "Evidence kept": (
        Chart("evidence_kept", "share of a question's evidence, mean"),
        "Each curve is a policy and its band the 95 % interval: further up is better, and the "
        "oracle, which knows the questions, shows how much room there is.",
    ),
    "Questions whole": (
        Chart("questions_whole", "share of questions"),
        "The same for questions all of whose evidence is kept: a question that lacks a piece "
        "counts as lost.",
    ),
}
_KINDS = {"budgets in tokens": False, "budgets in percent": True}
_UNITS = dict(zip(_KINDS, ("tokens", "% of the conversation's own tokens"), strict=True))
_COLUMNS = {
    "evidence_kept": ("evidence kept", "mean share of a question's evidence", share),
    "questions_whole": ("questions whole", "questions whose evidence is kept whole", share),
    "misses_removed": ("misses removed", "of FIFO's questions not whole, those saved", percent),
    "units_mean": ("units", "units kept, mean of the conversations", count),
    "tokens_mean": ("tokens", "tokens kept, mean of the conversations", count),
}


def page(result: Mapping[str, Any]) -> Page:
    """Lay out what ``lre bench retain --json`` prints."""
    groups = _groups(result["rows"])
    columns = [(head, says) for head, says, _ in _COLUMNS.values()]
    says = "Small figures are 95 % intervals; the best policy of each budget is marked."
    lines = {budget_name(budget): _lines(rows) for budget, rows in groups.items()}
    return Page(
        "Retention: what stays of what later questions are about",
        f"{found_in(result)} At the end of each conversation what fits the budget is chosen from "
        "all of it, before any question is known; then the evidence of each question is looked for "
        f"in what is left. {count(result['with_evidence'])} questions have evidence.",
        "Evidence that the best policy keeps at each budget:",
        [tile for budget, rows in groups.items() for tile in _tiles(budget, rows)],
        [list(_plots(result["rows"]))],
        [Table("All figures", says, columns, lines)],
    )


def _groups(rows: Sequence[Row]) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["budget"], []).append(row)
    return groups


def _tiles(budget: object, rows: Sequence[Row]) -> Iterator[Tile]:
    of = {row["policy"]: row for row in rows}
    names = best({name: row["evidence_kept"] for name, row in of.items()})
    for name in names[:1]:
        figure, between = cell(of[name], "evidence_kept", share)
        others = [other for other in ("fifo", "oracle") if other in of and other != name]
        beside = [f"{other} {cell(of[other], 'evidence_kept', share)[0]}" for other in others]
        yield Tile(budget_name(budget), figure, " = ".join(names), [between, *beside])


def _lines(rows: Sequence[Row]) -> list[Line]:
    first = best({row["policy"]: row["evidence_kept"] for row in rows})
    return [
        Line(
            row["policy"],
            [cell(row, metric, write) for metric, (_, _, write) in _COLUMNS.items()],
            row["policy"] in first,
        )
        for row in rows
    ]


def _plots(rows: Sequence[Row]) -> Iterator[Plot]:
    whole = [{**row, "granularity": "unit"} for row in rows]
    for title, (chart, says) in _CHARTS.items():
        drawn = {kind: curves(chart, whole, relative) for kind, relative in _KINDS.items()}
        some = {kind: figure for kind, figure in drawn.items() if figure}
        for kind, figure in some.items():
            name = f"{title}, {kind}" if len(some) > 1 else title
            figure.axes[0].set_xlabel(f"the most that is kept, {_UNITS[kind]}")
            yield Plot(name, says, svg(figure, f"{chart.metric}{list(_KINDS).index(kind)}", name))
