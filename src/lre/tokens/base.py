"""What a counter is, and the cache around it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from lre.errors import SettingError

__all__ = ["Cached", "Called", "Counter", "well_formed"]


@runtime_checkable
class Counter(Protocol):
    """Counts tokens: one number for each text, in order, and a name for reports."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the tokens of each text, in order."""
        ...


class Cached:
    """A counter that remembers its last counts.

    Parameters
    ----------
    inner : Counter
        Asked once, in one batch, for the texts of a call that are not remembered.
    size : int
        Between `size` and twice as many counts are remembered, at some 200 bytes each.

    Examples
    --------
    >>> cached = Cached(Called(len))
    >>> cached.count(["four", "three", "four"])
    [4, 5, 4]
    """

    def __init__(self, inner: Counter, size: int = 1 << 16) -> None:
        self.name, self._inner, self._size = inner.name, inner, size
        self._recent: dict[tuple[int, int], int] = {}
        self._older: dict[tuple[int, int], int] = {}

    def __repr__(self) -> str:
        return f"Cached({self._inner!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the tokens of each text; errors of the inner counter are passed on."""
        # Keyed by hash and length, not by text, so that no history is kept alive: two of 100,000
        # texts share a 64-bit hash once in some 10^9 runs, and then only a count is wrong. Two
        # generations bound the memory and need no lock: each step on a dict is atomic.
        keys = list(zip(map(hash, texts), map(len, texts), strict=True))
        counts = list(map(self._recent.get, keys))
        missed = {key: text for key, text, n in zip(keys, texts, counts, strict=True) if n is None}
        if missed:
            found = self._look_up(missed)
            counts = [found[key] if n is None else n for key, n in zip(keys, counts, strict=True)]
        return counts  # type: ignore[return-value]

    def _look_up(self, missed: dict[tuple[int, int], str]) -> dict[tuple[int, int], int]:
        """Find counts in the older generation or ask for them, and make them recent."""
        found = {key: n for key in missed if (n := self._older.get(key)) is not None}
        unknown = {key: text for key, text in missed.items() if key not in found}
        if unknown:
            counts = self._inner.count(list(unknown.values()))
            found.update(zip(unknown, counts, strict=True))
        latest = dict(list(found.items())[-self._size :])
        if len(self._recent) + len(latest) > self._size:
            self._older, self._recent = self._recent, {}
        self._recent.update(latest)
        return found


class Called:
    """A counter made of a function from one text to its number of tokens.

    Whatever the function raises is passed on.

    >>> Called(lambda text: len(text) // 4).count(["twelve chars"])
    [3]
    """

    def __init__(self, function: Callable[[str], int]) -> None:
        self.name = getattr(function, "__qualname__", type(function).__qualname__)
        self._function = function

    def __repr__(self) -> str:
        return f"Called({self._function!r})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the tokens of each text, one call each."""
        return [_number(self._function(text)) for text in texts]


def _number(value: object) -> int:
    """Read a count; an encoder that gives the tokens themselves is a likely slip."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0:
        raise SettingError(
            f"the function gave {type(value).__name__} {value!r:.40}",
            where="counter",
            remedy="return the number of tokens, such as len(encode(text))",
        )
    return number


def well_formed(text: str) -> str:
    r"""Replace lone surrogates, which no encoder takes, as OpenAI's tiktoken does.

    >>> ascii(well_formed("a\ud800b"))
    "'a\\ufffdb'"
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
