"""The receipt: what became of each unit, as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lre.messages import Decision, Selection

__all__ = ["Receipt"]

_PREVIEW = 48


@dataclass(frozen=True)
class Receipt:
    """A selection with its sums; `texts` has the words of each unit, for the table.

    `before` and `after` are tokens of the whole prompt: messages, `system=`, `tools=` and what
    the provider adds. `limit` is the budget in tokens, `scope` what it covers.
    """

    selection: Selection
    policy: str
    before: int
    after: int
    limit: int
    scope: str
    texts: Sequence[str]

    def to_dict(self) -> dict[str, Any]:
        """Give plain data: tokens, `over_budget`, and a decision for each unit."""
        return {
            "policy": self.policy,
            "tokens": {"before": self.before, "after": self.after},
            "limit": {"tokens": self.limit, "scope": self.scope},
            "over_budget": self.selection.over_budget,
            "decisions": [_plain(decision) for decision in self.selection.decisions],
        }

    def __str__(self) -> str:
        """Give an aligned table, one line a unit, and a line of sums."""
        scores = [decision.score for decision in self.selection.decisions]
        return self.table(scores, [_preview(text) for text in self.texts], "says")

    def table(self, scores: Sequence[float | None], last: Sequence[str], title: str) -> str:
        """Give the table with other scores, and something else in the last column."""
        head = ("unit", "messages", "tokens", "score", "verdict", "reason", title)
        rows = zip(self.selection.decisions, scores, last, strict=True)
        lines = [_cells(decision, score, text) for decision, score, text in rows]
        widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
        return "\n".join([_align(line, widths) for line in (head, *lines)] + [self.summary()])

    def summary(self) -> str:
        """Say in one line what it came to."""
        evicted = sum(d.verdict == "evicted" for d in self.selection.decisions)
        what = {"total": "budget", "older": "budget for older units"}[self.scope]
        end = "; OVER BUDGET: pins and recent window take more" * self.selection.over_budget
        return (
            f"{self.policy}: {self.before:,} → {self.after:,} tokens ({what} {self.limit:,}), "
            f"{len(self.selection.decisions) - evicted} units kept, {evicted} evicted{end}"
        )


def _cells(decision: Decision, score: float | None, text: str) -> tuple[str, ...]:
    first, last = decision.messages[0], decision.messages[-1]
    return (
        str(decision.unit),
        str(first) if first == last else f"{first}–{last}",
        f"{decision.tokens:,}",
        "" if score is None else f"{score:.3f}",
        decision.verdict,
        decision.reason + f" ({decision.note})" * bool(decision.note),
        text,
    )


def _align(cells: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [cell.rjust(width) for cell, width in zip(cells[:4], widths, strict=False)]
    words = [cell.ljust(width) for cell, width in zip(cells[4:-1], widths[4:], strict=False)]
    return "  ".join([*numbers, *words, cells[-1]]).rstrip()


def _preview(text: str) -> str:
    """Show the beginning on one line; what a terminal cannot print becomes `?`."""
    start = " ".join(text[: 4 * _PREVIEW].split())
    plain = "".join(c if c.isprintable() else "?" for c in start)
    return plain if len(plain) <= _PREVIEW else plain[: _PREVIEW - 1] + "…"


def _plain(decision: Decision) -> dict[str, Any]:
    return {
        "unit": decision.unit,
        "messages": list(decision.messages),
        "verdict": decision.verdict,
        "reason": decision.reason,
        "note": decision.note,
        "score": decision.score,
        "tokens": decision.tokens,
    }
