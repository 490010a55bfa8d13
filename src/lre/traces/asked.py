"""What the readers of logs with questions share: items with their places and their faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lre.traces.base import Report

__all__ = ["Item", "items"]


@dataclass(frozen=True, slots=True)
class Item:
    """One object of a file: its value, its place, and how often which known fault was met in it.

    Inner places are paths from the object, such as ``.qa[3]``.
    """

    value: Any
    where: str
    path: str
    report: Report
    faults: Counter[str] = field(default_factory=Counter)

    def place(self, inner: str = "") -> str:
        """Give the place of something in the object, as ``file: [0].qa[3]``."""
        path = f"{self.path}{inner}".lstrip(".")
        return f"{self.where}: {path}" if path else self.where

    def skip(self, inner: str, what: str) -> None:
        """Report something in the object that cannot be used."""
        self.report(self.place(inner), f"{what}: skipped")

    def listed(self, inner: str, value: object) -> list[Any]:
        """Give a list; anything else is reported, and empty."""
        if isinstance(value, list):
            return value
        self.skip(inner, "no list")
        return []

    def text(self, key: str) -> str:
        """Give the text under a key; "" where there is none."""
        value = self.value.get(key)
        return value if isinstance(value, str) else ""

    def answer(self, inner: str, value: object) -> str:
        """Give an answer as text; an integer is a known fault, none at all is ""."""
        if isinstance(value, str) or value is None:
            return value or ""
        if isinstance(value, int) and not isinstance(value, bool):
            self.faults["integer answers"] += 1
            return str(value)
        self.skip(inner, "the answer is no text")
        return ""


def items(where: str, value: object, report: Report, path: str = "") -> Iterator[Item]:
    """Give the elements of a list, or the one object that is there instead.

    >>> [item.place(".qa") for item in items("f", [{}, {}], print)]
    ['f: [0].qa', 'f: [1].qa']
    >>> [item.place(".qa") for item in items("f:2", {}, print)]
    ['f:2: qa']
    """
    if not isinstance(value, list):
        yield Item(value, where, path, report)
        return
    for i, element in enumerate(value):
        yield Item(element, where, f"{path}[{i}]", report)
