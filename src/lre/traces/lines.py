"""Bytes to lines of text: compression and encoding, both recognised by content."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

from lre.errors import MissingExtraError
from lre.traces.base import Report

__all__ = ["Borrowed", "lines"]


def lines(stream: IO[bytes], where: str, report: Report) -> Iterator[tuple[int, str]]:
    """Read a binary stream line by line, with line numbers from 1; the stream stays open.

    gzip, xz, bzip2 and Zstandard are undone. The encoding is UTF-8, or what a byte order mark
    says. Bytes that are no UTF-8 come as lone surrogates (``surrogateescape``), so that the
    line can be reported. Where the data break off, that is reported and the reading ends.

    Raises
    ------
    MissingExtraError
        For Zstandard data without the `zstandard` package.
    """
    number = 0
    try:
        for number, line in enumerate(_text(stream), 1):
            yield number, line
    except UnicodeDecodeError as error:
        report(f"{where}:{number + 1}", f"invalid {error.encoding.upper()} ({error.reason})")
    except _damage() as error:
        report(f"{where}:{number + 1}", f"the file is cut or damaged here ({error})")


class Borrowed(io.RawIOBase):
    """A caller's stream, which stays open when the readers built upon it are closed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the caller's stream."""
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _text(stream: IO[bytes]) -> io.TextIOWrapper:
    packed = io.BufferedReader(Borrowed(stream))
    plain = _unpacked(packed)
    return io.TextIOWrapper(
        plain,
        encoding=json.detect_encoding(plain.peek(4)[:4]),
        errors="surrogateescape",
        newline="\n",
    )


def _unpacked(packed: io.BufferedReader[Any]) -> io.BufferedReader[Any]:
    head = packed.peek(6)
    for magic, unpack in _MAGIC.items():
        if head.startswith(magic):
            return io.BufferedReader(unpack(packed))
    return packed


def _zstandard(packed: IO[bytes]) -> Any:
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        raise MissingExtraError("zstandard", "zstd") from None
    unpacker = zstandard.ZstdDecompressor(max_window_size=2**31)
    return _Chunks(_frames(packed, unpacker.decompressobj))


def _frames(packed: IO[bytes], start: Callable[[], Any]) -> Iterator[bytes]:
    """Undo one frame after another; `zstandard`'s own reader says nothing of a cut one."""
    frame = None
    while data := packed.read(1 << 14):
        while data:
            frame = start() if frame is None or frame.eof else frame
            yield frame.decompress(data)
            data = frame.unused_data
    if frame is not None and not frame.eof:
        raise EOFError("a Zstandard frame has no end")


class _Chunks(io.RawIOBase):
    """Pieces of bytes as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._left = chunks, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            try:
                self._left = memoryview(next(self._chunks))
            except StopIteration:
                return 0
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


_MAGIC: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
    b"\x28\xb5\x2f\xfd": _zstandard,
}


def _damage() -> tuple[type[Exception], ...]:
    """Give what the decompressors raise on data that are cut or damaged."""
    known = (EOFError, OSError, zlib.error, lzma.LZMAError)
    zstandard = sys.modules.get("zstandard")
    return (*known, zstandard.ZstdError) if zstandard else known
