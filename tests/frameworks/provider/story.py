"""What the scripted model does: look up records, several at once, then say that it is done.

A run is named in its task, as ``run-7f3a/32``: so many requests make one turn of the user's, all
but the last of them with calls. What the model says depends on nothing but the number of the
request: whatever was evicted, the run goes on the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

__all__ = ["Call", "Reply", "Seen", "record", "run_of", "story"]

_RUN = re.compile(r"run-([0-9a-z]{1,40})/([0-9]{1,4})")
_WORDS = ("harbour", "invoice", "pending", "courier", "ledger", "amber", "north", "review")


@dataclass(frozen=True)
class Call:
    """A call of the model's."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the model answers: text, calls, and (where the wire has it) sealed reasoning."""

    number: int
    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A message as the provider got it, whatever the wire: who, what, calls, and results by id."""

    role: str
    text: str = ""
    calls: tuple[str, ...] = ()
    results: tuple[tuple[str, str], ...] = field(default=())


def record(ref: str) -> str:
    """Give what the tool `lookup` answers: some 150 tokens, other ids for every reference.

    >>> record("R-3-a") == record("R-3-a") != record("R-3-b")
    True
    """
    seed = crc32(ref.encode())
    lines = [f"{ref} found: owner u{seed % 89999 + 10000}, token tk_{seed:08x}"]
    for i in range(12):
        word = _WORDS[(seed >> i) % len(_WORDS)]
        lines.append(f"  {i:02d} {word} item {(seed * (i + 7)) % 999983:06d} of {ref}")
    return "\n".join(lines)


def run_of(text: str) -> tuple[str, int]:
    """Find the run that a request belongs to, and how many requests make a turn of it."""
    found = _RUN.search(text)
    return (found[1], int(found[2])) if found else ("", 4)


def story(run: str, number: int, length: int) -> Reply:
    """Give the answer to a request, counted from 0 in its run."""
    turn, step = divmod(number, length)
    if step == length - 1:
        return Reply(number, f"Turn {turn} of {run or 'nobody'} is done.")
    several = 1 + (step % 3 > 0)  # parallel calls in two of three steps
    calls = tuple(
        Call(f"call_{number}_{letter}", "lookup", {"ref": f"R-{number}-{letter}"})
        for letter in "ab"[:several]
    )
    return Reply(number, f"Looking up step {number}." if step % 2 else "", calls)
