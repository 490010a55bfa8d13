"""Printing and writing: results to standard output or a file, the rest to standard error."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

__all__ = ["json_bytes", "strays_to_stderr", "tell", "write"]


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
        click.echo(" ".join(message.splitlines()), err=True)


def json_bytes(value: object) -> bytes:
    r"""Write JSON as UTF-8; a lone surrogate, which UTF-8 cannot hold, becomes its JSON escape.

    >>> json_bytes(["Zürich", "\ud800"]).decode().split()
    ['[', '"Zürich",', '"\\ud800"', ']']
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def write(path: str, data: bytes) -> None:
    """Write a file all at once or not at all; ``"-"`` is standard output."""
    target = Path(os.path.realpath(path))
    if path == "-":
        click.echo(data, nl=False)
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
