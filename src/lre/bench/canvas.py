"""Colours and shapes of the plots, an empty one, and how it becomes SVG inside a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from lre.bench.figures import Row, is_whole
from lre.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "INK",
    "LINE",
    "PAPER",
    "RULE",
    "SOFT",
    "Look",
    "blank",
    "looks",
    "room",
    "style",
    "svg",
]

INK, SOFT, RULE, PAPER, _BLUE = "#1f2328", "#5d6470", "#d9dbde", "#fdfdfb", "#0b5fa5"
_HUES = ("#b3430c", "#0a7355", "#8a4a80", "#7a5d00", "#1d7088", "#96393a", "#56607a")
_DARK = ("#e8e6e1", "#a3a9b3", "#3a3f47", "#15181c", "#6cb4f0")
_DARK_HUES = ("#ff9566", "#4cc9a0", "#d99bd0", "#d9b34a", "#5fc4dd", "#f08a8b", "#a9b4cf")

COLOURS: Mapping[str, str] = dict(
    zip((INK, SOFT, RULE, PAPER, _BLUE, *_HUES), (*_DARK, *_DARK_HUES), strict=True)
)
"""Each colour of the light page, and what stands for it on the dark one."""

LINE = 12
"""Height of a line of text, in points."""

_WIDTH, _BOTTOM, _LETTER = 400, 38, 5.6
_FIXED = {"lre": (_BLUE, "o"), "fifo": (INK, "s"), "oracle": (SOFT, "P")}
_MARKERS = "D^vX<>pdh"
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "lre",
    "text.parse_math": False,
    "font.size": 9,
    "figure.dpi": 72,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "text.color": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "ytick.major.size": 0,
    **dict.fromkeys(("xtick.color", "ytick.color", "axes.edgecolor", "axes.labelcolor"), SOFT),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "axes.spines.left"), False),
}


@dataclass(frozen=True)
class Look:
    """How a policy in one granularity is named and drawn, the same in every plot."""

    name: str
    colour: str
    marker: str
    dashed: bool
    strong: bool


def looks(rows: Iterable[Row]) -> dict[tuple[str, str], Look]:
    """Give each (policy, granularity) its look, in order of appearance."""
    keys = list(dict.fromkeys((r["policy"], r["granularity"]) for r in rows if not is_whole(r)))
    others = list(dict.fromkeys(policy for policy, _ in keys if policy not in _FIXED))
    often = Counter(policy for policy, _ in keys)
    return {(p, g): _look(p, g, others, often[p] > 1) for p, g in keys}


def _look(policy: str, granularity: str, others: Sequence[str], several: bool) -> Look:
    place = others.index(policy) if policy in others else 0
    cycled = _HUES[place % len(_HUES)], _MARKERS[place % len(_MARKERS)]
    colour, marker = _FIXED.get(policy, cycled)
    return Look(
        name=f"{policy} {granularity}" if several else policy,
        colour=colour,
        marker=marker,
        dashed=several and granularity == "unit",
        strong=policy == "lre",
    )


def style() -> AbstractContextManager[None]:
    """Draw alike on every machine while this is entered.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib import style as styles
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plots") from error
    return styles.context(["default", _STYLE])


def room(names: Iterable[str]) -> float:
    """Give the width that the longest of these labels takes, in points, with its margins."""
    return 16 + _LETTER * max(map(len, names))


def blank(lines: int, top: int, left: Iterable[str], right: Iterable[str]) -> tuple[Figure, Axes]:
    """Give an empty plot of so many lines, with room for lines above and labels beside it."""
    from matplotlib.figure import Figure

    before, after = map(room, (left, right))
    height, down = lines * LINE, (lines + top) * LINE + _BOTTOM
    figure = Figure(figsize=(_WIDTH / 72, down / 72))
    box = (before / _WIDTH, _BOTTOM / down, 1 - (before + after) / _WIDTH, height / down)
    return figure, figure.add_axes(box)


def svg(figure: Figure, name: str, label: str) -> str:
    """Write a figure as an element of a page: its own ids begin with `name`."""
    stream = StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(stream, format="svg", metadata=nothing)
    body = stream.getvalue().partition("<svg")[2].partition(">")[2]
    for mark in ('id="', 'href="#', "url(#"):
        body = body.replace(mark, f"{mark}{name}-")
    for colour in COLOURS:
        body = body.replace(colour, f"var(--c{colour[1:]})")
    width, height = figure.get_size_inches() * 72
    head = f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}">'
    return head + body.strip()
