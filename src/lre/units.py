"""Messages → units: what stands or falls together.

A unit is an assistant turn with all its tool results, parallel or not, adjacent or not; or a
turn of anybody else; or, where that is asked for, a session of turns. Which user message is the
observation of a text-only (ReAct) action is judged pair by pair, so that the answer does not
change when other units are evicted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from lre.dialects.pairing import Pairing
from lre.errors import UnknownNameError
from lre.messages import Message, Role, Text, ToolCall, ToolResult, Unit

__all__ = ["OBSERVATIONS", "SEGMENTERS", "Segmenter", "owners", "segment"]

Joins = Callable[[Message, Message], bool]

_ACTIONS = ("```", "\nAction:", "Action:", "<function=", "<execute", "<tool_call>")
OBSERVATIONS = (
    "<returncode>",
    "<output>",
    "<observation>",
    "<tool_response>",
    "Observation:",
    "OBSERVATION:",
    "EXECUTION RESULT",
    "Execution output",
)


def _text(message: Message) -> str:
    return next((part.text for part in message.parts if isinstance(part, Text)), "")


def _follows_action(action: Message, reply: Message) -> bool:
    """Tell whether a user message comes right after an assistant message that made no call."""
    speaks = action.role == "assistant" and not _calls(action)
    return speaks and reply.role == "user" and not _results(reply)


def _observes(action: Message, reply: Message) -> bool:
    """Tell whether action and reply look like a step of a ReAct log."""
    if not _follows_action(action, reply) or not _text(reply).startswith(OBSERVATIONS):
        return False
    said = _text(action)
    return any(mark in said for mark in _ACTIONS)


def _never(_action: Message, _reply: Message) -> bool:
    return False


def _same_session(last: Message, message: Message) -> bool:
    session = _session(message)
    return session is not None and session == _session(last)


def _session(message: Message) -> object:
    return message.raw.get("session") if isinstance(message.raw, Mapping) else None


SEGMENTERS: Mapping[str, Joins] = {
    "auto": _observes,
    "react": _follows_action,
    "turns": _never,
    "sessions": _same_session,
}
"""Where a message joins the one before it: where the two look like action and observation
(`auto`), wherever a user follows an assistant that made no call (`react`), nowhere (`turns`), or
where both entries have the same value, not None, under the key ``session`` (`sessions`)."""


def _calls(message: Message) -> list[ToolCall]:
    return [part for part in message.parts if isinstance(part, ToolCall)]


def _results(message: Message) -> list[ToolResult]:
    return [part for part in message.parts if isinstance(part, ToolResult)]


class Segmenter:
    """Groups messages as they come; its answer for a message never depends on later ones.

    Raises
    ------
    UnknownNameError
        If `how` is no key of `SEGMENTERS`.
    """

    def __init__(self, how: str = "auto") -> None:
        if not isinstance(how, str) or how not in SEGMENTERS:
            raise UnknownNameError("segmenter", how, SEGMENTERS)
        self._joins = SEGMENTERS[how]
        self._pairing = Pairing()
        self._last: Message | None = None
        self._parent: list[int] = []  # an earlier message of the same unit, or the message itself
        self._roles: list[Role] = []
        self._members: dict[int, list[int]] = {}  # by the message that opened the unit
        self._units: dict[int, Unit] = {}  # the same, as they were when last asked for
        self._changed: set[int] = set()

    def append(self, message: Message) -> int:
        """Take the next message; the index of the message that opened the unit it joins."""
        index = len(self._parent)
        openers = {self._opener(i) for i in self._partners(message, index)}
        opener = min(openers, default=index)
        for other in openers - {opener}:
            self._merge(other, opener)
        self._members.setdefault(opener, []).append(index)
        self._parent.append(opener)
        self._roles.append(message.role)
        self._changed.add(opener)
        self._last = message
        return opener

    def units(self) -> list[Unit]:
        """All units so far, in the order of their first messages."""
        for opener in sorted(self._changed):
            self._units[opener] = Unit(tuple(self._members[opener]), self._roles[opener])
        self._changed.clear()
        pending = {self._opener(index) for index in self._pairing.open_calls()}
        opened = {opener: replace(self._units[opener], open=True) for opener in pending}
        return list((self._units | opened).values())

    def _merge(self, other: int, opener: int) -> None:
        """Add a unit to an earlier one: a message belongs to both."""
        self._parent[other] = opener
        self._members[opener] = sorted(self._members[opener] + self._members.pop(other))
        self._units.pop(other, None)
        self._changed.discard(other)

    def _partners(self, message: Message, index: int) -> list[int]:
        """Earlier messages that this one belongs to."""
        partners = []
        last = self._last
        if last is not None and (message.continues or self._joins(last, message)):
            partners.append(index - 1)
        for part in message.parts:
            if isinstance(part, ToolCall):
                self._pairing.call(index, part.id)
            elif isinstance(part, ToolResult):
                partner = self._pairing.result(part.call_id)
                if partner is not None and partner != index:
                    partners.append(partner)
        return partners

    def _opener(self, index: int) -> int:
        while self._parent[index] != index:  # halving the path keeps it short
            self._parent[index] = index = self._parent[self._parent[index]]
        return index


def owners(units: Sequence[Unit], size: int) -> npt.NDArray[np.int64]:
    """Give each of `size` messages the place of its unit: shape ``(size,)``.

    >>> owners([Unit((0, 2), "user"), Unit((1,), "assistant")], 3).tolist()
    [0, 1, 0]
    """
    sizes = [len(unit.messages) for unit in units]
    owner = np.empty(size, dtype=np.int64)
    owner[list(chain.from_iterable(unit.messages for unit in units))] = np.repeat(
        np.arange(len(units)), sizes
    )
    return owner


def segment(messages: Sequence[Message], how: str = "auto") -> list[Unit]:
    """Group a whole list.

    >>> call = Message("assistant", (ToolCall("a", "ls", "{}"), ToolCall("b", "pwd", "{}")))
    >>> results = [Message("tool", (ToolResult(i, "…"),)) for i in ("b", "a")]
    >>> [unit.messages for unit in segment([Message("user", (Text("Look"),)), call, *results])]
    [(0,), (1, 2, 3)]
    """
    segmenter = Segmenter(how)
    for message in messages:
        segmenter.append(message)
    return segmenter.units()
