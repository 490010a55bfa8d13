"""Paths to traces: files, folders and standard input, with what cannot be read reported."""

from __future__ import annotations

import io
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, NoReturn

from lre.errors import LogError, SettingError
from lre.traces.base import Reader, Record, Skipped, Trace
from lre.traces.files import parts
from lre.traces.registry import readers
from lre.traces.reports import PATIENCE, Reports, Tell, warn

__all__ = ["Source", "pick", "read"]

Source = str | os.PathLike[str] | IO[bytes]
_ARCHIVE = "inspect"  # the reader of logs that are archives as a whole: .eval
_EMPTY = "the file is empty"
_REMEDY = "give one of the formats that `lre formats` lists"

Refuse = Callable[[LogError], None]
Opener = Callable[[], AbstractContextManager[IO[bytes]]]


def read(path: Source, *, strict: bool = False, on_problem: Tell | None = None) -> Iterator[Trace]:
    """Read the sessions of a log file, of all the logs in a folder, or of a binary stream.

    Parameters
    ----------
    path : str, path or binary stream
        A folder is searched in sorted order, without hidden files; ``"-"`` is standard input.
        A stream stays open.
    strict : bool
        Stop at the first record that cannot be read, instead of skipping it. Files of a
        folder that are no logs are skipped all the same.
    on_problem : callable, optional
        Called with a `Skipped` for whatever is skipped (default: a warning in the log
        ``lre.traces``).

    Raises
    ------
    LogError
        If a file or stream holds no session that can be read, if none of a folder's files
        does, or at any bad record where `strict`.
    MissingExtraError
        For a Zstandard file without the `zstandard` package.
    """
    tell = on_problem or warn
    if path == "" or (path == "-" and sys.stdin is None):
        what = "standard input is closed" if path else "the path is empty"
        raise LogError(what, where="path", remedy="name a file or folder")
    if isinstance(path, str | os.PathLike) and path != "-":
        if Path(path).is_dir():
            yield from _folder(Path(path), tell, strict)
        else:
            yield from _log(partial(_open, path), str(path), Reports(tell, strict), _raise)
        return
    stream, name = (sys.stdin.buffer, "stdin") if isinstance(path, str) else (path, "stream")
    if isinstance(stream, io.TextIOBase):
        raise SettingError("a text stream", where="path", remedy="pass its binary `.buffer`")
    yield from _log(lambda: nullcontext(stream), name, Reports(tell, strict), _raise)


def pick(
    path: Source, session: int = 0, *, strict: bool = False, on_problem: Tell | None = None
) -> tuple[Trace, int]:
    """Give one session of a log, counted from 0, and how many there are.

    Raises
    ------
    LogError
        If there is no such session, and for all that `read` raises.
    """
    chosen, count = None, 0
    for count, trace in enumerate(read(path, strict=strict, on_problem=on_problem), 1):
        if count == session + 1:
            chosen = trace
    if chosen is None:
        held = "1 session: choose 0" if count == 1 else f"{count} sessions: choose 0 to {count - 1}"
        where = str(path) if isinstance(path, str | os.PathLike) else "stream"
        raise LogError(f"no session {session}", where=where, remedy=f"the log holds {held}")
    return chosen, count


def _folder(root: Path, tell: Tell, strict: bool) -> Iterator[Trace]:
    def refuse(error: LogError) -> None:
        tell(Skipped(error.where, error.what))

    empty = True
    for path in _files(root, tell):
        for trace in _log(partial(_open, path), str(path), Reports(tell, strict), refuse):
            empty = False
            yield trace
    if empty:
        raise LogError("no log in this folder", where=str(root), remedy=_REMEDY)


def _files(root: Path, tell: Tell) -> list[Path]:
    def closed(error: OSError) -> None:
        tell(Skipped(str(error.filename), f"the folder cannot be read ({error.strerror})"))

    found: list[Path] = []
    for folder, inner, names in os.walk(root, onerror=closed):
        inner[:] = [name for name in inner if not name.startswith(".")]
        found += [Path(folder, name) for name in names if not name.startswith(".")]
    return sorted(filter(Path.is_file, found))


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise LogError(f"the file cannot be opened ({reason})", where=str(path)) from None


def _log(opener: Opener, where: str, reports: Reports, refuse: Refuse) -> Iterator[Trace]:
    """Read one file; what is no log at all, or holds no session, is refused."""
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(opener())
        except LogError as error:
            refuse(error)
            return
        faults: list[LogError] = []
        empty = True
        for trace in _named(_sessions(stream, where, reports, faults), Path(where).name):
            empty = False
            yield trace
        if empty:
            fault = LogError("no session with messages can be read", where=where)
            refuse(faults[0] if faults else fault)


def _sessions(
    stream: IO[bytes], where: str, reports: Reports, faults: list[LogError]
) -> Iterator[Trace]:
    """Read a file, or each file of an archive; what is no log at all is a fault."""
    files = parts(stream, where, reports)
    known = False
    for place, records in files:
        try:
            reader, found = _choose(records, place, reports)
        except LogError as error:
            reports.forget(place)
            faults.append(error)
            continue
        if not known:
            reports.release()
        known = True
        rest = itertools.chain.from_iterable(more for _, more in files)
        whole = itertools.chain(found, rest) if reader.name == _ARCHIVE else found
        yield from reader.traces(whole, reports)
    for fault in faults if known else ():
        if fault.what != _EMPTY:
            reports(fault.where, fault.what)


def _choose(
    found: Iterator[Record], where: str, reports: Reports
) -> tuple[Reader, Iterator[Record]]:
    """Ask the readers about one record after another; the first that recognises one reads all."""
    seen: list[Record] = []
    for record in itertools.islice(found, PATIENCE):
        seen.append(record)
        for reader in readers():
            if reader.recognises(record.value):
                return reader, itertools.chain(seen, found)
    if any(record.value for record in seen):
        raise LogError("no known log format", where=where, remedy=_REMEDY)
    if reports.held:
        raise LogError(reports.held[0].what, where=reports.held[0].where)
    raise LogError(_EMPTY, where=where, remedy=_REMEDY)


def _named(traces: Iterator[Trace], name: str) -> Iterator[Trace]:
    """Name the traces that have no name by their file, and number them where there are several."""
    head = list(itertools.islice(traces, 2))
    for k, trace in enumerate(itertools.chain(head, traces)):
        numbered = f"{name}#{k}" if len(head) > 1 else name
        yield trace if trace.name else replace(trace, name=numbered)


def _raise(error: LogError) -> NoReturn:
    raise error
