"""The log formats by name. A new one is one file and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from lre.traces.base import Reader

__all__ = ["READERS", "readers"]

READERS: dict[str, str] = {
    "locomo": "lre.traces.locomo:READER",
    "longmemeval": "lre.traces.longmemeval:READER",
    "lists": "lre.traces.lists:READER",
}
"""Name to ``module:attr``, asked in this order: the general `lists` stays last."""


def readers() -> Iterator[Reader]:
    """Import the readers one by one, as they are asked for.

    >>> [reader.name for reader in readers()]
    ['locomo', 'longmemeval', 'lists']
    """
    for target in READERS.values():
        module, _, attribute = target.partition(":")
        reader: Reader = getattr(importlib.import_module(module), attribute)
        yield reader
