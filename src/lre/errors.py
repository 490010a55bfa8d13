"""Every error that `lre` raises on purpose.

Each message is one line that says what is wrong, where, and what to do::

    LreError
    ├── InputError            (ValueError)    the caller's data cannot be used
    │   ├── MessageError                      a message list: its path says which entry
    │   ├── LogError                          a log file: its path says which line
    │   └── ScorerFileError                   a scorer file that is cut, foreign or too new
    ├── SettingError          (ValueError)    an argument cannot be used
    │   ├── BudgetError                       neither, both, or no positive number
    │   └── UnknownNameError                  no such policy, dialect, counter, …
    ├── TrainingError         (ValueError)    the logs hold too little to learn from
    └── MissingExtraError     (ImportError)   an optional package is not installed
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BudgetError",
    "InputError",
    "LogError",
    "LreError",
    "MessageError",
    "MissingExtraError",
    "ScorerFileError",
    "SettingError",
    "TrainingError",
    "UnknownNameError",
]


class LreError(Exception):
    """The root: catch this to catch whatever `lre` raises on purpose.

    >>> str(LreError("content is a number", where="messages[3].content", remedy="pass a string"))
    'content is a number @ messages[3].content: pass a string'
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        place = f" @ {where}" if where else ""
        super().__init__(f"{what}{place}: {remedy}" if remedy else f"{what}{place}")

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way from one process to another, whatever a subclass takes."""
        return _again, (type(self), self.what, self.where, self.remedy)


def _again(kind: type[LreError], what: str, where: str, remedy: str) -> LreError:
    error = kind.__new__(kind)
    LreError.__init__(error, what, where=where, remedy=remedy)
    return error


class InputError(LreError, ValueError):
    """The caller's data cannot be used."""


class MessageError(InputError):
    """Something is no list of messages, or an entry of it cannot be read."""


class LogError(InputError):
    """A log file, or one record of it, cannot be read."""


class ScorerFileError(InputError):
    """A scorer file is cut, foreign, or written by a newer version."""


class SettingError(LreError, ValueError):
    """An argument cannot be used."""


class BudgetError(SettingError):
    """Not exactly one budget, or one that is no positive number."""


class UnknownNameError(SettingError):
    """A name that no registry knows; the message lists the choices.

    >>> str(UnknownNameError("policy", "lru", ["fifo", "lre"]))
    "unknown policy 'lru': choose from fifo, lre"
    """

    def __init__(self, kind: str, name: object, choices: Iterable[str]) -> None:
        super().__init__(
            f"unknown {kind} {name!r}", remedy="choose from " + ", ".join(sorted(choices))
        )


class TrainingError(LreError, ValueError):
    """The logs hold too little to learn from."""


class MissingExtraError(LreError, ImportError):
    """An optional package is not installed.

    >>> str(MissingExtraError("scikit-learn", "train"))
    "scikit-learn is not installed: pip install 'lre[train]'"
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed", remedy=f"pip install 'lre[{extra}]'")
