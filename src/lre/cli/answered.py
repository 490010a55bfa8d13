"""What a reader answered, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lre.bench.figures import count, interval, share
from lre.cli.conversations import below, between, written
from lre.cli.table import aligned

__all__ = ["lines"]


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Give the table, and below it what it is of."""
    categories = sorted({name for row in found["rows"] for name in row["by_category"]})
    head = ["setting", "policy", "F1", "95 %", "over the next", "95 %", "prompt tokens", "too long"]
    rows = [_cells(row, found["leads"], categories) for row in found["rows"]]
    yield from aligned([[*head, *categories], *rows], words=2)
    yield ""
    for setting, much in found["too_long"].items():
        asked = found["rows"][[row["setting"] for row in found["rows"]].index(setting)]["questions"]
        yield f"{setting}: {asked:,} questions compared, {much:,} too long for a policy or more"
    reasons = ", ".join(f"{name} {much:,}" for name, much in found["left_out"].items())
    yield f"left out: {reasons or 'none'}"
    used = found["settings"]
    yield f"{used['keep']} kept; reader {used['model']}, {used['max_tokens']} tokens an answer"
    yield from below(found)


def _cells(row: Mapping[str, Any], leads: Sequence[Any], categories: Sequence[str]) -> list[str]:
    ours = [one for one in leads if all(one[key] == row[key] for key in ("policy", "setting"))]
    gain = [written(ours[0]["value"], share), between(ours[0]["interval"])] if ours else ["", ""]
    figures = [written(row["f1"], share), between(interval(row, "f1")), *gain]
    rest = [written(row["prompt_tokens_mean"], count), count(row["too_long"])]
    by = (row["by_category"].get(name, {}).get("f1") for name in categories)
    return [row["setting"], row["policy"], *figures, *rest, *(written(one, share) for one in by)]
