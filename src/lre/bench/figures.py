"""How a report reads a row of results and writes its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "Row",
    "amount",
    "budget_name",
    "count",
    "duration",
    "interval",
    "is_relative",
    "is_whole",
    "percent",
    "share",
]

Row = Mapping[str, Any]
"""One row of `lre bench replay --json`; a figure is None where nothing was needed."""

_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


def share(value: float, digits: int = 3) -> str:
    """Write a share without its zero.

    >>> share(0.9418), share(1.0), share(0.85, 2), share(-0.25, 2)
    ('.942', '1', '.85', '−.25')
    """
    text = f"{abs(value):.{digits}f}"
    short = f"{float(text):g}" if float(text) in (0, 1) else text.removeprefix("0")
    return f"−{short}" if value < 0 and short != "0" else short


def percent(value: float) -> str:
    """Write a share in percent.

    >>> percent(0.624), percent(-1.5), percent(-0.001)
    ('62 %', '−150 %', '0 %')
    """
    return f"{round(100 * value):,} %".replace("-", "−")


def count(value: float) -> str:
    """Write a number of things.

    >>> count(1024), count(6143.7)
    ('1,024', '6,144')
    """
    return f"{value:,.0f}"


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it, to two places that count.

    >>> duration(0.00321), duration(0.000018), duration(75)
    ('3.2 ms', '18 µs', '75 s')
    """
    unit, size = next((u for u in _UNITS if seconds >= u[1]), _UNITS[-1])
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def is_relative(budget: object) -> bool:
    """Tell whether a budget is a share of the trace.

    >>> is_relative("10%"), is_relative(512)
    (True, False)
    """
    return str(budget).strip().endswith("%")


def amount(budget: object) -> float:
    """Give the number in a budget: tokens, or percent.

    >>> amount("10%"), amount(512)
    (10.0, 512.0)
    """
    return float(str(budget).strip().removesuffix("%"))


def budget_name(budget: object) -> str:
    """Write a budget.

    >>> budget_name(1024), budget_name("10%")
    ('1,024 tokens', '10 %')
    """
    return f"{amount(budget):,.10g} {'%' if is_relative(budget) else 'tokens'}"


def is_whole(row: Row) -> bool:
    """Tell whether a row shows the whole history, so that no budget applies to it."""
    return row["policy"] == "full" or row["budget"] is None


def interval(row: Row, metric: str) -> tuple[float, float] | None:
    """Give the interval of a figure, where there is one."""
    low, high = (row.get("interval") or {}).get(metric) or (None, None)
    return None if low is None or high is None else (low, high)
