"""What readers share whose logs hold entries as a provider took them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lre import dialects
from lre.errors import MessageError
from lre.traces.base import Record, Report

__all__ = ["joined", "readable", "text_of"]


def readable(dialect: str, entry: object, place: str, report: Report) -> bool:
    """Tell whether a dialect can read an entry; one that it cannot read is reported.

    >>> readable("openai-responses", {"type": "message", "role": "boss"}, "f:1", print)
    f:1: role unknown role 'boss': skipped
    False
    """
    try:
        dialects.get(dialect).parse(entry, None, "entry")
    except (MessageError, RecursionError) as error:
        inner = getattr(error, "where", "").removeprefix("entry").lstrip(".")
        what = getattr(error, "what", "nested too deeply")
        joint = "." if ": " in place else ": "
        report(f"{place}{joint}{inner}" if inner else place, f"{what}: skipped")
        return False
    return True


def text_of(value: Mapping[str, Any], key: str) -> str:
    """Give the text under a key; "" where there is none.

    >>> text_of({"id": 7}, "id")
    ''
    """
    found = value.get(key)
    return found if isinstance(found, str) else ""


def joined(
    records: Iterable[Record], session: Callable[[object], str]
) -> Iterator[Iterator[Record]]:
    """Take files that were joined apart again, where a head names another session.

    >>> log = [Record({"head": "a"}, "f:1"), Record({}, "f:2"), Record({"head": "b"}, "f:3")]
    >>> [len([*one]) for one in joined(log, lambda value: value.get("head", ""))]
    [2, 1]
    """
    current, count = "", 0

    def number(record: Record) -> int:
        nonlocal current, count
        named = session(record.value) or current
        count += current not in ("", named)
        current = named
        return count

    for _, found in itertools.groupby(records, number):
        yield found
