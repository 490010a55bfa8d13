r"""Copied text: stretches of a value that stand word for word in earlier text.

A stretch has at least 16 characters and three words (``\w+``), begins at the start and ends at
the end of a word in both texts, and equals the other character by character, blanks and case
included. Earlier texts are indexed by every three words with what stands between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from lre.needs.intervals import Interval, common, merged

__all__ = ["CopyIndex", "Match", "clipped"]

K = TypeVar("K", bound=Hashable)

_WORD = re.compile(r"\w+")
_WORDS = 3
_CHARACTERS = 16
_PLACES = 64


class Match(NamedTuple, Generic[K]):
    """``value[start:end] == text[at : at + end - start]`` for the text added as `key`."""

    key: K
    start: int
    end: int
    at: int

    @property
    def span(self) -> Interval:
        """Where it lies in the value."""
        return self.start, self.end


class _Words:
    """A text and where its words start and end."""

    def __init__(self, text: str) -> None:
        self.text = text
        spans = [match.span() for match in _WORD.finditer(text)]
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def trigrams(self) -> Iterator[tuple[int, str]]:
        """Walk every three words with what stands between, each with its offset."""
        for start, end in zip(self.starts, self.ends[_WORDS - 1 :], strict=False):
            yield start, self.text[start:end]


class CopyIndex(Generic[K]):
    """Earlier texts, in which copies are found.

    Adding is linear in the text. For each three words the 64 newest places are kept, so that
    finding takes a bounded number of looks for each word of a value. A stretch can be missed
    only at a place where all of its threes have 64 newer ones.

    >>> index = CopyIndex()
    >>> index.add("log", "Error: cannot open the file config.toml")
    >>> index.find("why does it say 'cannot open the file'?")
    [Match(key='log', start=17, end=37, at=7)]
    """

    def __init__(self) -> None:
        self._keys: list[K] = []
        self._texts: list[str] = []
        self._bases = [0]  # where each text, and the next, starts if all are laid end to end
        self._places: dict[str, list[int]] = {}  # of three words, in the texts laid end to end

    def add(self, key: K, text: str) -> None:
        """Take the next text."""
        base = self._bases[-1]
        self._keys.append(key)
        self._texts.append(text)
        self._bases.append(base + len(text))
        for at, trigram in _Words(text).trigrams():
            places = self._places.setdefault(trigram, [])
            places.append(base + at)
            if len(places) > _PLACES:
                del places[0]

    def find(self, value: str) -> list[Match[K]]:
        """Find all copies, each as long as it can be; by start, shorter before longer.

        Copies of one stretch in several places are several matches, in the order of the texts.
        """
        found: list[tuple[int, int, int]] = []
        reached: dict[int, int] = {}  # how far each diagonal has been followed
        words = _Words(value)
        for start, trigram in words.trigrams():
            for place in self._places.get(trigram, ()):
                if reached.get(place - start, 0) <= start:
                    begin, end = self._grown(words, start, start + len(trigram), place)
                    reached[place - start] = end
                    if end - begin >= _CHARACTERS:
                        found.append((begin, end, place - start + begin))
        return [self._match(*stretch) for stretch in sorted(found)]

    def _grown(self, value: _Words, start: int, end: int, place: int) -> Interval:
        """Grow equal words in both directions as far as they go: start and end in the value."""
        number = bisect_right(self._bases, place) - 1
        return _grown(value, start, end, self._texts[number], place - self._bases[number])

    def _match(self, start: int, end: int, place: int) -> Match[K]:
        number = bisect_right(self._bases, place) - 1
        return Match(self._keys[number], start, end, place - self._bases[number])


def _grown(value: _Words, start: int, end: int, text: str, at: int) -> Interval:
    shift = at - start
    end += _equal_after(value.text, end, text, end + shift)
    start -= _equal_before(value.text, start, text, at)
    if start + shift > 0 and _is_word(text[start + shift - 1]):
        start += 1  # the text's word began before
    if end + shift < len(text) and _is_word(text[end + shift]):
        end -= 1
    first = bisect_left(value.starts, start)
    last = bisect_right(value.ends, end) - 1
    return value.starts[first], value.ends[last]


def _equal_after(a: str, i: int, b: str, j: int) -> int:
    most = min(len(a) - i, len(b) - j)
    return _reach(lambda x, y: a[i + x : i + y] == b[j + x : j + y], most)


def _equal_before(a: str, i: int, b: str, j: int) -> int:
    return _reach(lambda x, y: a[i - y : i - x] == b[j - y : j - x], min(i, j))


def _reach(equal: Callable[[int, int], bool], most: int) -> int:
    """Tell how far two texts are equal, in steps that double until one fails, then halve.

    `equal` compares the characters from one distance to another.
    """
    done, step = 0, 32
    while done + step <= most and equal(done, done + step):
        done, step = done + step, step * 2
    while step := step // 2:
        if done + step <= most and equal(done, done + step):
            done += step
    return done


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def clipped(match: Match[K], value: str, kept: Sequence[Interval]) -> list[Interval]:
    """Give the parts of a match, as offsets in the value, that the kept parts of its text hold.

    A part is trimmed to whole words and must be long enough to count as copied by itself. Kept
    parts (offsets in the text) that touch are taken as one.

    >>> value = "cannot open the file config.toml"
    >>> clipped(Match("log", 0, 32, 7), value, [(0, 21), (21, 30)])
    [(0, 20)]
    """
    whole = [(match.at, match.at + match.end - match.start)]
    shift = match.at - match.start
    parts = [(a - shift, b - shift) for a, b in common(whole, merged(kept))]
    trimmed = (_trimmed(value, start, end, match) for start, end in parts)
    return [part for part in trimmed if _counts(value, *part)]


def _trimmed(value: str, start: int, end: int, match: Match[K]) -> Interval:
    """Shrink a part of a match to its whole words."""
    if start > match.start:
        while start < end and _is_word(value[start - 1]) and _is_word(value[start]):
            start += 1
    if end < match.end:
        while start < end and _is_word(value[end - 1]) and _is_word(value[end]):
            end -= 1
    while start < end and not _is_word(value[start]):
        start += 1
    while start < end and not _is_word(value[end - 1]):
        end -= 1
    return start, end


def _counts(value: str, start: int, end: int) -> bool:
    """Tell whether a stretch is long enough to count as copied."""
    words = _WORD.finditer(value, start, end)
    return end - start >= _CHARACTERS and len([*islice(words, _WORDS)]) == _WORDS
