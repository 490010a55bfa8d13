"""Junk in every place of a JSON value, for readers that must not stumble over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["spoiled"]

_JUNK: tuple[Any, ...] = (None, True, -1, 1.5, "junk", [], {}, [[]], [None], {"": {}})


def spoiled(value: Any) -> Iterator[Any]:
    """Give the value again and again, each time with another node replaced by junk."""
    yield from _JUNK
    keys = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, dict | list) else ():
        for inner in spoiled(value[key]):
            copy = value.copy()
            copy[key] = inner
            yield copy
