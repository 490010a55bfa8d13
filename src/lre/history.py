"""`History`: the same as `evict`, for a list that grows."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lre.decide import Eviction, Rules, decide
from lre.dialects import check_list
from lre.errors import InputError, SettingError
from lre.ledger import Ledger
from lre.messages import Budget
from lre.pins import Pin
from lre.policies import Policy
from lre.policies import policy as get_policy
from lre.tokens import CounterSpec

__all__ = ["History"]

_FORMAT, _VERSION = "lre-history", 1


class History:
    """Append as you go, read `messages`; arguments as in `evict`.

    Every message is parsed, counted and read once. Nothing is ever deleted: each reading
    selects anew from all that was appended, and gives what `evict` would give for the whole
    list. Safe to use from several threads.

    >>> history = History(budget=8000)
    >>> history.append({"role": "user", "content": "Book flight HAT021"})
    >>> history.messages
    [{'role': 'user', 'content': 'Book flight HAT021'}]
    """

    def __init__(
        self,
        budget: float | str | None = None,
        *,
        older_budget: float | str | None = None,
        policy: str | Policy = "lre",
        recent: int = 5,
        pin: Pin | Iterable[Pin] = (),
        system: object = None,
        tools: object = None,
        dialect: str | None = None,
        counter: CounterSpec = "o200k",
        segmenter: str = "auto",
    ) -> None:
        self._settings = {
            "budget": budget,
            "older_budget": older_budget,
            "policy": policy,
            "recent": recent,
            "pin": pin,
            "system": system,
            "tools": tools,
            "dialect": dialect,
            "counter": counter,
            "segmenter": segmenter,
        }
        limit = Budget.of(budget=budget, older_budget=older_budget)
        self._rules = Rules(limit, get_policy(policy), recent)
        self._ledger = Ledger(dialect, counter, segmenter, pin, system, tools)
        self._lock = threading.RLock()
        self._decided: Eviction | None = None

    def append(self, message: Any) -> None:
        """Take one message; a message that cannot be read leaves the history as it was.

        Raises
        ------
        MessageError
            If it is no message of this dialect.
        """
        self.extend([message])

    def extend(self, messages: Sequence[Any]) -> None:
        """Take several messages, all or none."""
        with self._lock:
            self._ledger.extend(check_list(messages))
            self._decided = None

    def __len__(self) -> int:
        """How many messages were appended."""
        return len(self._ledger)

    @property
    def messages(self) -> list[Any]:
        """What to send: a new list of the caller's own objects."""
        with self._lock:
            if self._decided is None and self._fits():
                return list(self._ledger.entries)
            return list(self.eviction.messages)

    @property
    def eviction(self) -> Eviction:
        """What `evict` gives for all messages so far, the receipt with it."""
        with self._lock:
            if self._decided is None:
                self._decided = decide(self._ledger, self._rules)
            return self._decided

    def _fits(self) -> bool:
        """Whether everything fits, told without looking at units."""
        limit = self._rules.budget.tokens(self._ledger.total)
        return self._ledger.total + self._ledger.extra <= limit

    def to_dict(self) -> dict[str, Any]:
        """Give settings and messages as plain data for JSON.

        Raises
        ------
        SettingError
            If a setting is an object of your own (a policy, counter or predicate) that JSON
            cannot hold: build the history anew with it, and `extend` it.
        """
        for name in ("policy", "counter", "pin"):
            if not _is_plain(self._settings[name]):
                raise SettingError(
                    f"{name} is an object that JSON cannot hold",
                    where=name,
                    remedy="use a name, or build a new History and extend it",
                )
        with self._lock:
            entries = [_plain(entry) for entry in self._ledger.entries]
        head = {"format": _FORMAT, "version": _VERSION}
        return {**head, "settings": dict(self._settings), "messages": entries}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> History:
        """Build what `to_dict` wrote; it decides as the original did.

        Raises
        ------
        InputError
            If the data is something else, or from a later version.
        """
        if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
            raise InputError(
                "is no saved history", where="from_dict", remedy="use to_dict's result"
            )
        if data.get("version") != _VERSION:
            raise InputError(
                f"has version {data.get('version')!r}, this lre reads {_VERSION}",
                where="from_dict",
                remedy="upgrade lre",
            )
        settings = dict(data["settings"])
        history = cls(settings.pop("budget"), **settings)
        history.extend(data["messages"])
        return history


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_plain(item) for item in value)
    return isinstance(value, str | int)


def _plain(entry: Any) -> Any:
    dump = getattr(entry, "model_dump", None)
    return dump(exclude_none=True) if callable(dump) else entry
