"""The plots of a report: survival, cost, prefix reuse, and misses removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lre.bench.canvas import INK, Look, blank, looks, style, svg
from lre.bench.curves import Chart, curves
from lre.bench.figures import Row, budget_name, interval, is_whole, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Panel", "plots"]

_LEAST = -1.0  # bars that reach further down are cut, but not their figures


class Panel(NamedTuple):
    """One plot and what it is of."""

    caption: str
    svg: str


_CHARTS = {
    "steps": Chart("step_survival", "step survival, share of steps"),
    "copies": Chart("copy_survival", "copy survival, share of characters"),
    "cost": Chart("step_survival", "step survival, share of steps", by_cost=True),
    "prefix": Chart("prefix_reuse", "prefix reuse, share of prompt tokens"),
}


def plots(rows: Sequence[Row]) -> dict[str, list[Panel]]:
    """Draw the panels of "steps", "copies", "cost", "prefix" and "misses".

    Budgets in tokens and in percent have panels of their own, and each budget has one for
    the misses; a panel without figures is left out.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    with style():
        return {name: list(_panels(name, figures)) for name, figures in _figures(rows)}


def _figures(rows: Sequence[Row]) -> Iterator[tuple[str, dict[str, Figure | None]]]:
    kinds = {"budgets in tokens": False, "budgets in percent of the trace": True}
    for name, chart in _CHARTS.items():
        yield name, {kind: curves(chart, rows, relative) for kind, relative in kinds.items()}
    budgets = dict.fromkeys(row["budget"] for row in rows if not is_whole(row))
    yield "misses", {budget_name(budget): _bars(rows, budget) for budget in budgets}


def _panels(name: str, figures: Mapping[str, Figure | None]) -> Iterator[Panel]:
    for place, (caption, figure) in enumerate(figures.items()):
        if figure:
            yield Panel(caption, svg(figure, f"{name}{place}", f"{name}, {caption}"))


def _bars(rows: Sequence[Row], budget: object) -> Figure | None:
    """Draw what each policy saves of FIFO's misses at one budget, the most on top."""
    known = [r for r in rows if r["budget"] == budget and r["misses_removed"] is not None]
    drawn = sorted(
        (row for row in known if row["policy"] not in ("fifo", "full")),
        key=lambda row: float(row["misses_removed"]),
    )
    if not drawn:
        return None
    shown = looks(rows)
    bars = [shown[row["policy"], row["granularity"]] for row in drawn]
    figure, axes = blank(round(1.4 * len(bars)) + 1, 0, [look.name for look in bars], ["−000 %"])
    for place, (row, look) in enumerate(zip(drawn, bars, strict=True)):
        _bar(axes, place, row, look)
    axes.set_yticks(range(len(bars)), [look.name for look in bars])
    _misses_axis(axes)
    return figure


def _bar(axes: Axes, place: int, row: Row, look: Look) -> None:
    value = row["misses_removed"]
    low, high = interval(row, "misses_removed") or (value, value)
    alpha = 0.15 if look.dashed or row["policy"] == "oracle" else 0.4
    axes.barh(place, value, height=0.7, color=look.colour, alpha=alpha, edgecolor=look.colour)
    axes.hlines(place, low, high, color=look.colour, linewidth=1.6)
    axes.plot(value, place, look.marker, color=look.colour, markersize=4)
    axes.text(1.02, place, percent(value), transform=axes.get_yaxis_transform(), va="center")


def _misses_axis(axes: Axes) -> None:
    low = max(min(axes.get_xlim()[0], 0), _LEAST)
    axes.set_xlim(low, 1)
    axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    axes.axvline(0, color=INK, linewidth=1)
    axes.grid(axis="x")
    axes.set_xlabel("share of FIFO's failed steps that survive")
