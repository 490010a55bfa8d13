"""What the reports of the studies of conversations consist of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lre.bench.figures import Row, count, interval

__all__ = ["REFERENCE", "Cell", "Line", "Page", "Plot", "Table", "Tile", "best", "cell", "found_in"]

REFERENCE = ("full", "oracle")
"""What is shown beside the policies and does not compete."""

Cell = tuple[str, str]
"""A figure and its interval, each as it is written; "" where there is none."""


class Plot(NamedTuple):
    """A plot, what it is of, and how it is read."""

    title: str
    says: str
    svg: str


class Tile(NamedTuple):
    """A figure that stands out: what it is of, the figure, whose it is, and what is beside it."""

    of: str
    figure: str
    whose: str
    beside: Sequence[str]


class Line(NamedTuple):
    """A row of a table."""

    name: str
    cells: Sequence[Cell]
    best: bool = False

    @property
    def reference(self) -> bool:
        """Whether this is shown for reference only."""
        return self.name in REFERENCE


class Table(NamedTuple):
    """Rows in groups; `columns` are what a column is called, and what it says."""

    title: str
    says: str
    columns: Sequence[tuple[str, str]]
    groups: Mapping[str, Sequence[Line]]


@dataclass(frozen=True)
class Page:
    """A report: what it is of, what stands out, plots, and all figures."""

    title: str
    lead: str
    standing_out: str
    tiles: Sequence[Tile]
    plots: Sequence[Sequence[Plot]]
    tables: Sequence[Table]


def cell(row: Row, metric: str, write: Callable[[float], str]) -> Cell:
    """Write a figure of a row and its interval.

    >>> cell({"f1": 0.25, "interval": {"f1": [0.2, 0.3]}}, "f1", "{:.2f}".format)
    ('0.25', '0.20 – 0.30')
    >>> cell({"f1": None}, "f1", "{:.2f}".format)
    ('–', '')
    """
    value, ends = row.get(metric), interval(row, metric)
    return ("–" if value is None else write(value)), (" – ".join(map(write, ends)) if ends else "")


def best(values: Mapping[str, float | None]) -> list[str]:
    """Name the policies that no other beats; the references do not compete.

    >>> best({"fifo": 0.2, "lre": 0.4, "oracle": 0.9})
    ['lre']
    """
    rivals = {n: v for n, v in values.items() if v is not None and n not in REFERENCE}
    return [name for name, value in rivals.items() if value == max(rivals.values())]


def found_in(result: Row) -> str:
    """Say what the figures of a study are of."""
    return (
        f"{result['dataset']}: {count(result['conversations'])} conversations, "
        f"{count(result['units'])} units, {count(result['positives'])} of them evidence; "
        f"{count(result['questions'])} questions."
    )
