"""One curve a policy: over the budgets, or over the tokens shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from lre.bench.canvas import LINE, PAPER, RULE, SOFT, Look, blank, looks, room
from lre.bench.figures import Row, amount, count, interval, is_relative, is_whole, share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Chart", "curves", "spread"]

_LEADER = {"arrowstyle": "-", "color": RULE, "shrinkA": 2, "shrinkB": 4, "relpos": (0, 0.5)}


class _End(NamedTuple):
    """Where a curve ends, in data, and the label that belongs there."""

    x: float
    y: float
    name: str
    colour: str


@dataclass(frozen=True)
class Chart:
    """One curve a policy, over the budgets or over the tokens shown."""

    metric: str
    label: str
    by_cost: bool = False

    def knows(self, row: Row) -> bool:
        """Tell whether a row has what a point needs."""
        return row[self.metric] is not None and not (self.by_cost and row["tokens_mean"] is None)

    def x(self, row: Row) -> float:
        """Give the place of a row: its budget in tokens or percent, or the tokens shown."""
        return float(row["tokens_mean"]) if self.by_cost else amount(row["budget"])

    def band(self, row: Row) -> tuple[float, float]:
        """Give the interval; by cost, or where there is none, the figure twice."""
        y = row[self.metric]
        return (y, y) if self.by_cost else interval(row, self.metric) or (y, y)


def curves(chart: Chart, rows: Sequence[Row], relative: bool) -> Figure | None:
    """Draw every policy's curve over the budgets of one kind, if there are any."""
    known = list(filter(chart.knows, rows))
    budgeted = [r for r in known if not is_whole(r) and is_relative(r["budget"]) == relative]
    if not budgeted:
        return None
    shown = looks(rows)
    names = [look.name for look in shown.values()]
    figure, axes = blank(max(16, len(names) + 2), 2, [".00"], names)
    _cost_axis(axes) if chart.by_cost else _budget_axis(axes, [r["budget"] for r in budgeted])
    ends = [_curve(axes, chart, mine, look) for look, mine in _by_look(budgeted, shown)]
    whole = next(filter(is_whole, known), None)
    stop = chart.x(whole) if whole and chart.by_cost else None
    if whole and stop:
        _star(axes, stop, whole[chart.metric])
    elif whole:
        ends.append(_line(axes, whole[chart.metric]))
    _share_axis(axes, chart.label)
    _name(axes, ends, stop)
    return figure


def _by_look(
    rows: Sequence[Row], shown: Mapping[tuple[str, str], Look]
) -> Iterator[tuple[Look, list[Row]]]:
    for key, look in shown.items():
        mine = [row for row in rows if (row["policy"], row["granularity"]) == key]
        if mine:
            yield look, mine


def _curve(axes: Axes, chart: Chart, rows: Sequence[Row], look: Look) -> _End:
    """Draw one policy's curve with its band, and tell where it ends."""
    rows = sorted(rows, key=chart.x)
    x, y = [chart.x(row) for row in rows], [row[chart.metric] for row in rows]
    low, high = zip(*map(chart.band, rows), strict=True)
    alpha = 0.16 if look.strong else 0.08
    axes.fill_between(x, low, high, color=look.colour, alpha=alpha, linewidth=0)
    if len(rows) == 1:
        axes.vlines(x, low, high, color=look.colour, alpha=0.3, linewidth=3)
    (line,) = axes.plot(x, y, look.marker, color=look.colour, clip_on=False, markersize=4.5)
    line.set(linestyle=(0, (4, 2)) if look.dashed else "-", linewidth=2.2 if look.strong else 1.2)
    line.set_markerfacecolor(PAPER if look.dashed else look.colour)
    return _End(x[-1], y[-1], look.name, look.colour)


def _line(axes: Axes, y: float) -> _End:
    """Draw the whole history, which no budget applies to, beside curves over budgets."""
    axes.axhline(y, color=SOFT, linewidth=1, linestyle=(0, (1, 2)))
    return _End(axes.get_xlim()[1], y, "full", SOFT)


def _star(axes: Axes, x: float, y: float) -> None:
    """Draw the whole history, which has one cost, beside curves over costs."""
    axes.plot(x, y, "*", color=SOFT, clip_on=False, markersize=8)
    paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
    text = axes.annotate("full", (x, y), (0, 7), textcoords="offset points", ha="center")
    text.set(color=SOFT, bbox=paper, zorder=4)


def _budget_axis(axes: Axes, budgets: Sequence[object]) -> None:
    """Show the budgets that were asked for, each a doubling as wide as the next."""
    places = sorted({amount(budget) for budget in budgets})
    axes.set_xscale("log", base=2)
    axes.set_xticks(places, [f"{place:,.10g}" for place in places])
    axes.minorticks_off()
    axes.set_xlim(places[0] / 1.1, places[-1] * 1.1)
    unit = "% of the trace's own tokens" if is_relative(budgets[0]) else "tokens"
    axes.set_xlabel(f"older budget, {unit}")


def _cost_axis(axes: Axes) -> None:
    axes.xaxis.set_major_formatter(lambda value, _: count(value))
    axes.set_xlabel("tokens shown, mean of the steps")


def _share_axis(axes: Axes, label: str) -> None:
    """Begin where the figures begin: the differences count, and they are small."""
    from matplotlib.ticker import MaxNLocator

    low, high = (min(max(end, 0.0), 1.0) for end in axes.get_ylim())
    even = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    ticks = [tick for tick in even if low <= tick <= high]
    digits = max(len(f"{tick:.6g}".partition(".")[2]) for tick in ticks)
    axes.set_ylim(low, high)
    axes.set_yticks(ticks, [share(tick, digits) for tick in ticks])
    axes.grid(axis="y")
    axes.set_title(label, loc="left", color=SOFT, fontsize="medium", pad=12)


def _name(axes: Axes, ends: Sequence[_End], stop: float | None) -> None:
    """Write the name of each curve at its right end, moved apart where they would meet.

    At `stop` there is something else that the names must not hide.
    """
    names = [end.name for end in ends]
    places = axes.transData.transform([(end.x, end.y) for end in ends])
    right = max(x for x, _ in places) + 14
    if stop is not None and axes.transData.transform((stop, 1))[0] < right + room(names):
        right = axes.bbox.x1 + 14
    heights = spread([y for _, y in places], LINE - 1, axes.bbox.y1 + LINE)
    for end, height in zip(ends, heights, strict=True):
        axes.annotate(
            end.name,
            (end.x, end.y),
            (right, height),
            textcoords="figure points",
            color=end.colour,
            va="center",
            arrowprops=_LEADER,
            annotation_clip=False,
        )


def spread(wanted: Sequence[float], gap: float, top: float) -> list[float]:
    """Move labels apart, at least `gap` from one to the next, none above `top`.

    >>> spread([10, 11, 50], gap=5, top=52)
    [10, 15, 50]
    >>> spread([50, 49], gap=5, top=52)
    [52, 47]
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed, floor, ceiling = list(wanted), -inf, top
    for place in order:
        placed[place] = max(placed[place], floor)
        floor = placed[place] + gap
    for place in reversed(order):
        placed[place] = min(placed[place], ceiling)
        ceiling = placed[place] - gap
    return placed
