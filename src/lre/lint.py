"""`problems`: what a provider would reject, asked without evicting anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lre.dialects import Problem, parse

__all__ = ["problems"]


def problems(messages: Sequence[Any], dialect: str | None = None) -> list[Problem]:
    """List what the provider would reject; an empty list if nothing.

    >>> [p.rule for p in problems([{"role": "tool", "tool_call_id": "c1", "content": "4"}])]
    ['result-without-call']

    Raises
    ------
    MessageError
        If it is no list of messages.
    UnknownNameError
        If there is no dialect of that name.
    """
    spoken, parsed = parse(messages, dialect)
    return spoken.problems(parsed)
