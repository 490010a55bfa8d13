r"""Spans: the lines, records and sentences of a text, and the text without some of them.

Spans follow each other without a rest. A text is first cut into lines, then each long line into
JSON records and sentences; what is still long is cut at the line breaks that a JSON string
writes as ``\n``, and after all at blanks. Every place to cut has a line break, a blank or a
punctuation mark that no identifier holds on one of its sides, so that none is ever torn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from operator import itemgetter

__all__ = ["bounds", "gaps", "marker", "shortened"]

_LEAST = 24  # characters; what is shorter costs less than the marker in its place

_RECORDS = r',(?=[ \t]*+\\*+["{\[])'
_SENTENCES = r"""[.!?؟।]["'”’»)\]*]*+(?=[ \t]++["'“‘«(\[*]*+[^\W\d_a-zß-öø-ÿα-ωа-я])"""
_CJK_SENTENCES = r"[。！？｡]++[」』”’）】]*+"

# Texts longer than so many characters may be cut where a match ends. Nothing is read twice:
# quantifiers are possessive, and what one match has looked at begins no other.
_LEVELS = (
    (0, re.compile(r"[\r\n]++")),
    (100, re.compile(f"{_RECORDS}|{_SENTENCES}|{_CJK_SENTENCES}")),
    (400, re.compile(r"(?<!\\)(?=\\++n)")),
    (400, re.compile(r"(?s:.{200})[^\s;]*+;*+")),
)


def bounds(text: str) -> list[int]:
    r"""Cut a text into spans: where each begins, and where the last one ends.

    Returns
    -------
    list of int
        Ascending offsets from 0 to ``len(text)``; just ``[0]`` for an empty text. Between two
        neighbours lies a span of at least 24 characters, unless the whole text is shorter.

    Examples
    --------
    >>> text = "a line of some characters\nand a second one, as long as it\n"
    >>> [text[start:end] for start, end in pairwise(bounds(text))]
    ['a line of some characters\n', 'and a second one, as long as it\n']
    """
    offsets = [0, len(text)] if text else [0]
    for longest, place in _LEVELS:
        offsets = _refined(text, offsets, place, longest)
    return offsets


def _refined(text: str, offsets: Sequence[int], place: re.Pattern[str], longest: int) -> list[int]:
    """Cut the spans that are longer than `longest` where the pattern's matches end."""
    refined = [0]
    for start, end in pairwise(offsets):
        if end - start > longest:
            for match in place.finditer(text, start, end):
                if match.end() - refined[-1] >= _LEAST <= end - match.end():
                    refined.append(match.end())
        refined.append(end)
    return refined


def marker(tokens: int) -> str:
    """Write what stands in the place of so many tokens: inert, and no identifier in it.

    >>> marker(312), marker(4096)
    ('[312 tokens cut]', '[4,096 tokens cut]')
    """
    return f"[{tokens:,} tokens cut]"


def gaps(text: str, bounds: Sequence[int], kept: Sequence[bool]) -> list[tuple[int, int]]:
    r"""Find what goes when some spans are kept: the start and end of each gap, in order.

    A gap is as many neighbouring spans as are not kept, without the line break at its end, so
    that lines stay lines.

    Parameters
    ----------
    text, bounds
        A text and its spans, as `bounds` gives them.
    kept : sequence of bool
        One for each span.

    Raises
    ------
    ValueError
        If `kept` is not of one length with the spans.

    Examples
    --------
    >>> gaps("one\ntwo\nthree\n", [0, 4, 8, 14], [True, False, False])
    [(4, 13)]
    """
    spans = zip(pairwise(bounds), kept, strict=True)
    runs = [[span for span, _ in run] for stays, run in groupby(spans, itemgetter(1)) if not stays]
    found = [(run[0][0], _before_break(text, run[0][0], run[-1][1])) for run in runs]
    return [(start, end) for start, end in found if start < end]


def _before_break(text: str, start: int, end: int) -> int:
    if text.endswith("\r\n", start, end):
        return end - 2
    return end - text.endswith(("\r", "\n"), start, end)


def shortened(text: str, gaps: Sequence[tuple[int, int]], tokens: Sequence[int]) -> str:
    r"""Put a marker in the place of each gap; what lies between stays word for word.

    Parameters
    ----------
    text : str
    gaps : sequence of (int, int)
        Start and end of each, ascending and apart, as `gaps` gives them.
    tokens : sequence of int
        What ``text[start:end]`` of each gap costs; one batch of a counter may price the gaps of
        many texts.

    Raises
    ------
    ValueError
        If there are not as many numbers as gaps.

    Examples
    --------
    >>> shortened("one\ntwo\nthree\n", [(4, 13)], [3])
    'one\n[3 tokens cut]\n'
    """
    pieces, at = [], 0
    for (start, end), count in zip(gaps, tokens, strict=True):
        pieces += [text[at:start], marker(count)]
        at = end
    return "".join([*pieces, text[at:]])
