"""What all integrations share: a framework's list is fitted, told of, and never lost.

Histories are found again by the messages themselves (`lre.sessions`), so what went stays gone
over turns, checkpointers and restarts, and nothing of the framework's own store is touched. On
any error within, the messages go out as they came, and the log says so once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from lre.decide import Eviction
from lre.errors import LreError
from lre.receipt import Receipt
from lre.sessions import Sessions
from lre.telemetry import observed

__all__ = ["Fitted", "Fitter", "Native", "Translator"]

M = TypeVar("M")


class Translator(Protocol[M]):
    """A framework's messages as entries of a dialect, one entry for each message.

    `read` writes a message as an entry of `dialect`. `write` copies a message with the texts of
    an entry that was cut; where there is no message, the entry is a summary by the user, and a
    message of its own. Neither changes what it is given.
    """

    @property
    def dialect(self) -> str | None:
        """The name of the dialect; None if it is to be recognised."""
        ...

    def read(self, message: M) -> Any:
        """Write a message as an entry of the dialect."""
        ...

    def write(self, entry: Any, message: M | None) -> M:
        """Write an entry that was cut, or a summary, as a message."""
        ...


class Native:
    """For frameworks whose messages are entries of a dialect; without a name it is recognised."""

    def __init__(self, dialect: str | None = None) -> None:
        self.dialect = dialect

    def read(self, message: Any) -> Any:
        """Hand on the message."""
        return message

    def write(self, entry: Any, message: Any) -> Any:  # noqa: ARG002
        """Hand on the entry."""
        return entry


@dataclass(frozen=True)
class Fitted(Generic[M]):
    """What to send, and the receipt: None where something failed and the messages are as given."""

    messages: Sequence[M]
    receipt: Receipt | None

    @property
    def is_changed(self) -> bool:
        """Whether the messages are other than those that were given."""
        return self.receipt is not None and not self.receipt.is_unchanged


class Fitter(Generic[M]):
    """Fits the lists of one framework.

    Parameters
    ----------
    name : str
        Of the integration, for logs (``lre.integrations.NAME``) and telemetry.
    translator : Translator
        Reads and writes the framework's messages.
    on_receipt : callable, optional
        Is handed the `Receipt` of every request.
    **settings
        As in `lre.Sessions`: `budget` or `older_budget`, `low`, `policy`, `recent`, `pin`, …

    Raises
    ------
    LreError
        If a setting cannot be used. Nothing else is ever raised.

    Examples
    --------
    >>> fit = Fitter("mine", Native("openai-chat"), budget=8000)
    >>> chat = [{"role": "user", "content": "Book flight HAT021"}]
    >>> fit(chat).messages is chat
    True
    """

    def __init__(
        self,
        name: str,
        translator: Translator[M],
        *,
        on_receipt: Callable[[Receipt], object] | None = None,
        **settings: Any,
    ) -> None:
        self._name, self._translator, self._on_receipt = name, translator, on_receipt
        self._sessions = Sessions(**{"dialect": translator.dialect, **settings})
        self._settings = settings
        self._log = logging.getLogger(f"lre.integrations.{name}")
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def __call__(
        self,
        messages: Sequence[M],
        *,
        system: object = None,
        tools: object = None,
        conversation: str | None = None,
    ) -> Fitted[M]:
        """Fit what is about to be sent.

        `system` and `tools` go with it apart from the messages; `conversation` is the
        framework's name for it, for telemetry alone.
        """
        messages = _held(messages)
        try:
            with observed(conversation, **{"lre.integration": self._name}) as tell:
                fitted, receipt = self._fit(messages, system, tools)
                tell(receipt)
        except Exception as error:
            self._once(logging.ERROR, f"sent unchanged: {_said(error)}", _kind(error), error)
            return Fitted(messages, None)
        self._tell(receipt)
        return Fitted(fitted, receipt)

    def __deepcopy__(self, _: object) -> Fitter[M]:
        """Give itself: frameworks copy agents, and nothing of it belongs to one of them."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Be built anew in another process."""
        named = {**self._settings, "on_receipt": self._on_receipt}
        return partial(Fitter, self._name, self._translator, **named), ()

    def _fit(
        self, messages: Sequence[M], system: object, tools: object
    ) -> tuple[Sequence[M], Receipt]:
        entries = [self._translator.read(message) for message in messages]
        eviction = self._sessions.fit(entries, system=system, tools=tools)
        if eviction.is_unchanged:
            return messages, eviction.receipt
        return self._back(messages, entries, eviction), eviction.receipt

    def _back(
        self, messages: Sequence[M], entries: Sequence[Any], eviction: Eviction
    ) -> Sequence[M]:
        """Give the framework's own objects; what was cut or summed up is written anew."""
        return [
            messages[at]
            if at is not None and entry is entries[at]
            else self._translator.write(entry, None if at is None else messages[at])
            for at, entry in zip(eviction.places, eviction.messages, strict=True)
        ]

    def _tell(self, receipt: Receipt) -> None:
        level = logging.DEBUG if receipt.is_unchanged else logging.INFO
        if not (receipt.over_budget and self._once(logging.WARNING, receipt.summary(), "over")):
            self._log.log(level, "%s", receipt.summary())
        try:
            if self._on_receipt:
                self._on_receipt(receipt)
        except Exception as error:
            self._once(logging.ERROR, f"on_receipt failed: {_said(error)}", _kind(error), error)

    def _once(self, level: int, text: str, key: str, error: Exception | None = None) -> bool:
        """Log what would else be said with every request, and tell whether it was new."""
        with self._lock:
            new = key not in self._known
            self._known.add(key)
        if new:
            self._log.log(level, "%s", text, exc_info=error)
        return new


def _held(messages: object) -> Any:
    """Hold on to what can be read but once: it is still to be sent."""
    return [*messages] if isinstance(messages, Iterator) else messages


def _said(error: Exception) -> str:
    """Say an error in a line: those of `lre` as they are, others with their type."""
    return str(error) if isinstance(error, LreError) else f"{type(error).__name__}: {error}"


def _kind(error: Exception) -> str:
    """Name what went wrong, wherever it did."""
    return f"{type(error).__qualname__} {getattr(error, 'what', '')}"
