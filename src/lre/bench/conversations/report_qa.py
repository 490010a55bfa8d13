"""The report of answers: what a reader answers from what is kept, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lre.bench.canvas import svg
from lre.bench.conversations.plots import F1, Point, dots, faces
from lre.bench.conversations.report_parts import (
    Cell,
    Line,
    Page,
    Plot,
    Table,
    Tile,
    best,
    cell,
    found_in,
)
from lre.bench.curves import Chart, curves
from lre.bench.figures import Row, budget_name, count, interval, share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["page"]

Result = Mapping[str, Any]
_COST = Chart("f1", "token F1, mean of the questions", by_cost=True)
_COLUMNS = {
    "f1": ("F1", "token F1, mean of the questions", share),
    "questions": ("questions", "compared, the same for every policy", count),
    "prompt_tokens_mean": ("prompt tokens", "as the reader counts them, mean", count),
    "tokens_mean": ("tokens", "tokens kept, mean of the questions", count),
    "units_mean": ("units", "units kept, mean of the questions", count),
    "too_long": ("too long", "prompts that the reader could not take", count),
}


def page(result: Result) -> Page:
    """Lay out what ``lre bench qa --json`` prints."""
    settings, groups = result["settings"], _groups(result["rows"])
    lines = {_limit(result, name): _lines(result, rows) for name, rows in groups.items()}
    columns = [(head, says) for head, says, _ in _COLUMNS.values()]
    columns.insert(1, ("over the next", "F1 less that of the policy that does next best"))
    says = "Small figures are 95 % intervals; the best policy that has a budget is marked."
    return Page(
        "Answers: what a reader makes of what is kept",
        f"{found_in(result)} {settings['model']} is shown what each policy keeps, and asked. "
        "F1 compares the words of its answer with those of the right one.",
        "F1 of the best policy that has a budget:",
        [tile for name, rows in groups.items() for tile in _tiles(result, name, rows)],
        [list(_plots(result, groups)), list(_kinds(result, groups))],
        [Table("All figures", says, columns, lines), *_categories(result, groups)],
    )


def _groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["setting"], []).append(row)
    return groups


def _limit(result: Result, setting: str) -> str:
    return f"{budget_name(result['settings']['keep'])} of the {setting}"


def _tiles(result: Result, setting: str, rows: Sequence[Row]) -> Iterator[Tile]:
    of = {row["policy"]: row for row in rows}
    names = best({name: row["f1"] for name, row in of.items()})
    for name in names[:1]:
        figure, between = cell(of[name], "f1", share)
        others = [other for other in ("fifo", "full", "oracle") if other in of and other != name]
        beside = [f"{other} {cell(of[other], 'f1', share)[0]}" for other in others]
        yield Tile(_limit(result, setting), figure, " = ".join(names), [between, *beside])


def _lines(result: Result, rows: Sequence[Row]) -> list[Line]:
    first = best({row["policy"]: row["f1"] for row in rows})
    made = []
    for row in rows:
        cells = [cell(row, metric, write) for metric, (_, _, write) in _COLUMNS.items()]
        cells.insert(1, _lead(result, row))
        made.append(Line(row["policy"], cells, row["policy"] in first))
    return made


def _lead(result: Result, row: Row) -> Cell:
    """Give the lead over the next; the leads of a policy begin with it."""
    keys = ("policy", "setting")
    ours = [lead for lead in result["leads"] if all(lead[key] == row[key] for key in keys)]
    if not ours:
        return "", ""
    lead = {"lead": ours[0]["value"], "interval": {"lead": ours[0]["interval"]}}
    return cell(lead, "lead", share)


def _points(figures: Mapping[str, Row]) -> list[Point]:
    """Give what is known, the best first."""
    known = {name: row for name, row in figures.items() if row["f1"] is not None}
    ordered = sorted(known, key=lambda name: -known[name]["f1"])
    return [Point(name, known[name]["f1"], interval(known[name], "f1")) for name in ordered]


def _plots(result: Result, groups: Mapping[str, Sequence[Row]]) -> Iterator[Plot]:
    shown = faces(row["policy"] for row in result["rows"])
    for setting, rows in groups.items():
        points = _points({row["policy"]: row for row in rows})
        if points:
            title = f"F1 at {_limit(result, setting)}"
            says = "Each dot is the mean over questions and its line the 95 % interval: further "
            says += "right is better; the oracle and the full history are for reference only."
            yield Plot(title, says, svg(dots({"": points}, F1, shown), f"f1{setting}", title))
    yield from _plane(result["rows"])


def _kinds(result: Result, groups: Mapping[str, Sequence[Row]]) -> Iterator[Plot]:
    """Draw each setting once more, by category."""
    shown = faces(row["policy"] for row in result["rows"])
    for setting, rows in groups.items():
        some = {_counted(rows, name): _points(_of(rows, name)) for name in _names(rows)}
        if some:
            title = f"F1 by category, {_limit(result, setting)}"
            says = (
                "Each dot is the mean over questions of one kind: where these are few, the lines "
            )
            says += "are long or missing, and little can be told."
            yield Plot(title, says, svg(dots(some, F1, shown), f"by{setting}", title))


def _plane(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw answers against tokens, once for all settings."""
    figure = curves(_COST, [{**row, "granularity": "unit", "budget": "0%"} for row in rows], True)
    if figure:
        title = "Answers against tokens"
        says = (
            "Each curve is a policy and each of its dots a limit, placed by the tokens that were "
        )
        says += "kept: further up and to the left is better."
        yield Plot(title, says, _placed(figure, title))


def _placed(figure: Figure, title: str) -> str:
    figure.axes[0].set_xlabel("tokens kept, mean of the questions")
    return svg(figure, "plane", title)


def _names(rows: Sequence[Row]) -> list[str]:
    return sorted({name for row in rows for name in row["by_category"]})


def _of(rows: Sequence[Row], category: str) -> dict[str, Row]:
    return {r["policy"]: r["by_category"][category] for r in rows if category in r["by_category"]}


def _counted(rows: Sequence[Row], category: str) -> str:
    asked = next(iter(_of(rows, category).values()))["questions"]
    return f"{category or 'no category'}, {count(asked)} question{'s' * (asked != 1)}"


def _categories(result: Result, groups: Mapping[str, Sequence[Row]]) -> Iterator[Table]:
    for setting, rows in groups.items():
        names = _names(rows)
        if names:
            says = "F1; small figures are 95 % intervals."
            title = f"By category, {_limit(result, setting)}"
            columns = [(_counted(rows, name), "category of the questions") for name in names]
            lines = [Line(row["policy"], _by_category(row, names)) for row in rows]
            yield Table(title, says, columns, {"": lines})


def _by_category(row: Row, names: Sequence[str]) -> list[Cell]:
    return [cell(row["by_category"].get(name, {}), "f1", share) for name in names]
