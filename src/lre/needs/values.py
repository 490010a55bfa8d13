"""The values of a call: what it acts with, apart from keys and names."""

from __future__ import annotations

import json
from collections.abc import Iterator

__all__ = ["leaves", "read", "values"]


def values(arguments: str) -> list[str]:
    """List the leaves of JSON arguments as text, in the order in which they stand.

    Booleans and nulls are left out, numbers are spelt as they are there. Text that is no JSON
    is one leaf.

    >>> values('{"id": "W2378156", "items": [{"price": 1200.50}, true, null], "note": ""}')
    ['W2378156', '1200.50', '']
    >>> values("ls src")
    ['ls src']
    """
    return list(leaves(read(arguments)))


def read(text: str) -> object:
    """Read JSON, its numbers as they are spelt; text that is none is handed back."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return text


def leaves(value: object) -> Iterator[str]:
    """Walk the texts of a JSON value, its keys left out."""
    todo = [value]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo.extend(reversed(value.values()))
        elif isinstance(value, list):
            todo.extend(reversed(value))
        elif isinstance(value, str):
            yield value
