"""The receipt: what became of each unit, as a table for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.contest import Choice
from lre.features import reading
from lre.messages import Decision, Message, Reasoning, Selection, Unit, Verdict
from lre.remains import Remains

__all__ = ["Outcome", "Receipt", "preview"]

_PREVIEW = 48


@dataclass(frozen=True, eq=False)
class Outcome:
    """What was decided: `costs` are units as they came, `left` as they were cut, ``(units,)``.

    `held` has the units that were not asked about: their reason, and what they are pinned for.
    """

    units: Sequence[Unit]
    costs: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    choice: Choice
    held: Mapping[int, tuple[str, str]]

    def decisions(self) -> Iterator[Decision]:
        """Say what became of each unit, and why."""
        scores = self.choice.scores
        told = repeat(None) if scores is None else scores.tolist()
        columns = (self.costs.tolist(), self.left.tolist(), self.choice.kept.tolist(), told)
        for place, (unit, cost, left, kept, score) in enumerate(
            zip(self.units, *columns, strict=False)
        ):
            verdict = self._verdict(unit, kept)
            reason, note = self._reason(place, kept)
            yield Decision(
                place, unit.messages, verdict, reason, score, cost, left if kept else 0, note
            )

    def _verdict(self, unit: Unit, kept: bool) -> Verdict:
        if not kept:
            return "evicted"
        cuts = [self.choice.cuts[i] for i in unit.messages if i in self.choice.cuts]
        if not cuts:
            return "kept"
        return "cut" if all(cut.verbatim for cut in cuts) else "rewritten"

    def _reason(self, place: int, kept: bool) -> tuple[str, str]:
        if self.choice.scores is None:
            return ("under budget" if kept else "gone before"), ""
        told = self.choice.told
        if told and told.failed:
            return self.held.get(place) or ("left as it was" if kept else "gone before", "")
        gone = "no room" if self.choice.note is None else "summed up"
        return self.held.get(place) or ("selected" if kept else gone, "")

    @property
    def remains(self) -> Remains:
        """What later decisions may still choose from."""
        kept = zip(self.units, self.choice.kept.tolist(), strict=True)
        gone = frozenset(unit.messages[0] for unit, stays in kept if not stays)
        return Remains(gone, self.choice.lost, self.choice.cuts, self.choice.note)


@dataclass(frozen=True, eq=False)
class Receipt:
    """What became of each unit, with the sums; made out when somebody looks.

    `before` and `after` are tokens of the whole prompt: messages, `system=`, `tools=` and what
    the provider adds. `limit` is the budget in tokens, `scope` what it covers. `heads` are the
    first messages of the units.
    """

    policy: str
    before: int
    after: int
    limit: int
    scope: str
    over_budget: bool
    outcome: Outcome = field(repr=False)
    heads: Sequence[Message] = field(repr=False)

    @cached_property
    def selection(self) -> Selection:
        """A decision for each unit."""
        return Selection(tuple(self.outcome.decisions()), self.over_budget)

    @property
    def is_unchanged(self) -> bool:
        """Whether everything stays as it came."""
        choice = self.outcome.choice
        return bool(choice.kept.all()) and not choice.cuts and choice.note is None

    def to_dict(self) -> dict[str, Any]:
        """Give plain data: tokens, `over_budget`, and a decision for each unit."""
        return {
            "policy": self.policy,
            "tokens": {"before": self.before, "after": self.after},
            "limit": {"tokens": self.limit, "scope": self.scope},
            "over_budget": self.over_budget,
            "verbatim": self.outcome.choice.verbatim,
            "summary": self._summary(),
            "decisions": [_plain(decision) for decision in self.selection.decisions],
        }

    def _summary(self) -> dict[str, Any] | None:
        """Say what stands for what went, what asking for it cost, and why there is none."""
        note, told = self.outcome.choice.note, self.outcome.choice.told
        if note is None and told is None:
            return None
        said = {"text": note.text, "at": note.at, "tokens": note.cost} if note else {"text": None}
        return {**said, **(asdict(told) if told else {}), "text": said["text"]}

    def __str__(self) -> str:
        """Give an aligned table, one line a unit, and a line of sums."""
        scores = [decision.score for decision in self.selection.decisions]
        return self.table(scores, [preview(head) for head in self.heads], "says")

    def table(self, scores: Sequence[float | None], last: Sequence[str], title: str) -> str:
        """Give the table with other scores, and something else in the last column."""
        head = ("unit", "messages", "tokens", "score", "verdict", "reason", title)
        rows = zip(self.selection.decisions, scores, last, strict=True)
        lines = [_cells(decision, score, text) for decision, score, text in rows]
        widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
        return "\n".join([_align(line, widths) for line in (head, *lines)] + [self.summary()])

    def summary(self) -> str:
        """Say in one line what it came to."""
        verdicts = Counter(decision.verdict for decision in self.selection.decisions)
        kept, evicted = verdicts["kept"], verdicts["evicted"]
        copied = "".join(f"{verdicts[v]} {v}, " for v in ("cut", "rewritten") if verdicts[v])
        what = {"total": "budget", "older": "budget for older units"}[self.scope]
        told = self.outcome.choice.told
        over = self.over_budget and not (told and told.failed)
        end = "; OVER BUDGET: pins and recent window take more" * over
        return (
            f"{self.policy}: {self.before:,} → {self.after:,} tokens ({what} {self.limit:,}), "
            f"{kept} units kept, {copied}{evicted} evicted{self._told()}{end}"
        )

    def _told(self) -> str:
        """Say in a line what is not verbatim."""
        choice = self.outcome.choice
        if choice.told and choice.told.failed:
            return f"; NO SUMMARY, nothing was changed: {' '.join(choice.told.failed.split())}"
        if choice.told and choice.note is None:
            return "; NO ROOM FOR A SUMMARY: what went is not in view"
        if choice.note is not None:
            return f"; a summary of {choice.note.cost:,} tokens in their place, not verbatim"
        return "" if choice.verbatim else "; rewritten texts are not verbatim"


def _cells(decision: Decision, score: float | None, text: str) -> tuple[str, ...]:
    first, last = decision.messages[0], decision.messages[-1]
    return (
        str(decision.unit),
        str(first) if first == last else f"{first}–{last}",
        f"{decision.left:,}/" * (decision.verdict in ("cut", "rewritten")) + f"{decision.tokens:,}",
        "" if score is None else f"{score:.4f}",
        decision.verdict,
        decision.reason + f" ({decision.note})" * bool(decision.note),
        text,
    )


def _align(cells: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [cell.rjust(width) for cell, width in zip(cells[:4], widths, strict=False)]
    words = [cell.ljust(width) for cell, width in zip(cells[4:-1], widths[4:], strict=False)]
    return "  ".join([*numbers, *words, cells[-1]]).rstrip()


def _says(message: Message) -> str:
    """Give the words of a message: thoughts only where there is nothing else."""
    spoken = tuple(part for part in message.parts if not isinstance(part, Reasoning))
    return reading(replace(message, parts=spoken) if spoken else message)


def preview(message: Message) -> str:
    """Show the beginning on one line; what a terminal cannot print becomes `?`."""
    start = " ".join(_says(message)[: 4 * _PREVIEW].split())
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
        "left": decision.left,
    }
