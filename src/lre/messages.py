"""The words of the pipeline: messages, their parts, units, budgets, selections.

All are frozen and small. None holds anything about the future.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Number
from typing import Any, Literal

from lre.errors import BudgetError

__all__ = [
    "Budget",
    "Decision",
    "Media",
    "Message",
    "Part",
    "Reasoning",
    "Role",
    "Selection",
    "Text",
    "ToolCall",
    "ToolResult",
    "Unit",
    "Verdict",
    "is_task",
]

Role = Literal["system", "developer", "user", "assistant", "tool"]
Verdict = Literal["kept", "cut", "rewritten", "evicted"]


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, as the model reads it."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call: `arguments` is JSON text (or free text for custom tools); `id` may be empty."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Media:
    """An image, sound or document: `tokens` is the provider's price for it.

    The kind "compaction" is what a provider made of messages that are gone: it stays.
    """

    kind: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back from a call; `call_id` may be empty (legacy logs match by order)."""

    call_id: str
    text: str
    is_error: bool = False
    media: tuple[Media, ...] = ()


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Reasoning; `sealed` is the number of characters that only the provider can read."""

    text: str
    sealed: int = 0


Part = Text | ToolCall | ToolResult | Reasoning | Media


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a provider's list.

    `raw` is the caller's own object, which is handed back untouched.
    `continues` says that the entry belongs to the same turn as the entry before it
    (Responses items, consecutive Anthropic assistant messages, what the user says to Gemini's or
    Bedrock's model): they stand or fall together.
    """

    role: Role
    parts: tuple[Part, ...]
    raw: Any = field(default=None, compare=False, repr=False)
    continues: bool = False


def is_task(message: Message) -> bool:
    """Tell whether a user says something, rather than only handing back results.

    >>> is_task(Message("user", (ToolResult("c1", "42"),)))
    False
    """
    return message.role == "user" and any(isinstance(p, Text | Media) for p in message.parts)


@dataclass(frozen=True, slots=True)
class Unit:
    """Messages that stand or fall together: `messages` are ascending indices into the list.

    `open` says that one of its calls has no result yet.
    """

    messages: tuple[int, ...]
    role: Role
    open: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit in tokens.

    `scope` "total" covers the whole prompt: the returned messages, `system=`, `tools=` and the
    reply's frame; "older" covers only units that are neither pinned nor recent. A `relative`
    amount is a share of what the history costs before anything goes.

    >>> Budget.of(budget=8000).tokens(20_000)
    8000
    >>> Budget.of(older_budget="25%").tokens(20_000)
    5000
    """

    amount: Fraction
    scope: Literal["total", "older"]
    relative: bool = False

    @classmethod
    def of(
        cls,
        *,
        budget: float | str | None = None,
        older_budget: float | str | None = None,
    ) -> Budget:
        """Take exactly one of the two, a number of tokens or text such as ``"25%"``.

        Raises
        ------
        BudgetError
            For both or neither, and for anything that is no positive finite number, or less
            than a token.
        """
        if (budget is None) == (older_budget is None):
            raise BudgetError(
                "exactly one budget is needed", remedy="give either budget= or older_budget="
            )
        if budget is not None:
            return cls._read(budget, "total", "budget")
        return cls._read(older_budget, "older", "older_budget")

    @classmethod
    def _read(cls, value: object, scope: Literal["total", "older"], where: str) -> Budget:
        relative = isinstance(value, str) and value.strip().endswith("%")
        number = _number(value.strip().removesuffix("%") if isinstance(value, str) else value)
        if number is None or number <= 0:
            raise BudgetError(
                f"{_shown(value)} is not a positive number",
                where=where,
                remedy='give tokens such as 8000, or a share such as "25%"',
            )
        if not relative and number < 1:
            raise BudgetError(
                f"{_shown(value)} is less than a token",
                where=where,
                remedy=f'for a share of the history give "{float(number * 100):g}%"',
            )
        return cls(number / 100 if relative else number, scope, relative)

    def tokens(self, history: int) -> int:
        """Give the limit in tokens for a history of so many tokens, rounded down."""
        return int(self.amount * history) if self.relative else int(self.amount)


def _shown(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "an endless number"
    return repr(value) if len(repr(value)) <= 40 else f"a {type(value).__name__}"


_LEAST = 1e-9  # a smaller one is no budget, and may have an exponent of any length


def _number(value: object) -> Fraction | None:
    """Read a finite number exactly; anything else, booleans included, is none."""
    if isinstance(value, bool) or not isinstance(value, str | Number):
        return None
    try:
        rough = float(value)  # type: ignore[arg-type]
        if not math.isfinite(rough) or abs(rough) < _LEAST:
            return None
        return Fraction(value if isinstance(value, str) else rough)
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one unit, and why.

    `reason` is "pinned", "recent", "selected", "under budget", "no room", "summed up", "left as
    it was" (a summary failed) or "gone before"; `note` says what it is pinned for. `score` is
    None where nothing had to be scored. `tokens` is what the unit costs whole, `left` what is
    left of it.
    """

    unit: int
    messages: tuple[int, ...]
    verdict: Verdict
    reason: str
    score: float | None
    tokens: int
    left: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """A decision for each unit, in order, and whether pins and recent window alone exceed."""

    decisions: tuple[Decision, ...]
    over_budget: bool = False

    @property
    def kept(self) -> tuple[int, ...]:
        """Indices of the messages that stay, ascending."""
        stay = (d.messages for d in self.decisions if d.verdict != "evicted")
        return tuple(sorted(index for messages in stay for index in messages))
