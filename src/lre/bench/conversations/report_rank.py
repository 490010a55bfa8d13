"""The report of a ranking: who ranks evidence best, where, and learnt from what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lre.bench.canvas import svg
from lre.bench.conversations.plots import AUC, RECOVERED, Point, dots, faces, ridges, strips
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
from lre.bench.figures import percent, share

__all__ = ["page"]

Result = Mapping[str, Any]
_SINGLY = 20  # conversations: more are shown as a distribution
_QUANTILES = (5, 25, 50, 75, 95)


def page(result: Result) -> Page:
    """Lay out what ``lre bench rank --json`` prints."""
    return Page(
        "Ranking: who finds what later questions are about",
        f"{found_in(result)} Each policy scores every unit before any question is known. AUC is "
        "the chance that a unit of evidence scores above another: 0.5 is a coin's, 1 is perfect.",
        "Macro-AUC of the best policy, and what of the lead over chance is left where a scorer "
        "learns without annotation:",
        list(_tiles(result)),
        [list(_plots(result))],
        [_table(result), _conversations(result["per_conversation"])],
    )


def _tiles(result: Result) -> Iterator[Tile]:
    aucs = result["macro_auc"]
    names = best(aucs)
    for name in names[:1]:
        rivals = [base for base in result["lead"] if base != name]
        leads = [f"{_signed(result['lead'][base][name]['value'])} over {base}" for base in rivals]
        figure, between = _figure(result, "macro_auc", name, share)
        yield Tile("macro-AUC", figure, " = ".join(names), [between, *leads])
    for name, value in result["recoveries"].items():
        if value is not None:
            figure, between = _figure(result, "recoveries", name, percent)
            yield Tile("recovered", figure, name, [between])


def _figure(result: Result, of: str, name: str, write: Any) -> Cell:
    row = {of: result[of][name], "interval": {of: result["interval"][of].get(name)}}
    return cell(row, of, write)


def _signed(value: float) -> str:
    return f"+{share(value)}" if value > 0 else share(value)


def _points(result: Result, of: str) -> list[Point]:
    """Give what is known, the best first."""
    known = {name: value for name, value in result[of].items() if value is not None}
    ends = {name: tuple(pair) for name, pair in result["interval"][of].items() if pair}
    ordered = sorted(known, key=lambda name: -known[name])
    return [Point(name, known[name], ends.get(name)) for name in ordered]


def _plots(result: Result) -> Iterator[Plot]:
    shown, points = faces(result["macro_auc"]), _points(result, "macro_auc")
    title = "Macro-AUC by policy"
    says = "Each dot is the mean over conversations and its line the 95 % interval: further right "
    says += "is better, and what lies left of the dotted line ranks worse than chance."
    yield Plot(title, says, svg(dots({"": points}, AUC, shown), "macro", title))
    values = {point.policy: result["per_conversation"][point.policy] for point in points}
    yield _spread(values, shown)
    recovered = _points(result, "recoveries")
    if recovered:
        title = "Learnt without annotation"
        says = "Each dot is the share of a supervised scorer's lead over chance that the same "
        says += "scorer reaches when it learns from logs alone, and its line the 95 % interval."
        figure = dots({"": recovered}, RECOVERED, shown)
        yield Plot(title, says, svg(figure, "recovery", title))


def _spread(values: Mapping[str, Sequence[float]], shown: Any) -> Plot:
    """Show every conversation, or where there are many how they are spread."""
    title = "AUC in each conversation"
    if max(map(len, values.values()), default=0) <= _SINGLY:
        says = "Each dot is a conversation and each bar their mean: the closer the dots, the less "
        says += "depends on whose conversation it is."
        return Plot(title, says, svg(strips(values, AUC, shown), "each", title))
    says = "Each hill, all of one height, shows where a policy's conversations lie and each bar "
    says += "their mean: further right is better."
    return Plot(title, says, svg(ridges(values, AUC, shown), "each", title))


def _table(result: Result) -> Table:
    columns = [("macro-AUC", "mean of the conversations' AUC")]
    columns += [(f"over {base}", f"macro-AUC less that of {base}") for base in result["lead"]]
    columns += [("recovery", "of a supervised scorer's lead over chance")]
    columns += [("worst fold", "the least mean of a fold"), ("best fold", "the largest")]
    first = best(result["macro_auc"])
    lines = [Line(name, _cells(result, name), name in first) for name in result["macro_auc"]]
    return Table("All figures", "Small figures are 95 % intervals.", columns, {"": lines})


def _cells(result: Result, name: str) -> list[Cell]:
    leads = [result["lead"][base].get(name) for base in result["lead"]]
    over = [
        cell({"lead": lead["value"], "interval": {"lead": lead["interval"]}}, "lead", share)
        if lead
        else ("", "")
        for lead in leads
    ]
    recovered = name in result["recoveries"]
    recovery = _figure(result, "recoveries", name, percent) if recovered else ("", "")
    folds = result["folds"][name]
    ends = [(share(min(folds)), ""), (share(max(folds)), "")]
    return [_figure(result, "macro_auc", name, share), *over, recovery, *ends]


def _conversations(values: Mapping[str, Sequence[float]]) -> Table:
    """Give every conversation a column, or where there are many the quantiles."""
    many = max(map(len, values.values()), default=0)
    if many <= _SINGLY:
        columns = [(str(i + 1), f"conversation {i + 1}") for i in range(many)]
        rows = values
        says = "AUC by conversation, in the order of the file."
    else:
        columns = [(f"{q} %", f"{q} % of the conversations are below") for q in _QUANTILES]
        rows = {name: np.percentile(some, _QUANTILES).tolist() for name, some in values.items()}
        says = f"AUC that so many of the {many:,} conversations stay below."
    lines = [Line(name, [(share(value), "") for value in some]) for name, some in rows.items()]
    return Table("Conversation by conversation", says, columns, {"": lines})
