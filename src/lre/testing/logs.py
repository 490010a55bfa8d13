"""Logs as bytes, and what may befall them: for the checks of readers."""

from __future__ import annotations

import bz2
import gzip
import importlib
import json
import lzma
from collections.abc import Iterator
from typing import Any

__all__ = [
    "dumped",
    "ends_whole",
    "is_lines",
    "packed",
    "spoiled",
    "values",
    "whole_lines",
    "with_a_broken_line",
]

_JUNK: tuple[Any, ...] = (None, True, 7, "junk", [], {}, [None], ["junk"], [[7]], {"": {"": []}})
_BROKEN = b'{"broken": \n'


def spoiled(value: Any) -> Iterator[Any]:
    """Give a JSON value again and again, each time with another node of it replaced by junk.

    >>> {"a": None} in spoiled({"a": [1]}), {"a": [{}]} in spoiled({"a": [1]})
    (True, True)
    """
    yield from _JUNK
    keys = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, dict | list) else ():
        for inner in spoiled(value[key]):
            copy = value.copy()
            copy[key] = inner
            yield copy


def _is_value(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _lines(sample: bytes) -> list[bytes]:
    return sample.rstrip(b"\n").split(b"\n")


def is_lines(sample: bytes) -> bool:
    """Tell JSON Lines: several lines, each a value by itself."""
    return len(_lines(sample)) > 1 and all(map(_is_value, _lines(sample)))


def values(sample: bytes) -> list[Any]:
    """Give the values of a log."""
    return [json.loads(text) for text in (_lines(sample) if is_lines(sample) else [sample])]


def dumped(records: list[Any]) -> bytes:
    """Write values, one a line."""
    return b"\n".join(json.dumps(record).encode() for record in records)


def whole_lines(data: bytes) -> bytes:
    """Leave out a last line that breaks off."""
    head, newline, last = data.rpartition(b"\n")
    return data if not last or _is_value(last) else head + newline


def ends_whole(data: bytes) -> bool:
    """Tell whether a log that was cut ends between two values."""
    return bool(data) and (whole_lines(data) == data or _is_value(data))


def with_a_broken_line(sample: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the lines with a broken one in each place between two of them, and its number."""
    lines = [line + b"\n" for line in _lines(sample)]
    for number in range(1, len(lines)):
        yield number + 1, b"".join([*lines[:number], _BROKEN, *lines[number:]])


def packed(data: bytes, packing: str) -> bytes:
    """Compress a log: as ``gz``, ``xz``, ``bz2`` or ``zst``."""
    match packing:
        case "gz":
            return gzip.compress(data)
        case "xz":
            return lzma.compress(data)
        case "bz2":
            return bz2.compress(data)
    compressed: bytes = importlib.import_module("zstandard").compress(data)
    return compressed
