"""What each provider rejects, one file per wire format.

Eviction takes whole units out of a list: messages tied by pairing (`lre.dialects.pairing`) or by
`Message.continues`. It keeps the system messages, the first other message if it is the user's,
the task (the first thing the user says), units with an open call, and the unit of the last
message. No rule here may find more in what is left than it found
before. So every rule reads one entry alone, or a neighbour that is tied to it, or what stands
between an entry and its partner, or the very end of the list, and never lets one finding hide
another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lre.dialects.base import Block, Dialect, Problem, as_mapping
from lre.messages import Message, is_task

__all__ = ["Finding", "Rules", "begins_with_user", "report"]

Finding = tuple[int, str, str]
"""Index of the entry, name of the rule, and what is wrong with the remedy."""

Rules = Callable[[Sequence[Message], Sequence[Sequence[Block]]], Iterator[Finding]]
"""Reads the messages, and for each the entries it is written as."""


def report(
    dialect: Dialect,
    messages: Sequence[Message],
    rules: Sequence[Rules],
    sources: Mapping[str, str],
) -> list[Problem]:
    """Apply rules to a list; the problems come in its order.

    `sources` says for every rule where the provider says so: a page, or the text of its error.
    """
    written = [
        [as_mapping(entry, f"messages[{index}]") for entry in dialect.render([message])]
        for index, message in enumerate(messages)
    ]
    found = {finding: None for rule in rules for finding in rule(messages, written)}
    return [Problem(*finding, sources[finding[1]]) for finding in sorted(found)]


def begins_with_user(
    messages: Sequence[Message], _: Sequence[Sequence[Block]]
) -> Iterator[Finding]:
    """Find out whether the user begins.

    The finding is laid on the task, or else the last entry: both are always kept.
    """
    first = next((m for m in messages if m.role not in ("system", "developer")), None)
    if first is None or first.role == "user":
        return
    tasks = (index for index, message in enumerate(messages) if is_task(message))
    what = "the list does not begin with a message of the user's"
    yield next(tasks, len(messages) - 1), "first-not-user", f"{what}: put one first"
