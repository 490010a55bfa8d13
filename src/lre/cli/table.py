"""A table of figures for people, in columns."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["aligned"]


def aligned(lines: Sequence[Sequence[str]], words: int) -> list[str]:
    """Align cells: the first `words` columns to the left, figures to the right.

    >>> aligned([("policy", "steps"), ("fifo", ".85"), ("lre", "1")], words=1)
    ['policy  steps', 'fifo      .85', 'lre         1']
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [_line(line, widths, words) for line in lines]


def _line(cells: Sequence[str], widths: Sequence[int], words: int) -> str:
    pairs = list(zip(cells, widths, strict=True))
    left = [cell.ljust(width) for cell, width in pairs[:words]]
    return "  ".join(left + [cell.rjust(width) for cell, width in pairs[words:]]).rstrip()
