"""Printing and writing: results to standard output or a file, the rest to standard error."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from lre.errors import SettingError

__all__ = ["json_bytes", "show", "strays_to_stderr", "tell", "write"]


@contextmanager
def strays_to_stderr() -> Iterator[None]:
    """Send what compiled code prints on standard output (HiGHS does) to standard error."""
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def tell(message: str, quiet: bool = False) -> None:
    """Print a line on standard error."""
    if not quiet:
        with suppress(OSError):  # where nobody can be told, the work still counts
            click.echo(" ".join(message.splitlines()), err=True)


def json_bytes(value: object) -> bytes:
    r"""Write JSON as UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes its JSON escape.

    >>> json_bytes(["Zürich", "\ud800"]).decode().split()
    ['[', '"Zürich",', '"\\ud800"', ']']
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def show(data: bytes | str) -> None:
    """Print a result.

    Raises
    ------
    SettingError
        If standard output is closed: click would drop the result without a word.
    """
    if sys.stdout is None:
        raise SettingError(
            "standard output is closed", remedy="send it somewhere, or use -o where there is one"
        )
    click.echo(data, nl=not isinstance(data, bytes))


def write(path: str, data: bytes) -> None:
    """Write a file all at once or not at all; ``"-"`` is standard output."""
    target = Path(os.path.realpath(path))
    if path == "-":
        show(data)
    elif target.exists() and not target.is_file():
        target.write_bytes(data)  # a device or a pipe must not be replaced by a file
    else:
        _replace(target, data)


def _replace(target: Path, data: bytes) -> None:
    part = target.with_name(f".lre-{os.getpid()}.part")
    try:
        part.write_bytes(data)
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
