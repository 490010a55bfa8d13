"""From traces to rows: what was known of a unit at a moment, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lre.features import matrix
from lre.learn.labels import Reuse
from lre.ledger import Ledger
from lre.traces import Trace

__all__ = ["Rows", "Sample", "Sampler", "at_moments", "collect", "once"]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

_MOMENTS = 8  # a trace: enough to see a unit young and old
_RECENT = 5  # units that are kept anyway, so there is nothing to learn of them


@dataclass(frozen=True)
class Sample:
    """Units as they were at one moment: values ``(units, features)``, labels ``(units,)``."""

    values: Floats
    labels: Labels


@dataclass(frozen=True)
class Rows:
    """All samples end to end: values ``(rows, features)``, the others ``(rows,)``.

    `task` is what the session was about, `moment` numbers the samples. `sessions` and `units`
    are what was looked at.
    """

    values: Floats
    labels: Labels
    task: npt.NDArray[np.int64]
    moment: npt.NDArray[np.int64]
    sessions: int
    units: int


Sampler = Callable[[Ledger, Sequence[str]], list[Sample]]
"""Takes a whole session and feature names."""


def at_moments(whole: Ledger, names: Sequence[str]) -> list[Sample]:
    """Take the older units at eight moments, labelled by what comes after the moment.

    A moment is just before an assistant's turn, where a history would be trimmed.
    """
    future = Reuse(whole.messages, whole.units())
    growing = Ledger(whole.dialect.name, counter=len)
    samples = []
    for stop in _stops(whole):
        growing.extend(whole.entries[len(growing) : stop])
        units = growing.units()
        older = max(len(units) - _RECENT, 0)
        values = matrix(growing.moment(units), names)[:older]
        samples.append(Sample(values, future.after(len(units))[:older]))
    return samples


def once(whole: Ledger, names: Sequence[str]) -> list[Sample]:
    """Take every unit once, at the end, labelled by what came after it: as the paper does."""
    units = whole.units()
    labels = Reuse(whole.messages, units).after_each(len(units))
    return [Sample(matrix(whole.moment(units), names), labels)]


def collect(traces: Iterable[Trace], names: Sequence[str], sampler: Sampler) -> Rows:
    """Sample every trace."""
    samples: list[Sample] = []
    tasks: list[int] = []
    known: dict[str, int] = {}
    sessions = units = 0
    for trace in traces:
        ledger = Ledger(counter=len)  # tokens are no feature: any counter does
        ledger.extend(trace.messages)
        found = sampler(ledger, names)
        samples.extend(found)
        tasks.extend([known.setdefault(trace.task, len(known))] * len(found))
        sessions += 1
        units += len(ledger.units())
    sizes = [len(sample.labels) for sample in samples]
    empty = Sample(np.empty((0, len(names))), np.empty(0, dtype=np.bool_))
    return Rows(
        np.concatenate([sample.values for sample in (empty, *samples)]),
        np.concatenate([sample.labels for sample in (empty, *samples)]),
        np.repeat(np.array(tasks, dtype=np.int64), sizes),
        np.repeat(np.arange(len(samples)), sizes),
        sessions,
        units,
    )


def _stops(ledger: Ledger) -> list[int]:
    """Places just before an assistant's turn, spread evenly, once units grow old."""
    units = ledger.units()
    starts = [unit.messages[0] for unit in units[_RECENT + 1 :] if unit.role == "assistant"]
    picks = np.linspace(0, len(starts) - 1, min(_MOMENTS, len(starts))).round().astype(int)
    return [starts[pick] for pick in picks]
