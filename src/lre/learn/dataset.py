"""From traces to rows: what was known at a moment, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from lre.features import matrix
from lre.learn.labels import LABELS, Future, reused
from lre.ledger import Ledger
from lre.traces import Trace
from lre.units import owners

__all__ = [
    "Rows",
    "Sample",
    "Sampler",
    "Watch",
    "at_moments",
    "collect",
    "concat",
    "once",
    "sample",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_MOMENTS = 24  # a trace: enough to see an identifier young and old
_RECENT = 5  # units that are kept anyway, so there is nothing to learn of them


@dataclass(frozen=True)
class Sample:
    """Units or identifiers at one moment: values ``(rows, features)``, labels ``(rows,)``.

    `weight` is what each row counts for.
    """

    values: Floats
    labels: Mask
    weight: float = 1


@dataclass(frozen=True)
class Rows:
    """Samples end to end: values ``(rows, features)``, the others ``(rows,)``.

    `group` tells sessions apart that must not stand in two folds, `moment` numbers the samples,
    `weight` is what a row counts for. `sessions` and `units` are what was looked at.
    """

    values: Floats
    labels: Mask
    group: Ints
    moment: Ints
    weight: Floats
    sessions: int
    units: int


Watch = Callable[[Sequence[Trace]], Iterator[Trace]]
"""Goes through traces, and may show how far."""

Sampler = Callable[[Ledger, Sequence[str]], list[Sample]]
"""Takes a whole session and feature names."""


def at_moments(label: str) -> Sampler:
    """Take the older identifiers at up to 24 moments, labelled by what comes after.

    A moment is just before an assistant's turn, where a history would be trimmed. Left out is
    what pinned or recent units carry. All of a session count for one, however long it is.
    """
    return partial(_at_moments, LABELS[label])


def _at_moments(
    label: Callable[[Future], Mask], whole: Ledger, names: Sequence[str]
) -> list[Sample]:
    uses, owner = whole.inventory("unit").uses, owners(whole.units(), len(whole))
    order = np.argsort(uses.index.hashes)
    growing = Ledger(whole.dialect.name, counter=len)
    samples = []
    for stop in _stops(whole):
        growing.extend(whole.entries[len(growing) : stop])
        view = growing.view()
        rows = _older(growing, view.owner)
        hashes = view.uses.index.hashes[rows]
        place = order[np.searchsorted(uses.index.hashes, hashes, sorter=order)]
        labels = label(Future(uses, owner, stop))[place]
        samples.append(Sample(matrix(view.standing, names)[rows], labels))
    rows_in_all = max(sum(len(one.labels) for one in samples), 1)
    return [replace(one, weight=1 / rows_in_all) for one in samples]


def _older(ledger: Ledger, owner: Ints) -> Ints:
    """Find the identifiers that neither a pinned message nor a recent unit carries."""
    uses, size = ledger.inventory("unit").uses, int(owner.max(initial=-1)) + 1
    message = uses.message.values[uses.piece.values]
    held = owner[message] >= size - _RECENT
    held |= np.isin(message, list(ledger.pinned))
    there = np.zeros(len(uses.first), dtype=np.bool_)
    there[uses.word.values[held]] = True
    return np.flatnonzero(~there)


def once(whole: Ledger, names: Sequence[str]) -> list[Sample]:
    """Take every unit once, at the end, labelled by what came after it: as the paper does."""
    units = whole.units()
    return [Sample(matrix(whole.moment(units), names), reused(whole.messages, units))]


def sample(trace: Trace, group: int, names: Sequence[str], sampler: Sampler) -> Rows:
    """Sample one session."""
    ledger = Ledger(counter=len)  # tokens are no feature: any counter does
    ledger.extend(trace.messages)
    samples = [Sample(np.empty((0, len(names))), np.empty(0, dtype=np.bool_))]
    samples += sampler(ledger, names)
    sizes = [len(one.labels) for one in samples]
    rows = sum(sizes)
    return Rows(
        np.concatenate([one.values for one in samples]),
        np.concatenate([one.labels for one in samples]),
        np.full(rows, group),
        np.repeat(np.arange(len(samples)), sizes),
        np.repeat([one.weight for one in samples], sizes),
        1,
        len(ledger.units()),
    )


def concat(parts: Sequence[Rows]) -> Rows:
    """Put the rows of several sessions end to end.

    Raises
    ------
    ValueError
        If there are none.
    """
    starts = np.cumsum([0, *(part.moment.max(initial=-1) + 1 for part in parts)])
    return Rows(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.group for part in parts]),
        np.concatenate([part.moment + at for part, at in zip(parts, starts, strict=False)]),
        np.concatenate([part.weight for part in parts]),
        sum(part.sessions for part in parts),
        sum(part.units for part in parts),
    )


def collect(
    traces: Iterable[Trace], groups: Iterable[int], names: Sequence[str], sampler: Sampler
) -> Rows:
    """Sample every session."""
    pairs = zip(traces, groups, strict=True)
    return concat([sample(trace, group, names, sampler) for trace, group in pairs])


def _stops(ledger: Ledger) -> list[int]:
    """Places just before an assistant's turn, spread evenly, once units grow old."""
    units = ledger.units()
    starts = [unit.messages[0] for unit in units[_RECENT + 1 :] if unit.role == "assistant"]
    picks = np.linspace(0, len(starts) - 1, min(_MOMENTS, len(starts))).round().astype(int)
    return [starts[pick] for pick in picks]
