"""Everything that is known of a history, brought up to date message by message.

`evict` fills a ledger once, `History` keeps one: the same code, hence the same scores.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lre import dialects
from lre.dialects import Dialect, Recogniser
from lre.features import Moment, Prefix, Uses
from lre.inventory import Inventory
from lre.messages import Media, Message, Text, Unit, is_task
from lre.pieces import Span
from lre.pins import Pin, Pins
from lre.policies import View
from lre.tokens import CounterSpec, extra_cost, message_costs
from lre.tokens import counter as get_counter
from lre.units import Segmenter, owners

__all__ = ["Ledger", "Note"]

_SUMMARY = "[What went before, summed up by a language model:]\n"
_ASIDE = "[Something went from here.]"


class Note(NamedTuple):
    """A summary that stands for messages that went: the user's message that holds it.

    It stands before the message `at`; `cost` is its tokens. Where the dialect wants turns to be
    taken, a word of the assistant's comes first.
    """

    entries: tuple[Any, ...]
    at: int
    cost: int
    text: str


class Ledger:
    """Messages, with what each costs and which unit it belongs to.

    `total` is the tokens of all messages, `extra` those of `system`, `tools` and the reply's
    frame; `pinned` says why a message is pinned wherever it stands.

    A `dialect` of None is recognised from the entries; when a later entry shows that the guess
    was wrong, everything is read again. What features need is counted at the first `view`.
    """

    def __init__(
        self,
        dialect: str | None = None,
        counter: CounterSpec = "o200k",
        segmenter: str = "auto",
        pin: Pin | Iterable[Pin] = (),
        system: object = None,
        tools: object = None,
    ) -> None:
        self._fixed = None if dialect is None else dialects.get(dialect)
        self._recogniser = Recogniser()
        self._counter, self._how, self.pins = get_counter(counter), segmenter, Pins.of(pin)
        self._beside = (system, tools)
        spoken = self._fixed or self._recogniser.dialect
        self._clear(spoken, self._price_extra(spoken))

    def beside(self, system: object, tools: object) -> None:
        """Take what is sent apart from the messages from now on."""
        if (system, tools) != self._beside:
            self.extra = extra_cost(system, tools, self.dialect.framing, self._counter)
            self._beside = (system, tools)  # only once it could be counted

    def _price_extra(self, dialect: Dialect) -> int:
        return extra_cost(*self._beside, dialect.framing, self._counter)

    def _clear(self, dialect: Dialect, extra: int) -> None:
        self.dialect, self.extra = dialect, extra
        self.entries: list[Any] = []  # the caller's own objects
        self.messages: list[Message] = []
        self.costs: list[int] = []
        self.total = 0
        self.pinned: dict[int, str] = {}  # message → why
        self._opened = self._has_task = False
        self._segmenter = Segmenter(self._how)
        self._openers: list[int] = []
        self._prefix = Prefix()
        self._inventories: dict[str, Inventory] = {}

    def __len__(self) -> int:
        return len(self.messages)

    def extend(self, entries: Sequence[object]) -> None:
        """Take entries; all or, where one cannot be read, none.

        Raises
        ------
        MessageError
            If an entry cannot be read in this dialect.
        """
        recogniser = copy.copy(self._recogniser)
        for entry in entries:
            recogniser.see(entry)
        dialect = self._fixed or recogniser.dialect
        anew = dialect.name != self.dialect.name
        extra = self._price_extra(dialect) if anew else self.extra
        old = [] if anew else self.messages
        new = [*self.entries, *entries] if anew else entries
        messages = dialects.read(dialect, new, old[-1] if old else None, len(old))
        costs = message_costs(messages, dialect.framing, self._counter)
        held = [self.pins.holds(message) for message in messages]
        # Nothing can fail from here on.
        if anew:
            self._clear(dialect, extra)
        self._recogniser = recogniser
        self._take(messages, costs, held)

    def _take(
        self, messages: Sequence[Message], costs: Sequence[int], held: Sequence[bool]
    ) -> None:
        for index, message in enumerate(messages, len(self)):
            self._openers.append(self._segmenter.append(message))
            note = self._note(message) or "caller" * held[index - len(self)]
            if note:
                self.pinned[index] = note
        self.entries.extend(message.raw for message in messages)
        self.messages.extend(messages)
        self.costs.extend(costs)
        self.total += sum(costs)

    def _note(self, message: Message) -> str:
        """Say why a message is pinned whatever the caller wants, or nothing."""
        if message.role in ("system", "developer"):
            return "system"
        opening, self._opened = not self._opened, True
        if any(isinstance(part, Media) and part.kind == "compaction" for part in message.parts):
            return "compaction"
        if not self._has_task and is_task(message):
            self._has_task = True
            return "task"
        # Anthropic and Gemini want a user first, results count as one: the opening stays.
        return "opening" if opening and message.role != "assistant" else ""

    def read(self, entry: object, index: int) -> Message:
        """Read an entry that stands in the place of the message `index`.

        Raises
        ------
        MessageError
            If it cannot be read in this dialect.
        """
        before = self.messages[index - 1] if index else None
        return self.dialect.parse(entry, before, f"messages[{index}]")

    def price(self, entry: object, index: int) -> int:
        """Give the tokens of such an entry."""
        message = self.read(entry, index)
        return message_costs([message], self.dialect.framing, self._counter)[0]

    def note(self, text: str, at: int) -> Note:
        """Write a summary as a user's message of this dialect."""
        aside = [Message("assistant", (Text(_ASIDE),))] * self.dialect.alternates
        entries = tuple(self.dialect.render([*aside, Message("user", (Text(_SUMMARY + text),))]))
        return Note(entries, at, sum(self.price(entry, at) for entry in entries), text)

    def units(self) -> list[Unit]:
        """All units so far."""
        return self._segmenter.units()

    def view(self, granularity: str = "unit") -> View:
        """Show policies the history as it is now."""
        units = self.units()
        owner = owners(units, len(self))
        costs = np.bincount(owner, self.costs, len(units)).astype(np.int64)
        owner.flags.writeable = costs.flags.writeable = False
        return View(
            self.messages,
            tuple(units),
            owner,
            costs,
            self.moment,
            lambda: self._known(granularity),
            granularity,
        )

    def _known(self, granularity: str) -> tuple[Uses, Sequence[Span | None]]:
        inventory = self.inventory(granularity)
        return inventory.uses, inventory.spans

    def moment(self, units: Sequence[Unit]) -> Moment:
        """Show features the history as it is now."""
        new = len(self._prefix)
        self._prefix.extend(self.messages[new:], self._openers[new:])
        return Moment(self._prefix, units)

    def inventory(self, granularity: str) -> Inventory:
        """Take stock of the history as it is now, in units or in spans."""
        if granularity not in self._inventories:
            self._inventories[granularity] = Inventory(granularity, self.dialect, self._counter)
        found = self._inventories[granularity]
        new = len(found)
        found.extend(self.messages[new:], self._openers[new:])
        return found
