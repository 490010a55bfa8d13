"""Summaries that a study asked for, those that never came, and when that ends it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lre.errors import LreError
from lre.policies import Summary

__all__ = ["Summaries", "Told", "sentences"]

_ENOUGH = 20  # failures without a summary: the study need not go on to its end
_REMEDY = "start its endpoint, or check OPENAI_BASE_URL and the model's name, or leave it out"


@dataclass
class Told:
    """How often a summary was asked for, and how often none came; `reason` is that of the first.

    >>> told = Told()
    >>> told.add(Summary("", "nobody answers")), told.add(Summary("Orders came."))
    (None, None)
    >>> told
    Told(asked=2, failed=1, reason='nobody answers')
    """

    asked: int = 0
    failed: int = 0
    reason: str = ""

    def add(self, summary: Summary | None) -> None:
        """Count what came of one decision; None where no summary was asked for."""
        if summary is not None:
            self.merge(Told(1, bool(summary.failed), summary.failed))

    def merge(self, more: Told) -> None:
        """Add what another one counted."""
        self.asked += more.asked
        self.failed += more.failed
        self.reason = self.reason or more.reason


@dataclass
class Summaries:
    """What came of each policy's summaries; where none comes, the history would look perfect."""

    told: dict[str, Told] = field(default_factory=dict)

    def add(self, policy: str, more: Told) -> None:
        """Count what one part of the study was told.

        Raises
        ------
        LreError
            If so many failed and none came that it need not go on.
        """
        self.told.setdefault(policy, Told()).merge(more)
        self._refuse(_ENOUGH)

    def finish(self) -> dict[str, dict[str, Any]]:
        """Give the counts of policies that asked, as plain data.

        Raises
        ------
        LreError
            If no summary of a policy came.
        """
        self._refuse(1)
        return {
            name: {"asked": one.asked, "failed": one.failed, "reason": one.reason}
            for name, one in self.told.items()
            if one.asked
        }

    def _refuse(self, enough: int) -> None:
        for name, one in self.told.items():
            if one.asked == one.failed >= enough:
                what = f"none of {one.asked:,} summaries came: {one.reason}"
                raise LreError(what, where=name, remedy=_REMEDY)


def sentences(told: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Say below a table which policies' histories stayed whole for want of a summary.

    >>> list(sentences({"acon": {"asked": 12, "failed": 3, "reason": "too long"}}))
    ['acon: 3 of 12 summaries failed, and left the history whole (too long)']
    """
    for name, one in told.items():
        if one["failed"]:
            yield (
                f"{name}: {one['failed']:,} of {one['asked']:,} summaries failed, and left the "
                f"history whole ({one['reason']})"
            )
