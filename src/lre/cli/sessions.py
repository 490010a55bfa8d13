"""All sessions of several logs, what of them cannot be read, and how far the work has come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click

from lre.cli.output import tell
from lre.cli.shared import because, parse_session
from lre.errors import LogError
from lre.traces import Skipped, Trace, read

__all__ = ["open_sessions", "progress", "watched"]

_SHOWN = 3  # places of what was skipped

Item = TypeVar("Item")


def open_sessions(paths: Iterable[str], strict: bool) -> tuple[list[Trace], list[Skipped]]:
    """Read all sessions of several logs; a log or a session that cannot be read is skipped.

    Raises
    ------
    LogError
        If none is left, or, where `strict`, at the first.
    """
    skipped: list[Skipped] = []
    faults: list[LogError] = []
    traces: list[Trace] = []
    for path in {Path(path).resolve(): path for path in paths}.values():  # each once
        try:
            found = read(path, strict=strict, on_problem=skipped.append)
            traces += (one for one in found if parse_session(one, None, strict, skipped))
        except LogError as error:
            if strict:
                raise
            faults.append(error)
    if not traces:
        with because(skipped):
            raise faults[0] if faults else LogError(skipped[0].what, where=skipped[0].where)
    skipped += (Skipped(error.where, error.what) for error in faults)
    _tell(skipped)
    return traces, skipped


def _tell(skipped: Sequence[Skipped]) -> None:
    for one in skipped[:_SHOWN]:
        tell(f"skipped: {one.where}: {one.what}")
    if len(skipped) > _SHOWN:
        tell(f"skipped: {len(skipped) - _SHOWN} more")


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[], object] | None]:
    """Show a bar where a terminal shows it; what is given moves it on."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=length, label=label, show_pos=True, file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def watched(items: Sequence[Item], label: str) -> Iterator[Item]:
    """Go through items under a bar."""
    with progress(label, len(items)) as tick:
        for item in items:
            yield item
            if tick:
                tick()
