"""Folds that do not leak: what belongs together is never on both sides of a split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from lre import dialects
from lre.errors import MissingExtraError, TrainingError
from lre.messages import Message, Text, ToolCall, ToolResult
from lre.traces import Trace

__all__ = ["folds", "groups"]

_TELLING = 200  # characters: fewer are a greeting, and stand in sessions of any origin

Ints = npt.NDArray[np.int64]


def groups(traces: Iterable[Trace]) -> list[int]:
    """Number the groups of sessions that belong together, from 0 in order of appearance.

    Sessions belong together if they are of one task, or if one contains the other: all messages
    of the shorter but the system's stand in the longer, in the same order. A conversation that
    is logged request by request is the usual case. Of a message the role, the texts and the
    names and arguments of calls count; ids, reasoning and media do not. A session of less than
    200 characters shows nothing by standing in another. What belongs to one session belongs
    together, too.

    >>> said = [{"role": "user", "content": text * 99} for text in ("one", "two", "three")]
    >>> groups([Trace("a", "x", said[:2]), Trace("b", "y", said[1:]), Trace("c", "z", said)])
    [0, 0, 0]

    Raises
    ------
    MessageError
        If a session is no list of messages in any dialect.
    """
    tasks: dict[str, int] = {}
    sequences: list[list[int]] = []
    forest = _Forest()
    for number, trace in enumerate(traces):
        sequences.append(_digests(trace))
        forest.add()
        forest.join(number, tasks.setdefault(trace.task, number))
    _join_contained(sequences, forest)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(forest.root(i), len(numbers)) for i in range(len(sequences))]


def folds(groups: Sequence[int], k: int = 5) -> list[tuple[Ints, Ints]]:
    """Split sessions into at most `k` folds of about one size, no group in two of them.

    For each fold the places of the sessions to train on and of those to test on, ascending.

    >>> [test.tolist() for train, test in folds([0, 0, 1, 1, 2, 2], k=3)]
    [[4, 5], [2, 3], [0, 1]]

    Raises
    ------
    TrainingError
        If there are fewer than two groups.
    MissingExtraError
        If scikit-learn is not installed.
    """
    try:
        from sklearn.model_selection import GroupKFold
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "train") from error
    count = len(set(groups))
    if count < 2:
        raise TrainingError(
            "all sessions belong to one task or conversation",
            where="folds",
            remedy="add sessions of other tasks",
        )
    return list(GroupKFold(min(k, count)).split(groups, groups=groups))


class _Forest:
    """Sets that grow together: union-find with halved paths."""

    def __init__(self) -> None:
        self._parent: list[int] = []

    def add(self) -> None:
        self._parent.append(len(self._parent))

    def root(self, item: int) -> int:
        while self._parent[item] != item:
            self._parent[item] = item = self._parent[self._parent[item]]
        return item

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.root(one), self.root(other)))
        self._parent[high] = low


def _digests(trace: Trace) -> list[int]:
    """Hash each message but the system's; none if all of them say too little to tell apart."""
    _, messages = dialects.parse(trace.messages)
    said = [(m.role, _said(m)) for m in messages if m.role not in ("system", "developer")]
    if sum(len(text) for _, texts in said for text in texts) < _TELLING:
        return []
    return [hash(message) for message in said if message[1]]


def _said(message: Message) -> tuple[str, ...]:
    found: list[str] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            found += part.name, part.arguments
        elif isinstance(part, Text | ToolResult):
            found.append(part.text)
    return tuple(found)


def _join_contained(sequences: Sequence[Sequence[int]], forest: _Forest) -> None:
    """Join each session with those that contain it, the longest first.

    Only those are looked at that have the rarest of its messages, and of a group that is joined
    already none: a conversation logged request by request takes one look for each request.
    """
    holders: dict[int, list[int]] = {}
    for one in sorted(range(len(sequences)), key=lambda i: -len(sequences[i])):
        messages = set(sequences[one])
        for other in min((holders.get(m, []) for m in messages), key=len, default=[]):
            apart = forest.root(one) != forest.root(other)
            if apart and _contains(sequences[other], sequences[one]):
                forest.join(one, other)
        for message in messages:
            holders.setdefault(message, []).append(one)


def _contains(longer: Iterable[int], shorter: Iterable[int]) -> bool:
    rest = iter(longer)
    return all(message in rest for message in shorter)
