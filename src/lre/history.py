"""`History`: the same as `evict`, for a list that grows."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lre.decide import Eviction, Rules, decide
from lre.dialects import check_list
from lre.dialects.base import as_mapping, preview
from lre.errors import InputError, LreError, MessageError, SettingError
from lre.ledger import Ledger
from lre.messages import Budget
from lre.pins import Pin
from lre.policies import Policy
from lre.policies import policy as get_policy
from lre.remains import Remains, remains
from lre.tokens import CounterSpec

__all__ = ["History"]

_FORMAT, _VERSION = "lre-history", 1


class History:
    """Append as you go, read `messages`; arguments as in `evict`.

    Every message is parsed, counted and read once, and nothing that was appended is deleted.
    Each reading selects anew from all of it, and gives what `evict` would give for the whole
    list. With `low`, a share of the budget, evictions are for good instead: nothing changes
    until the budget is passed, then one cut goes down to that share, so that between cuts the
    prompt only grows at its end and the provider's prompt cache holds. Safe to use from several
    threads.

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
        low: float | None = None,
        policy: str | Policy = "lre",
        granularity: str = "unit",
        oversize: str | None = None,
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
            "low": low,
            "policy": policy,
            "granularity": granularity,
            "oversize": oversize,
            "recent": recent,
            "pin": pin,
            "system": system,
            "tools": tools,
            "dialect": dialect,
            "counter": counter,
            "segmenter": segmenter,
        }
        limit = Budget.of(budget=budget, older_budget=older_budget)
        share = 1 if low is None else low
        self._rules = Rules(limit, get_policy(policy), recent, granularity, share, oversize)
        self._remains = Remains()
        self._ledger = Ledger(dialect, counter, segmenter, pin, system, tools)
        self._lock = threading.RLock()
        self._decided: tuple[Eviction, tuple[Any, ...]] | None = None
        self._spared: int | None = 0  # tokens that are gone for good; None: to be found out

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
            spoken = self._ledger.dialect
            self._ledger.extend(check_list(messages))
            if self._ledger.dialect is not spoken:  # all was read anew, in other pieces
                self._remains, self._spared = self._read_anew(), None
            self._decided = None

    def beside(self, *, system: object = None, tools: object = None) -> None:
        """Say what is sent with the messages but apart from them, from now on.

        Raises
        ------
        SettingError
            If it cannot be counted.
        """
        with self._lock:
            self._ledger.beside(system, tools)
            self._settings.update(system=system, tools=tools)
            self._decided = None

    def settle(self) -> None:
        """Cut now if the budget is passed, as a reading would: for replaying what was read when.

        Takes constant time where nothing has to go.
        """
        with self._lock:
            cost, limit = self._ledger.total + self._ledger.extra, self._rules.limit(self._ledger)
            if self._spared is None or cost - self._spared > limit:
                self._decide()

    def _read_anew(self) -> Remains:
        """Give what remains when messages are read in another dialect."""
        note = self._remains.note
        again = None if note is None else self._ledger.note(note.text, note.at)
        return Remains(self._remains.gone, note=again)

    def __len__(self) -> int:
        """How many messages were appended."""
        return len(self._ledger)

    @property
    def messages(self) -> list[Any]:
        """What to send: a new list of the caller's own objects."""
        with self._lock:
            if self._decided is None and self._fits():
                return list(self._ledger.entries)
            return list(self._decide()[1])

    @property
    def eviction(self) -> Eviction:
        """What `evict` gives for all messages so far, the receipt with it."""
        with self._lock:
            return self._decide()[0]

    def _decide(self) -> tuple[Eviction, tuple[Any, ...]]:
        """Decide once after each append; the messages apart, for a list can be changed."""
        if self._decided is None:
            eviction = decide(self._ledger, self._rules, self._remains)
            self._decided = eviction, tuple(eviction.messages)
            if self._settings["low"] is not None:
                self._remains = eviction.remains
                self._spared = eviction.receipt.before - eviction.receipt.after
        return self._decided

    def _fits(self) -> bool:
        """Whether everything fits, told without looking at units."""
        cost = self._ledger.total + self._ledger.extra
        return self._remains == Remains() and cost <= self._rules.limit(self._ledger)

    def to_dict(self) -> dict[str, Any]:
        """Give settings and messages as plain data for JSON.

        Raises
        ------
        SettingError
            If a setting is an object of your own (a policy, counter or predicate) that JSON
            cannot hold: build the history anew with it, and `extend` it.
        MessageError
            If a message holds such an object; those of the providers' SDKs become dicts.
        """
        settings = {
            name: _plain(value, name, SettingError) for name, value in self._settings.items()
        }
        with self._lock:
            entries, left = list(self._ledger.entries), self._remains
        messages = [_plain_entry(entry, f"messages[{i}]") for i, entry in enumerate(entries)]
        head = {"format": _FORMAT, "version": _VERSION}
        went = _plain(left.to_dict(), "remains", MessageError)
        return {**head, "settings": settings, "messages": messages, **went}

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
        settings, messages = data.get("settings"), data.get("messages")
        try:
            history = cls(**settings)  # type: ignore[arg-type]
        except TypeError as error:
            raise InputError(
                f"has settings that no history takes ({error})",
                where="from_dict",
                remedy="use to_dict's result as it was",
            ) from error
        history.extend(messages)  # type: ignore[arg-type]
        history._leave(data)
        return history

    def _leave(self, data: Mapping[str, Any]) -> None:
        """Take up what was evicted before."""
        try:
            self._remains, self._spared = remains(self._ledger, data), None
        except (TypeError, ValueError, IndexError, KeyError, MessageError) as error:
            raise InputError(
                f"does not fit its messages ({error})",
                where="from_dict",
                remedy="use to_dict's result as it was",
            ) from error


def _plain_entry(entry: object, where: str) -> Any:
    try:
        return _plain(entry, where, MessageError)
    except RecursionError as error:
        raise MessageError(
            "holds itself, or is nested too deeply", where=where, remedy="flatten it"
        ) from error


def _plain(value: object, where: str, error: type[LreError]) -> Any:
    """Give what JSON can hold; SDK objects (pydantic models), nested or not, become dicts."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{i}]", error) for i, item in enumerate(value)]
    if isinstance(value, Mapping) or hasattr(value, "model_dump"):
        fields = as_mapping(value, where)
        if not all(isinstance(key, str) for key in fields):
            raise error("a key is no text", where=where, remedy="use text for keys")
        return {key: _plain(item, f"{where}.{key}", error) for key, item in fields.items()}
    raise error(
        f"{preview(value)} is an object that JSON cannot hold",
        where=where,
        remedy="use a name or text, or build a new History and extend it",
    )
