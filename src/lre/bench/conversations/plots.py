"""Plots of the studies of conversations: one line a policy, dots with intervals, distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lre.bench.canvas import INK, SOFT, Look, blank, looks
from lre.bench.figures import Row, percent, share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["AUC", "F1", "RECOVERED", "Axis", "Point", "dots", "faces", "ridges", "strips"]

_BINS = 20  # of a distribution, over 0 to 1
_TALL, _GROUP = 1.4, 0.8  # lines of text that a policy takes, and that a group's name takes more


class Point(NamedTuple):
    """A figure of a policy, with its interval where there is one."""

    policy: str
    value: float
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Axis:
    """What is measured, how figures and ticks are written, and a place that a line marks."""

    label: str
    tell: Callable[[float], str]
    tick: Callable[[float], str]
    mark: float


def _short(value: float) -> str:
    return share(value, 2)


AUC = Axis("area under the ROC curve; the line is chance", share, _short, 0.5)
RECOVERED = Axis("share of what gold evidence teaches; the line is all of it", percent, percent, 1)
F1 = Axis("token F1", share, _short, 0)


def faces(policies: Iterable[str]) -> dict[str, Look]:
    """Give each policy its look, the same in every plot of a page.

    >>> [look.colour for look in faces(["fifo", "lre"]).values()]
    ['#1f2328', '#0b5fa5']
    """
    names = list(dict.fromkeys(policies))
    rows: list[Row] = [{"policy": name, "granularity": "unit", "budget": ""} for name in names]
    known = {name: look for (name, _), look in looks(rows).items()}
    return {name: known.get(name, Look(name, SOFT, "*", False, False)) for name in names}


def dots(groups: Mapping[str, Sequence[Point]], axis: Axis, shown: Mapping[str, Look]) -> Figure:
    """Draw a dot and its interval for each policy, its figure beside it, the first on top.

    Groups stand below one another under their names; a group without a name has no heading.
    """
    named = [name for name in groups if name]
    points = [point for some in groups.values() for point in some]
    figure, axes = _lines(len(points) * _TALL + len(named) * _GROUP * 2, shown)
    places, top = dict[float, str](), 0.0
    for name, some in groups.items():
        if name:
            _heading(axes, top, name)
        for place, point in enumerate(some, start=2 if name else 1):
            _dot(axes, top + place, point, shown[point.policy], axis)
            places[top + place] = point.policy
        top += len(some) + (1.5 if name else 0)
    _finish(axes, axis, places, top + 0.5)
    return figure


def strips(values: Mapping[str, Sequence[float]], axis: Axis, shown: Mapping[str, Look]) -> Figure:
    """Draw a dot for each conversation, a line of them for each policy, and a bar at the mean."""
    figure, axes = _lines(len(values) * _TALL, shown)
    for place, (name, some) in enumerate(values.items(), start=1):
        axes.plot(some, [place] * len(some), "o", color=shown[name].colour, alpha=0.4, markersize=4)
        _mean(axes, place - 0.32, place + 0.32, some, axis)
    _finish(axes, axis, dict(enumerate(values, start=1)), len(values) + 0.6)
    return figure


def ridges(values: Mapping[str, Sequence[float]], axis: Axis, shown: Mapping[str, Look]) -> Figure:
    """Draw how the conversations spread over 0 to 1 under each policy, and a bar at the mean."""
    figure, axes = _lines(len(values) * 2, shown)
    for place, (name, some) in enumerate(values.items(), start=1):
        counts, edges = np.histogram(some, _BINS, (0, 1))
        hill = axes.stairs(place - 0.85 * counts / counts.max(), edges, baseline=place, fill=True)
        hill.set(color=shown[name].colour, alpha=0.45)
        _mean(axes, place - 0.6, place, some, axis)
    _finish(axes, axis, dict(enumerate(values, start=1)), len(values) + 0.2)
    axes.set(xlim=(0, 1), ylim=(len(values) + 0.2, 0))
    return figure


def _lines(lines: float, shown: Mapping[str, Look]) -> tuple[Figure, Axes]:
    return blank(round(lines) + 1, 0, [look.name for look in shown.values()], ["−000 %"])


def _heading(axes: Axes, top: float, name: str) -> None:
    text = axes.text(0, top + 1.1, name, transform=axes.get_yaxis_transform(), va="center")
    text.set(color=INK, fontweight="bold")


def _dot(axes: Axes, place: float, point: Point, look: Look, axis: Axis) -> None:
    low, high = point.ends or (point.value, point.value)
    width = 2.4 if look.strong else 1.6
    axes.hlines(place, low, high, color=look.colour, linewidth=width, alpha=0.6)
    axes.plot(point.value, place, look.marker, color=look.colour, markersize=6, clip_on=False)
    _figure(axes, place, point.value, axis)


def _mean(axes: Axes, low: float, high: float, values: Sequence[float], axis: Axis) -> None:
    mean = sum(values) / len(values)
    axes.vlines(mean, low, high, color=INK, linewidth=1.8)
    _figure(axes, round(high), mean, axis)


def _figure(axes: Axes, place: float, value: float, axis: Axis) -> None:
    axes.text(1.03, place, axis.tell(value), transform=axes.get_yaxis_transform(), va="center")


def _finish(axes: Axes, axis: Axis, names: Mapping[float, str], bottom: float) -> None:
    axes.set_yticks(list(names), list(names.values()))
    axes.set_ylim(bottom, 0.3)
    axes.axvline(axis.mark, color=SOFT, linewidth=1, linestyle=(0, (1, 2)))
    axes.xaxis.set_major_formatter(lambda value, _: axis.tick(value))
    axes.grid(axis="x")
    axes.set_xlabel(axis.label)
