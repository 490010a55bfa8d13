r"""What every reader of logs promises, as a class of tests to inherit.

A reader's test names it, and gives a small healthy log that was written by hand::

    class TestMine(ReaderContract):
        reader = "mine"

        def sample(self) -> bytes:
            return b'{"said": …}\n{"called": …}\n{"returned": …}\n'

pytest then runs every check below on it. A log whose lines are values by themselves is taken for
JSON Lines, any other for a document.
"""

# ruff: noqa: D102 - the names of the tests say what they test

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from lre import dialects
from lre.dialects.pairing import pairs
from lre.errors import LogError, LreError, MissingExtraError
from lre.messages import ToolCall
from lre.testing.logs import (
    dumped,
    ends_whole,
    is_lines,
    packed,
    spoiled,
    values,
    whole_lines,
    with_a_broken_line,
)
from lre.traces import READERS, Skipped, Trace, read, readers

try:
    import pytest
except ImportError as error:
    raise MissingExtraError("pytest", "testing") from error

__all__ = ["GENERAL", "ReaderContract", "spoiled"]

GENERAL = frozenset({"lists"})
"""Readers that are asked last, and may recognise what a specific reader reads."""

_FOREIGN: tuple[Any, ...] = (
    *(None, True, 7, "text", [], {}, [[]], [None], {"": None}),
    {"name": "package", "version": "1.0.0", "dependencies": {"a": "^1"}},
    {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}}]},
    {"cells": [{"cell_type": "code", "source": ["1"]}], "metadata": {}, "nbformat": 4},
    {"timestamp": "2026-01-01T00:00:00Z", "level": "info", "message": "started"},
    [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}],
)
_CUTS = 300  # at most so many places where the sample is cut


class ReaderContract:
    """The checks of one reader; inherit it in a test class.

    Attributes
    ----------
    reader : str
        The reader's name in `lre.traces.READERS`.
    sessions : int
        How many sessions the sample holds.
    """

    reader: ClassVar[str]
    sessions: ClassVar[int] = 1

    def sample(self) -> bytes:
        """Give a healthy log in UTF-8, with one call and its result at least."""
        raise NotImplementedError

    def test_the_sample_is_recognised_by_this_reader_alone(self) -> None:
        found = values(self.sample())
        claims = {one.name for one in readers() if any(map(one.recognises, found))}
        assert self.reader in READERS
        assert claims - GENERAL == {self.reader} - GENERAL, f"recognised by {sorted(claims)}"
        by = {trace.meta["reader"] for trace in _read(self.sample())}
        assert by == {self.reader}, f"read by {by}"

    def test_other_json_is_not_recognised(self) -> None:
        (reader,) = (one for one in readers() if one.name == self.reader)
        taken = [value for value in _FOREIGN if reader.recognises(value)]
        assert not taken, f"taken for {self.reader}: {taken}"

    def test_every_session_is_read_without_a_problem(self) -> None:
        found = list(read(io.BytesIO(self.sample()), strict=True))
        assert len(found) == self.sessions, f"{len(found)} sessions"
        for trace in found:
            assert trace.messages
            assert trace.task
            assert trace.meta["where"].startswith("stream")
            json.dumps(trace.messages)

    def test_messages_parse_and_the_provider_would_take_them(self) -> None:
        for trace in _read(self.sample()):
            dialect, messages = dialects.parse(trace.messages)
            problems = dialect.problems(messages)
            assert not problems, f"{dialect.name}: {problems}"

    def test_there_is_a_call_and_every_result_stays_with_its_call(self) -> None:
        parsed = [dialects.parse(trace.messages)[1] for trace in _read(self.sample())]
        parts = [part for messages in parsed for one in messages for part in one.parts]
        assert any(isinstance(part, ToolCall) for part in parts), "the sample makes no call"
        paired = [pair for messages in parsed for pair in pairs(messages)]
        assert paired, "the sample has no result"
        for index, result, caller in paired:
            assert caller is not None, f"messages[{index}]: no call for {result.call_id!r}"

    def test_reading_twice_gives_the_same(self) -> None:
        assert _read(self.sample()) == _read(self.sample())

    @pytest.mark.parametrize("packing", ["gz", "xz", "bz2", "zst"])
    def test_a_compressed_log_reads_the_same(self, packing: str) -> None:
        if packing == "zst":
            pytest.importorskip("zstandard", reason="zstandard is not installed")
        assert _read(packed(self.sample(), packing)) == _read(self.sample())

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_a_byte_order_mark_tells_the_encoding(self, encoding: str) -> None:
        assert _read(self.sample().decode().encode(encoding)) == _read(self.sample())

    def test_the_ending_of_a_files_name_means_nothing(self, tmp_path: Path) -> None:
        for name in ("log.json", "log.jsonl", "log"):
            path = tmp_path / name
            path.write_bytes(self.sample())
            assert _said(list(read(path, strict=True))) == _said(_read(self.sample()))

    @pytest.mark.parametrize("other", [b"", b"\n", b"{}", b'{"name": "x"}', b"# Notes\n" * 200])
    def test_an_empty_file_and_no_log_are_refused_with_a_remedy(self, other: bytes) -> None:
        with pytest.raises(LogError, match=r"^[^\n]+ @ stream") as caught:
            _read(other)
        assert caught.value.remedy or "no log" in caught.value.what

    def test_a_cut_log_gives_what_stands_before_the_cut_and_tells_the_place(self) -> None:
        sample, full = self.sample(), _said(_read(self.sample()))
        for cut in range(1, len(sample), 1 + len(sample) // _CUTS):
            told: list[Skipped] = []
            found = _said(_tried(sample[:cut], told))
            if is_lines(sample):
                assert found == _said(_tried(whole_lines(sample[:cut]))), f"cut at {cut}"
            else:
                assert all(map(_starts, found, full)), f"cut at {cut}"
            assert told or ends_whole(sample[:cut]), f"the cut at {cut} is not reported"
            line = sample[:cut].rstrip().count(b"\n") + 1
            for problem in told if found else ():
                assert problem.where == f"stream:{line}", f"cut at {cut}: {problem}"

    def test_a_broken_line_is_reported_by_its_number_and_the_rest_is_read(self) -> None:
        for number, broken in _with_a_broken_line(self.sample()):
            told: list[Skipped] = []
            found = _said(_tried(broken, told))
            assert [problem.where for problem in told] == [f"stream:{number}"], told
            assert found == _said(_read(self.sample())), f"line {number} broken"

    def test_strict_reading_stops_at_the_broken_line(self) -> None:
        for number, broken in _with_a_broken_line(self.sample()):
            with pytest.raises(LogError) as caught:
                list(read(io.BytesIO(broken), strict=True))
            assert caught.value.where == f"stream:{number}"

    def test_bytes_of_another_encoding_are_reported(self) -> None:
        end = self.sample().rindex(b'"')  # inside the last text
        told: list[Skipped] = []
        _tried(self.sample()[:end] + "ä".encode("latin-1") + self.sample()[end:], told)
        assert any("invalid UTF-8" in problem.what for problem in told), told

    def test_junk_in_any_place_raises_nothing_but_a_log_error(self) -> None:
        found = values(self.sample())
        for place, value in enumerate(found):
            for junk in spoiled(value):
                for trace in _tried(dumped([*found[:place], junk, *found[place + 1 :]])):
                    _parsed_or_refused(trace)


def _read(data: bytes) -> list[Trace]:
    """Read a log that has no fault."""
    return list(read(io.BytesIO(data), strict=True))


def _tried(data: bytes, told: list[Skipped] | None = None) -> list[Trace]:
    """Read what may be broken; an error counts as a problem that was told."""
    problems = told if told is not None else []
    found: list[Trace] = []
    try:
        found.extend(read(io.BytesIO(data), on_problem=problems.append))
    except LogError as error:
        if "\n" in str(error):
            raise
        problems.append(Skipped(error.where, error.what))
    return found


def _with_a_broken_line(sample: bytes) -> Iterator[tuple[int, bytes]]:
    if not is_lines(sample):
        pytest.skip("the format is a document, not JSON Lines")
    return with_a_broken_line(sample)


def _said(traces: list[Trace]) -> list[list[Any]]:
    return [trace.messages for trace in traces]


def _starts(part: list[Any], whole: list[Any]) -> bool:
    return part == whole[: len(part)]


def _parsed_or_refused(trace: Trace) -> None:
    try:
        dialect, messages = dialects.parse(trace.messages)
        dialect.problems(messages)
    except LreError as error:
        if not error.where:  # a path into what was handed on as it stood
            raise
