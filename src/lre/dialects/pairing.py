"""Which call a result belongs to, found as the messages come.

An id decides where it can. Where it cannot (empty, shared by several open calls, or useless
such as ``"REDACTED"``) order does: the first open call of the *latest* message that fits, so
that an older, interrupted call never takes a result that is not its own.

The answer for a result depends only on the calls that fit it. So it stays the same when whole
groups of paired messages are taken out of the list, which is what eviction does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lre.messages import Message, ToolCall, ToolResult

__all__ = ["Pairing", "pairs"]


@dataclass(slots=True)
class _Call:
    message: int
    id: str
    open: bool = True


class _Shelf:
    """Open calls, grouped by message; closed ones are swept away when they come to the front."""

    __slots__ = ("_groups",)

    def __init__(self) -> None:
        self._groups: list[deque[_Call]] = []

    def put(self, call: _Call) -> None:
        if self._groups and self._groups[-1][-1].message == call.message:
            self._groups[-1].append(call)
        else:
            self._groups.append(deque((call,)))

    def first_of_latest(self) -> _Call | None:
        while self._groups:
            group = self._groups[-1]
            while group and not group[0].open:
                group.popleft()
            if group:
                return group[0]
            self._groups.pop()
        return None


class Pairing:
    """Matches results to calls; every operation takes constant time on average.

    Feed calls and results in the order of the list, messages by ascending index.

    >>> pairing = Pairing()
    >>> for index, id in [(1, "a"), (1, "b"), (4, "a")]:
    ...     pairing.call(index, id)
    >>> pairing.result("a"), pairing.result("b"), pairing.result("nobody's")
    (4, 1, None)
    >>> pairing.open_calls()
    [1]
    """

    def __init__(self) -> None:
        self._all = _Shelf()
        self._by_id: dict[str, _Shelf] = {}
        self._latest: dict[str, int] = {}
        self._open: dict[int, int] = {}

    def call(self, message: int, id: str) -> None:  # noqa: A002 - the providers' own word
        """Take a call made by the message of that index; `id` may be empty."""
        call = _Call(message, id)
        self._all.put(call)
        self._by_id.setdefault(id, _Shelf()).put(call)
        self._latest[id] = message
        self._open[message] = self._open.get(message, 0) + 1

    def result(self, id: str) -> int | None:  # noqa: A002
        """Give the index of the message whose call the result answers, None for an orphan.

        A further result for an answered id belongs to the latest call with that id. An id that
        no call has falls back to calls without an id; no id at all falls back to any call.
        """
        call = self._fitting(id)
        if call is None:
            return self._latest.get(id) if id else None
        call.open = False
        self._open[call.message] -= 1
        if not self._open[call.message]:
            del self._open[call.message]
        return call.message

    def open_calls(self) -> list[int]:
        """List the messages with a call that has no result yet, by ascending index."""
        return list(self._open)

    def _fitting(self, id: str) -> _Call | None:  # noqa: A002
        if not id:
            return self._all.first_of_latest()
        shelf = self._by_id.get(id) or self._by_id.get("")
        return shelf.first_of_latest() if shelf else None


def pairs(messages: Sequence[Message]) -> Iterator[tuple[int, ToolResult, int | None]]:
    """Give every result with its message's index and the index that `Pairing` answers for it."""
    pairing = Pairing()
    for index, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, ToolCall):
                pairing.call(index, part.id)
            elif isinstance(part, ToolResult):
                yield index, part, pairing.result(part.call_id)
