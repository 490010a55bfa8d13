"""One trace under one policy, as bars and marks of a grid: what stayed, what was missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lre.bench.figures import budget_name

__all__ = ["Bar", "Lane", "Mark", "Timeline", "runs", "timelines"]

_KINDS = {"k": "kept", "c": "cut", "e": "evicted"}
_PREVIEW, _NAME = 160, 80  # characters


@dataclass(frozen=True)
class Bar:
    """Steps in a row at which a unit fared alike: `x` and `width` are percent of the grid."""

    kind: str
    x: float
    width: float


@dataclass(frozen=True)
class Lane:
    """A unit, and how it fared."""

    role: str
    says: str
    tokens: int
    pinned: bool
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Mark:
    """A step: `x` is percent of the grid."""

    number: int
    message: int
    says: str
    missing: Sequence[str]
    needed: int
    x: float


@dataclass(frozen=True)
class Timeline:
    """The grid of one policy: `step` is the width of a step in percent."""

    name: str
    lanes: Sequence[Lane]
    marks: Sequence[Mark]
    step: float

    @property
    def short(self) -> Sequence[Mark]:
        """The steps at which something was missing."""
        return [mark for mark in self.marks if mark.missing]

    @property
    def asking(self) -> int:
        """How many steps need something."""
        return sum(mark.needed > 0 for mark in self.marks)


def runs(letters: str) -> Iterator[tuple[str, int, int]]:
    """Give each run of the same letter: the letter, where it begins, and its length.

    >>> list(runs("  kke"))
    [(' ', 0, 2), ('k', 2, 2), ('e', 4, 1)]
    """
    start = 0
    for letter, run in groupby(letters):
        length = sum(1 for _ in run)
        yield letter, start, length
        start += length


def timelines(found: Sequence[Mapping[str, Any]]) -> dict[str, list[Timeline]]:
    """Lay out the `timelines` of a result, by trace."""
    traces: dict[str, list[Timeline]] = {}
    for each in found:
        traces.setdefault(str(each["trace"]), []).append(_timeline(each))
    return traces


def _timeline(found: Mapping[str, Any]) -> Timeline:
    steps, units = found["steps"], found["units"]
    step = 100 / max(1, len(steps))
    shown = [each["shown"].ljust(len(units)) for each in steps]
    names = [found["policy"], found["granularity"]]
    if found["budget"] is not None:
        names.append(budget_name(found["budget"]))
    return Timeline(
        ", ".join(map(str, names)),
        [_lane(unit, "".join(s[i] for s in shown), step) for i, unit in enumerate(units)],
        [_mark(each, number, step) for number, each in enumerate(steps)],
        step,
    )


def _lane(unit: Mapping[str, Any], letters: str, step: float) -> Lane:
    bars = [
        Bar(_KINDS[letter], start * step, length * step)
        for letter, start, length in runs(letters)
        if letter in _KINDS
    ]
    return Lane(unit["role"], _line(unit["says"]), unit["tokens"], unit["pinned"], bars)


def _mark(step: Mapping[str, Any], number: int, width: float) -> Mark:
    missing = [_line(name, _NAME) for name in step["missing"]]
    says = _line(step["says"])
    return Mark(number + 1, step["message"], says, missing, step["needed"], number * width)


def _line(text: str, most: int = _PREVIEW) -> str:
    r"""Put a text on one line, and cut it there.

    >>> _line("a  long\ntext", 6)
    'a lon…'
    """
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"
