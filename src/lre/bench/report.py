"""The report of a replay: one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lre.bench.canvas import COLOURS
from lre.bench.figures import (
    Row,
    budget_name,
    count,
    duration,
    interval,
    is_whole,
    percent,
    share,
)
from lre.bench.plots import plots
from lre.bench.timeline import timelines
from lre.errors import MissingExtraError

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["report"]

_REFERENCE = ("full", "oracle")


@dataclass(frozen=True)
class _Column:
    """A column of the table: what it is called, what it says, how its figures are written."""

    metric: str
    head: str
    says: str
    write: Callable[[float], str]


_STEPS = _Column("step_survival", "steps", "steps with all they need in view", share)
_COLUMNS = (
    _Column("identifier_survival", "identifiers", "needed identifiers in view", share),
    _STEPS,
    _Column("trace_survival", "traces", "traces in which every step survives", share),
    _Column("copy_survival", "copies", "characters of needed copied text in view", share),
    _Column("misses_removed", "misses removed", "of FIFO's failed steps, those saved", percent),
    _Column("tokens_mean", "tokens", "tokens shown, mean of the steps", count),
    _Column("tokens_peak", "peak", "tokens shown, at most", count),
    _Column("prefix_reuse", "prefix reuse", "prompt tokens that a cache still holds", share),
    _Column("seconds_per_decision", "per decision", "time that a decision takes", duration),
)


@dataclass(frozen=True)
class _Line:
    """A row of the table: `cells` are a figure and its interval, "" where there is none."""

    policy: str
    granularity: str
    cells: Sequence[tuple[str, str]]
    best: bool
    reference: bool


@dataclass(frozen=True)
class _Best:
    """What the best policy does with one budget, beside FIFO."""

    budget: str
    names: str
    survival: str
    interval: str
    fifo: str
    removed: str


def report(result: Mapping[str, Any]) -> str:
    """Write the page for what `lre bench replay --json` prints.

    The same result gives the same page. `timelines` may be missing; a figure that is None
    shows as a dash.

    Raises
    ------
    MissingExtraError
        If matplotlib or Jinja2 is not installed.
    """
    settings = dict(result["settings"])
    groups = _groups(result["rows"])
    page = _template().render(
        result=result,
        command=settings.pop("command", ""),
        facts={name.replace("_", " "): _fact(value) for name, value in settings.items()},
        columns=_COLUMNS,
        groups={name: _lines(rows) for name, rows in groups.items()},
        bests=[best for name, rows in groups.items() for best in _bests(name, rows)],
        plots=plots(result["rows"]),
        traces=timelines(result.get("timelines") or ()),
        colours=COLOURS,
        count=count,
    )
    return page.encode("utf-8", "replace").decode()  # half a character pair fits no file


def _template() -> Template:
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtraError("jinja2", "plots") from error
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    source = files("lre.bench").joinpath("report.html.j2").read_text(encoding="utf-8")
    return environment.from_string(source)


def _fact(value: object) -> str:
    """Write a setting as a person would.

    >>> _fact(["fifo", "lre"]), _fact({"numpy": "2.4"}), _fact(None)
    ('fifo, lre', 'numpy 2.4', '–')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_fact(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_fact, value))
    return "–" if value is None else str(value)


def _groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Put rows of the same budget together; those of the whole history come once, last."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if not is_whole(row):
            groups.setdefault(budget_name(row["budget"]), []).append(row)
    whole = [row for row in rows if is_whole(row)][:1]
    return {**groups, "whole history": whole} if whole else groups


def _lines(rows: Sequence[Row]) -> list[_Line]:
    best = _best(rows)
    return [
        _Line(
            row["policy"],
            row["granularity"],
            [_cell(row, column) for column in _COLUMNS],
            row in best,
            row["policy"] in _REFERENCE,
        )
        for row in rows
    ]


def _best(rows: Sequence[Row]) -> list[Row]:
    """Give the rows that no other beats in step survival; the references do not compete."""
    rivals = [r for r in rows if r["policy"] not in _REFERENCE and r["step_survival"] is not None]
    top = max((row["step_survival"] for row in rivals), default=None)
    return [row for row in rivals if row["step_survival"] == top]


def _cell(row: Row, column: _Column) -> tuple[str, str]:
    value, ends = row.get(column.metric), interval(row, column.metric)
    between = " – ".join(map(column.write, ends)) if ends else ""
    return ("–" if value is None else column.write(value)), between


def _bests(budget: str, rows: Sequence[Row]) -> Iterator[_Best]:
    best = _best(rows)
    if best:
        survival, between = _cell(best[0], _STEPS)
        fifo = [_cell(row, _STEPS)[0] for row in rows if row["policy"] == "fifo"]
        names = " = ".join(f"{row['policy']}, {row['granularity']}" for row in best)
        removed = best[0]["misses_removed"]
        yield _Best(
            budget,
            names,
            survival,
            between,
            fifo[0] if fifo else "",
            "" if removed is None else percent(removed),
        )
