"""Bytes to records: JSON or JSON Lines, recognised by content, and read past what is broken.

Every reader of a format gets this for free: it never sees a byte, a broken line or a cut file.
"""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import IO, Any

from lre.traces.archives import MAGIC, members
from lre.traces.base import Record, Report
from lre.traces.lines import Borrowed, lines

__all__ = ["parts", "records"]

_DECODER = json.JSONDecoder()
_SPACE = re.compile("[ \t\n\r\ufeff]*")  # files with byte order marks get joined
_ESCAPED = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of bytes that are no UTF-8

Line = tuple[int, str]
Found = tuple[int, Any]


def records(stream: IO[bytes], where: str, report: Report) -> Iterator[Record]:
    """Read the JSON values of a binary stream, one after another, each with its place.

    A first line that ends inside a value starts a document, which is read whole; otherwise
    the lines are read one by one, whatever the file is called, and each may hold several
    values. A broken line is reported and skipped. Of a list that breaks off, the complete
    elements before the break are kept, and the break is reported. Of a zip archive, each file
    is read like this.
    """
    for _, found in parts(stream, where, report):
        yield from found


def parts(stream: IO[bytes], where: str, report: Report) -> Iterator[tuple[str, Iterator[Record]]]:
    """Give the place and the records of each file in a zip archive; anything else is one file."""
    whole = io.BufferedReader(Borrowed(stream))
    files = members(whole, where, report) if _is_archive(whole) else iter([(where, whole)])
    for place, file in files:
        yield place, _placed(_values(lines(file, place, report), place, report), place)


def _placed(found: Iterator[Found], place: str) -> Iterator[Record]:
    head = list(itertools.islice(found, 2))
    alone = len(head) == 1 and head[0][0] == 1
    for number, value in itertools.chain(head, found):
        yield Record(value, place if alone else f"{place}:{number}")


def _is_archive(stream: io.BufferedReader[Any]) -> bool:
    try:
        return stream.peek(len(MAGIC)).startswith(MAGIC)
    except OSError:
        return False  # reading it reports what is wrong


def _values(source: Iterator[Line], where: str, report: Report) -> Iterator[Found]:
    number, first = next((pair for pair in source if pair[1].strip()), (0, ""))
    reading = _decode(first)
    if reading.fault and reading.end >= len(first.rstrip()):
        text = first + "".join(line for _, line in source)
        yield from _document(text, number, where, report)
    else:
        yield from _told(reading, first, number, where, report)
        yield from _by_line(source, where, report)


def _by_line(source: Iterable[Line], where: str, report: Report) -> Iterator[Found]:
    for number, line in source:
        yield from _told(_decode(line), line, number, where, report)


def _document(text: str, number: int, where: str, report: Report) -> Iterator[Found]:
    reading = _decode(text)
    if reading.fault and _stands_alone(text):
        yield from _by_line(enumerate(text.split("\n"), number), where, report)
    else:
        yield from _told(reading, text, number, where, report)


def _stands_alone(text: str) -> bool:
    """Tell whether the second line is a value by itself: then the first was a broken record."""
    second = text.lstrip().partition("\n")[2].lstrip("\r\n").partition("\n")[0]
    return second[:1] in ("{", "[") and not _decode(second).fault


@dataclass(frozen=True, slots=True)
class _Reading:
    """The values of a text, where each begins, and where and why the reading ended."""

    values: list[Found]
    end: int
    fault: str = ""
    begin: int = 0  # of the value at fault


def _told(reading: _Reading, text: str, number: int, where: str, report: Report) -> Iterator[Found]:
    """Report what ended the reading early, and give the values with their line numbers."""
    if reading.fault:
        end = min(reading.end, len(text.rstrip()))
        line = number + text.count("\n", 0, end)
        column = end - text.rfind("\n", 0, end)
        report(f"{where}:{line}", f"broken JSON at column {column} ({reading.fault})")
    seen = 0
    for begin, value in reading.values:
        number += text.count("\n", seen, begin)
        seen = begin
        yield number, value


def _decode(text: str) -> _Reading:
    """Read the values that follow one another in a text, up to its end or the first fault.

    Of a list at fault, the complete elements before the fault count as a value.
    """
    bad = None if text.isascii() else _ESCAPED.search(text)
    sound = text[: bad.start()] if bad else text
    reading = _sequence(sound, 0, between="")
    if bad:
        reading = replace(reading, end=bad.start(), fault="invalid UTF-8")
    if reading.fault and sound.startswith("[", reading.begin):
        elements = _sequence(sound, reading.begin + 1, between=",").values
        whole = [(reading.begin, [element for _, element in elements])] if elements else []
        return replace(reading, values=reading.values + whole)
    return reading


def _sequence(text: str, at: int, between: str) -> _Reading:
    """Read values with only space, or one sign, between them."""
    values: list[Found] = []
    at = begin = _skip(text, at)
    try:
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            values.append((begin, value))
            at = _skip(text, at)
            if not text.startswith(between, at):
                break
            at = begin = _skip(text, at + len(between))
    except RecursionError:
        return _Reading(values, begin, "nested too deeply", begin)
    except json.JSONDecodeError as error:
        return _Reading(values, min(error.pos, len(text)), error.msg, begin)
    except ValueError as error:  # an integer of thousands of digits
        return _Reading(values, begin, str(error), begin)
    return _Reading(values, at, begin=at)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
