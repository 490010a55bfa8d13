"""What becomes of the problems in a file: held back, told, or raised."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NoReturn

from lre.errors import LogError
from lre.traces.base import Skipped

__all__ = ["PATIENCE", "Reports", "Tell", "warn"]

PATIENCE = 100
"""Records, or broken lines, after which a file is taken for no log."""

Tell = Callable[[Skipped], None]


class Reports:
    """Problems of one file: held back until it proves to be a log, then told or raised."""

    def __init__(self, tell: Tell, strict: bool) -> None:
        self.held: list[Skipped] = []
        self._tell = _stop if strict else tell
        self._holding = True

    def __call__(self, where: str, what: str) -> None:
        """Take one problem; too many of them mean that the file is no log."""
        if self._holding:
            self.held.append(Skipped(where, what))
        else:
            self._tell(Skipped(where, what))
        if self._holding and len(self.held) >= PATIENCE:
            raise LogError(f"no log: {PATIENCE} lines of it are no JSON", where=where)

    def forget(self, place: str) -> None:
        """Drop what was held back of one file: it is no log."""
        self.held = [one for one in self.held if not one.where.startswith(place)]

    def release(self) -> None:
        """Tell what was held back, and the rest as it comes."""
        self._holding = False
        for problem in self.held:
            self._tell(problem)


def warn(problem: Skipped) -> None:
    """Log a problem as a warning of ``lre.traces``."""
    logging.getLogger("lre.traces").warning("%s: %s", problem.where, problem.what)


def _stop(problem: Skipped) -> NoReturn:
    raise LogError(problem.what, where=problem.where)
