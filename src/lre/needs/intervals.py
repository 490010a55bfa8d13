"""Stretches of a text: ascending, apart from each other, as pairs of offsets (start, end)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

__all__ = ["Interval", "common", "length", "meets", "merged", "without"]

Interval = tuple[int, int]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Sort intervals and join those that touch or overlap; empty ones go.

    >>> merged([(4, 6), (0, 2), (2, 3), (9, 9)])
    [(0, 3), (4, 6)]
    """
    found: list[Interval] = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif start < end:
            found.append((start, end))
    return found


def common(some: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """Give what lies in both.

    >>> common([(0, 5), (8, 9)], [(1, 2), (4, 10)])
    [(1, 2), (4, 5), (8, 9)]
    """
    found: list[Interval] = []
    i = j = 0
    while i < len(some) and j < len(others):
        start, end = max(some[i][0], others[j][0]), min(some[i][1], others[j][1])
        if start < end:
            found.append((start, end))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return found


def without(some: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """Give what lies in the first only.

    >>> without([(0, 5), (8, 9)], [(1, 2), (4, 10)])
    [(0, 1), (2, 4)]
    """
    if not some:
        return []
    edges = [some[0][0], *(edge for other in others for edge in other), some[-1][1]]
    gaps = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]
    return common(some, gaps)


def meets(one: Interval, others: Sequence[Interval]) -> bool:
    """Tell whether an interval shares a character with any of the others.

    >>> meets((3, 5), [(0, 3), (4, 8)]), meets((3, 4), [(0, 3), (4, 8)])
    (True, False)
    """
    first = bisect_right(others, one[0], key=itemgetter(1))
    return first < len(others) and others[first][0] < one[1]


def length(intervals: Iterable[Interval]) -> int:
    """Count the characters."""
    return sum(end - start for start, end in intervals)
