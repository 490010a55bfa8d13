"""Zip archives: the files in them, one after another, each as bytes.

The archive's own table at its end says what it holds, and of a file that was written twice, which
one counts. An archive that breaks off has lost its table; what was written before the break is
still found, file after file. Zstandard is handed on as it is: it is recognised by content.
"""

from __future__ import annotations

import io
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

from lre.traces.base import Report

__all__ = ["MAGIC", "members"]

MAGIC = b"PK\x03\x04"

_HEAD = struct.Struct("<4s5H3I2H")  # PKWARE APPNOTE 4.3.7: local file header
_LATER, _ENCRYPTED = 1 << 3, 1 << 0  # its flags: sizes stand behind the data; encrypted
_CHECKED: dict[int, Callable[[bytes], bytes]] = {
    zipfile.ZIP_STORED: bytes,
    zipfile.ZIP_DEFLATED: lambda data: zlib.decompress(data, -zlib.MAX_WBITS),
}
_AS_IT_IS = {zipfile.ZIP_BZIP2, 93}  # 93: Zstandard; both are recognised by content
_SPOOL = 1 << 26  # bytes of an archive that are held in memory and not on disk


def members(stream: IO[bytes], where: str, report: Report) -> Iterator[tuple[str, IO[bytes]]]:
    """Give the place and the content of each file in an archive, in the archive's order.

    What cannot be read is reported and skipped: a damaged or encrypted file, or one that is
    packed by a method that few programs know.
    """
    with tempfile.SpooledTemporaryFile(_SPOOL) as archive:
        shutil.copyfileobj(stream, archive)
        for file in _listed(archive, where, report):
            place = f"{where}/{file.filename}"
            try:
                content = _content(archive, file)
            except (OSError, ValueError, zlib.error, struct.error) as error:
                report(place, f"cannot be unpacked ({error}): skipped")
            else:
                yield place, io.BytesIO(content)


def _listed(archive: IO[bytes], where: str, report: Report) -> list[zipfile.ZipInfo]:
    """Read the table; where there is none, look for the files."""
    try:
        with zipfile.ZipFile(archive) as table:
            newest = {file.filename: file for file in table.infolist() if not file.is_dir()}
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error):
        report(where, "the archive is cut or damaged: what is whole in it is read")
        return list(_found(archive))
    return sorted(newest.values(), key=lambda file: file.header_offset)


def _found(archive: IO[bytes]) -> Iterator[zipfile.ZipInfo]:
    """Go from one file to the next, as long as they say how long they are."""
    size, at = archive.seek(0, io.SEEK_END), 0
    while at + _HEAD.size <= size:
        archive.seek(at)
        magic, _, flags, method, _, _, crc, packed, _, name, extra = _head(archive)
        if magic != MAGIC or flags & _LATER:
            return
        file = zipfile.ZipInfo(archive.read(name).decode("utf-8", "replace"))
        file.header_offset, file.compress_size, file.CRC = at, packed, crc
        file.compress_type, file.flag_bits = method, flags
        yield file
        at += _HEAD.size + name + extra + packed


def _content(archive: IO[bytes], file: zipfile.ZipInfo) -> bytes:
    archive.seek(file.header_offset)
    *_, name, extra = _head(archive)
    archive.seek(name + extra, io.SEEK_CUR)
    data = archive.read(file.compress_size)
    if file.flag_bits & _ENCRYPTED:
        raise ValueError("it is encrypted")
    if file.compress_type in _AS_IT_IS:
        return data
    if file.compress_type not in _CHECKED:
        raise ValueError(f"its compression, method {file.compress_type}, is not known")
    content = _CHECKED[file.compress_type](data)
    if zlib.crc32(content) != file.CRC:
        raise ValueError("its checksum is wrong")
    return content


def _head(archive: IO[bytes]) -> tuple[Any, ...]:
    return _HEAD.unpack(archive.read(_HEAD.size))
