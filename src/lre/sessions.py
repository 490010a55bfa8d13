"""`Sessions`: the same as `History`, for callers that send the whole list with every request.

What a `History` with `low` evicts is a function of the messages and of when they were read. An
agent reads them right before each turn of the assistant's; so a list alone tells what is gone,
and the same is gone after a restart, on another machine, in another thread. Nothing is stored:
histories that were met before are only kept to be quick.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lre.decide import Eviction
from lre.dialects import check_list, get, read, recognise
from lre.errors import BudgetError, SettingError, UnknownNameError
from lre.history import History
from lre.policies import lacking
from lre.policies import policy as get_policy

__all__ = ["Sessions"]

_SETTINGS = tuple(inspect.signature(History).parameters)


class Sessions:
    """Fits the growing lists of any number of conversations.

    Parameters
    ----------
    budget, low, **settings
        As in `History`; `low` is 0.7 unless said otherwise, and the budget a number of tokens.
    most : int
        How many conversations are remembered. One that is not is read anew, from its start,
        and nothing else of it changes.

    Raises
    ------
    SettingError
        If a setting is none, or cannot be used.
    MissingExtraError
        If the policy wants a package that is not installed.

    Examples
    --------
    >>> sessions = Sessions(budget=8000)
    >>> chat = [{"role": "user", "content": "Book flight HAT021"}]
    >>> sessions.fit(chat).messages is chat
    True

    Safe to use from several threads. A conversation whose dicts or lists were changed in place
    is read anew; other objects must not be changed once they were given.
    """

    def __init__(
        self,
        budget: float | str | None = None,
        *,
        low: float | None = 0.7,
        most: int = 64,
        **settings: Any,
    ) -> None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise SettingError(f"{most!r} is no number", where="most", remedy="give 64, say")
        if isinstance(settings.get("pin"), Iterator):
            raise SettingError("is read for each conversation", where="pin", remedy="give a list")
        policy = get_policy(settings.pop("policy", "lre"))
        if missing := lacking(policy):
            raise missing
        self._settings = {"budget": budget, "low": low, "policy": policy, **settings}
        _check(self._settings)
        self._dialect: str | None = settings.get("dialect")
        self._new()  # says what is wrong with the settings
        self._most, self._known, self._lock = most, list[_Met](), threading.Lock()

    def fit(
        self, messages: Sequence[Any], *, system: object = None, tools: object = None
    ) -> Eviction:
        """Evict what has to go from a list that may begin with one that was given before.

        `system` and `tools` are what goes with this request apart from the messages. The result
        holds the objects given now; if nothing goes, the very list.

        Raises
        ------
        MessageError
            If `messages` is no list of messages.
        """
        check_list(messages)
        history, seen = self._take(messages) or _Met(self._new(), [])
        history.beside(system=_copied(system), tools=_copied(tools))
        start = len(history)
        for end in self._turns(messages, start):
            history.extend(messages[start:end])
            history.settle()
            start = end
        history.extend(messages[start:])
        eviction = history.eviction
        self._keep(_Met(history, [*seen, *map(_copied, messages[len(seen) :])]))
        return _as_given(eviction, messages)

    def _new(self) -> History:
        return History(**self._settings)

    def _turns(self, messages: Sequence[Any], start: int) -> Iterator[int]:
        """Give where turns of the assistant's begin: there the list was read, and answered."""
        dialect = get(self._dialect) if self._dialect else recognise(messages)
        for index, message in enumerate(read(dialect, messages[start:], start=start), start):
            if message.role == "assistant" and not message.continues and index > start:
                yield index

    def _take(self, messages: Sequence[Any]) -> _Met | None:
        """Take out the longest history that the messages begin with: nobody else may grow it."""
        with self._lock:
            fitting = [met for met in self._known if met.opens(messages)]
            if not fitting:
                return None
            longest = max(fitting, key=lambda met: len(met.seen))
            self._known = [met for met in self._known if met is not longest]
            return longest

    def _keep(self, met: _Met) -> None:
        with self._lock:
            self._known = [met, *self._known][: self._most]


def _check(settings: Mapping[str, Any]) -> None:
    """Refuse what is no setting of a history, and a share of a list that grows."""
    for name, value in settings.items():
        if name not in _SETTINGS:
            raise UnknownNameError("setting", name, _SETTINGS)
        if name in ("budget", "older_budget") and isinstance(value, str) and "%" in value:
            raise BudgetError(
                f"{value!r} of a list that grows bounds nothing", where=name, remedy="give tokens"
            )


class _Met(NamedTuple):
    """A history, and its messages as they were when they were read."""

    history: History
    seen: list[Any]

    def opens(self, messages: Sequence[Any]) -> bool:
        """Tell whether these messages begin with the ones that were read."""
        seen, size = self.seen, len(self.seen)
        try:
            if not 0 < size <= len(messages) or seen[-1] != messages[size - 1]:
                return False
            return seen == list(messages[:size])
        except Exception:  # such as arrays, which cannot be compared as a whole
            return False


def _copied(value: Any) -> Any:
    """Copy dicts and lists, however deep; all else is shared."""
    if type(value) is dict:
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if type(value) is list else value


def _as_given(eviction: Eviction, messages: Sequence[Any]) -> Eviction:
    """Put the objects of this request in the place of equal ones of an earlier request."""
    if eviction.is_unchanged and isinstance(messages, list):
        return replace(eviction, messages=messages)
    cuts = eviction.receipt.outcome.choice.cuts
    places = zip(eviction.places, eviction.messages, strict=True)
    own = [entry if at is None or at in cuts else messages[at] for at, entry in places]
    return replace(eviction, messages=own)
