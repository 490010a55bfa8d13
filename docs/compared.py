"""Tables of ``docs/comparison.md``: what the others are, and how they fare in each study.

The figures are read from ``docs/results``; each file there is what the command that it names
printed with ``--json``.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lre.bench.figures import budget_name, count, percent, share
from lre.bench.loop.plan import SHIPPED
from lre.policies import Originated, names, policy

__all__ = ["compared", "kinds", "looped", "rewritten", "timed"]

RESULTS = Path(__file__).resolve().parent / "results"

Result = Mapping[str, Any]

_table = runpy.run_path(str(Path(__file__).with_name("measured.py")))["table"]


def kinds() -> str:
    """Write where each policy comes from, what a decision costs, and what has to be installed."""
    rows = []
    for name in sorted(names()):
        made = policy(name)
        origin = made.origin if isinstance(made, Originated) else None
        if origin is None or origin.source == "lre":
            continue
        install = f"`lre[{origin.extra}]`" if origin.extra else ""
        rows.append(
            [f"`{name}`", origin.source, origin.cost, "no" if 1 in made.waives else "yes", install]
        )
    return str(_table(("policy", "from", "a decision costs", "verbatim", "needs"), rows))


def compared() -> str:
    """Write one row a policy, with its figure in each study that it took part in."""
    columns = [column for column in map(_column, _COLUMNS) if column]
    every = {name for _, values in columns for name in values if _takes_part(name)}
    rows = [
        [f"`{name}`", *(values.get(name, "") for _, values in columns)] for name in _ordered(every)
    ]
    return str(_table(("policy", *(head for head, _ in columns)), rows))


def _takes_part(name: str) -> bool:
    """Tell policies, with the scorer that ships or another, from variants of one study."""
    return name.removesuffix(SHIPPED) in {*names(), "oracle"}


def looped() -> str:
    """Write what each policy completes in the closed loop, at every budget and level."""
    result = _read(RESULTS / "loop.json")
    levels = list(dict.fromkeys(row["level"] for row in result["rows"]))
    head = [f"{level}: {what}" for level in levels for what in ("success", "× fewest")]
    made: dict[tuple[str, str], list[str]] = {}
    for row in (row for row in result["rows"] if row["budget"] is not None):
        key = budget_name(row["budget"]), f"`{row['policy']}`{_kind(row)}"
        ends = " to ".join(percent(end) for end in row["interval"]["success"])
        cells = f"{percent(row['success'])} ({ends})", f"{row['steps'] / row['fewest']:.2f}"
        made.setdefault(key, []).extend(cells)
    rows = [[*key, *cells] for key, cells in sorted(made.items(), key=lambda one: _share(one[0]))]
    return str(_table(("budget", "policy", *head), rows)) + _below(result)


def rewritten() -> str:
    """Write what compressors lost in a replay, and what they made up, for each saved one."""
    return "\n".join(
        _replay(result) for result in map(_read, sorted(RESULTS.glob("replay-*.json")))
    )


def timed() -> str:
    """Write how fast each policy is, and which were skipped for what reason."""
    result = _read(RESULTS / "speed.json")
    head = ("policy", "units a second", "times `dense`", "with choosing", "by counting", "growth")
    rows = [
        [
            f"`{row['policy']}`",
            _number(row["units_per_second"]),
            _number(row["ratio_to_dense"]),
            _number(row["units_per_second_with_choice"]),
            _number(row["time_to_counting"]),
            _number(row["growth"]),
        ]
        for row in result["rows"]
    ]
    skipped = [f"- `{one['policy']}`: {_brief(one['reason'])}" for one in result["skipped"]]
    left = "\nSkipped:\n\n" + "\n".join(skipped) + "\n" if skipped else ""
    return f"{_table(head, rows)}{left}{_below(result)}"


def _brief(reason: str) -> str:
    """Leave out what a package said."""
    start, _, rest = reason.partition(" (")
    return start + rest.rpartition(")")[2]


def _read(path: Path) -> Result:
    found: Result = json.loads(path.read_text(encoding="utf-8"))
    return found


def _ordered(found: set[str]) -> list[str]:
    ours = [name for name in found if name.startswith("lre")]
    return [*sorted(found - {*ours}), *sorted(ours)]


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return count(value) if value >= 100 else f"{value:.3g}"


def _below(result: Result) -> str:
    used = result["settings"]
    versions = ", ".join(f"{name} {of}" for name, of in used["versions"].items() if of)
    return f"\n`{used['command']}`\n\n{used['date']}, {versions}.\n"


def _ranks(result: Result) -> dict[str, str]:
    return {name: share(value) for name, value in result["macro_auc"].items()}


def _keeps(result: Result) -> dict[str, str]:
    rows = [row for row in result["rows"] if budget_name(row["budget"]) == budget_name("20%")]
    return {row["policy"]: share(row["evidence_kept"]) for row in rows}


def _survives(result: Result) -> dict[str, str]:
    middle = result["settings"]["budgets"][1] if "budgets" in result["settings"] else 1024
    rows = [row for row in result["rows"] if str(row["budget"]) == str(middle)]
    return {name: share(row["step_survival"]) + _kind(row) for name, row in _best(rows)}


def _completes(result: Result) -> dict[str, str]:
    rows = [r for r in result["rows"] if r["level"] == "hard" and str(r["budget"]) == "25%"]
    return {name: percent(row["success"]) + _kind(row) for name, row in _best(rows, "success")}


def _best(rows: Sequence[Result], metric: str = "step_survival") -> Iterable[tuple[str, Result]]:
    """Give each policy's row, of whole units and spans the better one."""
    found: dict[str, Result] = {}
    for row in rows:
        before = found.setdefault(row["policy"], row)
        if row[metric] > before[metric]:
            found[row["policy"]] = row
    return found.items()


def _speeds(result: Result) -> dict[str, str]:
    return {row["policy"]: _number(row["units_per_second_with_choice"]) for row in result["rows"]}


_COLUMNS = (
    ("rank-locomo.json", "LoCoMo, macro-AUC", _ranks),
    ("rank-longmemeval.json", "LongMemEval_S, macro-AUC", _ranks),
    ("retain-locomo.json", "LoCoMo, evidence at 20 %", _keeps),
    ("replay-peers.json", "tau2- and tau-bench, steps at 1,024", _survives),
    ("loop.json", "loop, hard tasks at 25 %", _completes),
    ("speed.json", "units a second, whole decision", _speeds),
)


def _column(column: tuple[str, str, Any]) -> tuple[str, dict[str, str]] | None:
    file, head, read = column
    path = RESULTS / file
    return (head, read(_read(path))) if path.exists() else None


def _replay(result: Result) -> str:
    head = ("older budget", "policy", "step survival", "identifiers", "copied text", "tokens shown")
    more = ("calls a decision", "failed", "made up a decision")
    return str(_table((*head, *more), list(map(_cells, result["rows"])))) + _below(result)


def _kind(row: Result) -> str:
    return ", spans" if row["granularity"] == "span" else ""


def _share(key: tuple[str, str]) -> tuple[float, str]:
    return float(key[0].split()[0]), key[1]


def _cells(row: Result) -> Sequence[str]:
    shares = (row["step_survival"], row["identifier_survival"], row["copy_survival"])
    return [
        str(row["budget"]),
        f"`{row['policy']}`{_kind(row)}",
        *("–" if value is None else share(value) for value in shares),
        count(row["tokens_mean"]),
        *(f"{row[name]:.2g}" for name in ("compressor_calls", "compressor_failures", "invented")),
    ]
