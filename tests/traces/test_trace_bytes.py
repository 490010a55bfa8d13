"""Compression and encoding are told by content, never by a file's name."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from typing import Any

import pytest

from lre.errors import LogError, MissingExtraError
from lre.traces import Skipped, Trace, read

LINES = b"".join(
    json.dumps({"messages": [{"role": "user", "content": f"Grüße {i} \ud83d\ude00"}]}).encode()
    + b"\n"
    for i in range(300)
)
ONE = '[{"role": "user", "content": "Grüße"}]'


def texts(data: bytes, problems: list[Skipped] | None = None) -> list[str]:
    told = problems if problems is not None else []
    return [content(trace) for trace in read(io.BytesIO(data), on_problem=told.append)]


def content(trace: Trace) -> str:
    return str(trace.messages[0]["content"])


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_compressed_logs_read_like_plain_ones(pack: Callable[[bytes], bytes]) -> None:
    assert texts(pack(LINES)) == [f"Grüße {i} 😀" for i in range(300)]


def test_zstandard_is_read_frame_after_frame() -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    skippable = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + bytes(5)
    assert len(texts(zstandard.compress(LINES) + skippable + zstandard.compress(LINES))) == 600


@pytest.mark.parametrize("tail", [b"", bytes(200)])
def test_zstandard_that_is_cut_or_damaged_is_reported(tail: bytes) -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    problems: list[Skipped] = []
    packed = zstandard.compress(LINES) + zstandard.compress(LINES)[:60] + tail
    assert len(texts(packed, problems)) >= 300
    assert "cut or damaged" in problems[-1].what
    with pytest.raises(LogError, match="cut or damaged"):
        texts(zstandard.compress(LINES)[:60] + tail)


def test_zstandard_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"lre\[zstd\]"):
        texts(b"\x28\xb5\x2f\xfd" + bytes(20))


def test_several_gzip_members_are_one_log() -> None:
    assert len(texts(gzip.compress(LINES) * 2)) == 600


def test_a_cut_archive_gives_what_stands_before_the_cut() -> None:
    many = b"".join(
        json.dumps({"messages": [{"role": "user", "content": str(i * 7919 % 10007)}]}).encode()
        + b"\n"
        for i in range(5000)
    )
    packed, problems = gzip.compress(many), list[Skipped]()
    found = texts(packed[: len(packed) // 2], problems)
    assert 0 < len(found) < 5000
    assert found == [str(i * 7919 % 10007) for i in range(len(found))]
    assert "cut or damaged" in problems[-1].what


def test_damage_at_the_start_of_an_archive_is_an_error() -> None:
    with pytest.raises(LogError, match="cut or damaged"):
        texts(b"\x1f\x8b" + bytes(30))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(encoding: str) -> None:
    assert texts(ONE.encode(encoding)) == ["Grüße"]


def test_byte_order_marks_of_joined_files_are_passed_over() -> None:
    line = (json.dumps({"messages": json.loads(ONE)}) + "\n").encode("utf-8-sig")
    assert len(texts(line * 3)) == 3


def test_line_separators_of_unicode_do_not_end_a_line() -> None:
    line = '{"messages": [{"role": "user", "content": "a\u2028b\u0085c"}]}\n'
    assert texts((line * 2).encode()) == ["a\u2028b\u0085c"] * 2


def test_a_line_of_invalid_utf8_is_reported_and_the_rest_read() -> None:
    good, problems = b'{"messages": [{"role": "user", "content": "ok"}]}\r\n', list[Skipped]()
    bad = good.replace(b"ok", b"\xe4\xf6")
    assert texts(good + bad + good, problems) == ["ok", "ok"]
    assert problems == [Skipped("stream:2", "broken JSON at column 44 (invalid UTF-8)")]


def test_a_document_of_invalid_utf8_is_not_patched_up() -> None:
    bad = b'{"messages": [\n{"role": "user",\n"content": "\xff"}]}'
    with pytest.raises(LogError, match=r"invalid UTF-8.* @ stream:3"):
        texts(bad)


def test_utf16_that_is_cut_is_reported() -> None:
    lines, problems = (json.dumps({"messages": json.loads(ONE)}) + "\n") * 2, list[Skipped]()
    assert texts(lines.encode("utf-16")[:-3], problems)
    assert "UTF-16" in problems[-1].what


def test_a_callers_stream_stays_open_and_is_read_in_pieces() -> None:
    stream = io.BytesIO(LINES)
    assert content(next(read(stream))) == "Grüße 0 😀"
    assert not stream.closed


def test_a_stream_is_not_read_ahead_to_its_end() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            return (LINES * (1 + size // len(LINES)))[: size - size % len(LINES)] or LINES[:size]

    stream: Any = Endless()
    found = read(stream, on_problem=lambda _: None)
    assert content(next(found)).startswith("Grüße")
    found.close()  # type: ignore[attr-defined]
