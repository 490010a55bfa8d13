"""What the laws compare with: plain and slow, sharing little with what they judge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lre import dialects
from lre.dialects.pairing import Pairing, pairs
from lre.evict import Settings
from lre.features import reading
from lre.messages import Budget, Media, Message, Part, Text, ToolCall, ToolResult, Unit
from lre.pins import Pin
from lre.tokens import counter, extra_cost, message_costs
from lre.units import segment

__all__ = ["Case", "added_problems", "open_calls", "pins_of", "tied"]


@dataclass(frozen=True)
class Case:
    """One call of `evict`, worked out from the words of the design.

    >>> case = Case([{"role": "user", "content": "Hi"}], {"budget": 8})
    >>> case.must_stay, case.costs, case.charged(case.whole({0})), case.limit
    ({0}, [6], 9, 8)
    """

    messages: Sequence[Any]
    settings: Settings
    spoken: dialects.Dialect | None = None

    @cached_property
    def dialect(self) -> dialects.Dialect:
        """The one that is given, named, or else shows."""
        name = self.settings.get("dialect")
        shown = dialects.recognise(self.messages) if name is None else dialects.get(name)
        return self.spoken or shown

    @cached_property
    def parsed(self) -> list[Message]:
        """The messages as the dialect reads them."""
        return dialects.parse(self.messages, self.dialect)[1]

    @cached_property
    def units(self) -> list[Unit]:
        """What stands or falls together."""
        return segment(self.parsed, self.settings.get("segmenter", "auto"))

    @cached_property
    def costs(self) -> list[int]:
        """Tokens of each message."""
        return self._priced(self.parsed)

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return counter(self.settings.get("counter", "o200k")).count([text])[0]

    def read(self, index: int, entry: object) -> Message:
        """Read what came back of a message."""
        before = self.parsed[index - 1] if index else None
        return self.dialect.parse(entry, before, f"messages[{index}]")

    def _priced(self, messages: Sequence[Message]) -> list[int]:
        count = counter(self.settings.get("counter", "o200k"))
        return message_costs(messages, self.dialect.framing, count)

    @cached_property
    def extra(self) -> int:
        """Tokens of what is sent beside the messages."""
        beside = self.settings.get("system"), self.settings.get("tools")
        count = counter(self.settings.get("counter", "o200k"))
        return extra_cost(*beside, self.dialect.framing, count)

    @cached_property
    def budget(self) -> Budget:
        """The one budget."""
        both = (self.settings.get("budget"), self.settings.get("older_budget"))
        return Budget.of(budget=both[0], older_budget=both[1])

    @property
    def limit(self) -> int:
        """The budget in tokens: a share is of all that it covers."""
        whole = sum(self.costs) + (self.extra if self.budget.scope == "total" else 0)
        return self.budget.tokens(whole)

    @cached_property
    def must_stay(self) -> set[int]:
        """Messages that no policy may evict: pins of every kind, and the recent window."""
        pinned = _always(self.parsed) | _by_caller(self.parsed, pins_of(self.settings))
        held = [unit for unit in self.units if pinned & {*unit.messages}]
        recent = self.units[max(0, len(self.units) - self.settings.get("recent", 5)) :]
        return {index for unit in [*held, *recent] for index in unit.messages}

    def whole(self, kept: Iterable[int]) -> dict[int, int]:
        """Tokens of these messages as they came."""
        return {index: self.costs[index] for index in kept}

    def left(self, kept: Sequence[int], entries: Sequence[object]) -> dict[int, int]:
        """Tokens of these messages as they came back, read and counted anew."""
        read = [self.read(*pair) for pair in zip(kept, entries, strict=True)]
        return dict(zip(kept, self._priced(read), strict=True))

    def told(self, summary: object) -> int:
        """Tokens of a summary that came back."""
        return self._priced([self.dialect.parse(summary, None, "summary")])[0]

    def prompt(self, costs: Mapping[int, int]) -> int:
        """Tokens of a prompt with messages of these tokens."""
        return self.extra + sum(costs.values())

    def charged(self, costs: Mapping[int, int]) -> int:
        """Tokens that the budget covers of a prompt with messages of these tokens."""
        if self.budget.scope == "older":
            return sum(cost for index, cost in costs.items() if index not in self.must_stay)
        return self.prompt(costs)


def tied(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Pairs of messages that a provider wants together: call and result, turn and its rest."""
    results = [(call, index) for index, _, call in pairs(messages) if call is not None]
    return results + [(i - 1, i) for i, message in enumerate(messages) if message.continues]


def open_calls(messages: Sequence[Message]) -> list[int]:
    """Messages with a call that has no result."""
    pairing = Pairing()
    for index, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, ToolCall):
                pairing.call(index, part.id)
            elif isinstance(part, ToolResult):
                pairing.result(part.call_id)
    return pairing.open_calls()


def added_problems(
    before: Sequence[Any],
    kept: Sequence[int | None],
    after: Sequence[Any],
    dialect: dialects.Dialect,
) -> list[str]:
    """Problems of `after`, what came back of the `kept`, that `before` lacks.

    These are of a rule and an object not seen there. None in `kept` stands for a summary.
    """
    own = [0 if index is None else id(before[index]) for index in kept]
    had = Counter((rule, who) for rule, who, _ in _problems(before, [*map(id, before)], dialect))
    found = []
    for rule, who, said in _problems(after, own, dialect):
        had[rule, who] -= 1
        if had[rule, who] < 0:
            found.append(said)
    return found


def pins_of(settings: Settings) -> list[Pin]:
    """The caller's pins as a list."""
    pin = settings.get("pin", ())
    several = isinstance(pin, Iterable) and not isinstance(pin, str)
    return list(pin) if several else [pin]  # type: ignore[arg-type,list-item]


def _always(messages: Sequence[Message]) -> set[int]:
    system = {i for i, m in enumerate(messages) if m.role in ("system", "developer")}
    others = [i for i in range(len(messages)) if i not in system]
    opening = [i for i in others[:1] if messages[i].role != "assistant"]
    task = [i for i in others if messages[i].role == "user" and _says(messages[i])][:1]
    compacted = [i for i, m in enumerate(messages) if any(map(_is_compaction, m.parts))]
    latest = range(len(messages))[-1:]
    return {*system, *opening, *task, *compacted, *open_calls(messages), *latest}


def _is_compaction(part: Part) -> bool:
    return isinstance(part, Media) and part.kind == "compaction"


def _says(message: Message) -> bool:
    return any(isinstance(part, Text | Media) for part in message.parts)


def _by_caller(messages: Sequence[Message], pins: Sequence[Pin]) -> set[int]:
    places = {pin % len(messages) for pin in pins if isinstance(pin, int)}
    tests = [_test(pin) for pin in pins if not isinstance(pin, int)]
    return places | {i for i, m in enumerate(messages) if any(holds(m) for holds in tests)}


def _test(pin: str | re.Pattern[str] | Callable[[Any], bool]) -> Callable[[Message], bool]:
    if isinstance(pin, str | re.Pattern):
        return lambda message: re.search(pin, reading(message)) is not None
    return lambda message: bool(pin(message.raw))


def _problems(
    entries: Sequence[Any], names: Sequence[int], dialect: dialects.Dialect
) -> list[tuple[str, int, str]]:
    found = dialect.problems(dialects.parse(entries, dialect)[1])
    return [(p.rule, names[p.index], f"{p.rule} at {p.index} ({p.text})") for p in found]
