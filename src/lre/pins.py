"""What is never evicted: the system's words, the task, and whatever the caller pins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lre.errors import SettingError
from lre.features import reading
from lre.messages import Message

__all__ = ["Pin", "Pins"]

Pin = int | str | re.Pattern[str] | Callable[[Any], bool]
"""An index into the list, a pattern to find in a message's text, or a predicate of the caller's
own message object."""


@dataclass(frozen=True)
class Pins:
    """The caller's pins, sorted by kind."""

    indices: tuple[int, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    predicates: tuple[Callable[[Any], bool], ...] = ()

    @classmethod
    def of(cls, pin: Pin | Iterable[Pin]) -> Pins:
        """Take one pin or several.

        >>> Pins.of([0, "token"]).indices
        (0,)

        Raises
        ------
        SettingError
            If something is neither index, pattern nor predicate, or a pattern does not compile.
        """
        several = isinstance(pin, Iterable) and not isinstance(pin, str | Mapping)
        pins = list(pin) if several else [pin]  # type: ignore[arg-type]
        indices = [p for p in pins if isinstance(p, int) and not isinstance(p, bool)]
        patterns = [_compiled(p) for p in pins if isinstance(p, str | re.Pattern) and _is_text(p)]
        predicates = [p for p in pins if callable(p)]
        if len(indices) + len(patterns) + len(predicates) < len(pins):
            raise SettingError(
                "a pin is of no known kind",
                where="pin",
                remedy="give indices, patterns (text or re.compile) or predicates",
            )
        return cls(tuple(indices), tuple(patterns), tuple(predicates))

    def holds(self, message: Message) -> bool:
        """Tell whether a pattern or predicate holds this message."""
        if any(predicate(message.raw) for predicate in self.predicates):
            return True
        if not self.patterns:
            return False
        text = reading(message)
        return any(pattern.search(text) for pattern in self.patterns)

    def places(self, size: int) -> set[int]:
        """Pinned indices of a list of this size; negative ones count from its end.

        One that lies outside waits: a history may grow until it is there.
        """
        return {index % size for index in self.indices if -size <= index < size}

    def check(self, size: int) -> None:
        """Raise `SettingError` if an index lies outside a list of this size."""
        for index in self.indices:
            if not -size <= index < size:
                raise SettingError(
                    f"index {index} lies outside a list of {size}", where="pin", remedy="pin less"
                )


def _is_text(pattern: str | re.Pattern[Any]) -> bool:
    return isinstance(pattern if isinstance(pattern, str) else pattern.pattern, str)


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise SettingError(
            f"{pattern!r} is no regular expression ({error})",
            where="pin",
            remedy="escape it with re.escape",
        ) from error
