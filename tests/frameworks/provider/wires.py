"""The wire formats that the server speaks: one module each, and one line here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from provider.anthropic import Messages, MessagesCount
from provider.chat import Chat
from provider.gemini import Gemini
from provider.responses import Responses, ResponsesCount
from provider.story import Reply, Seen

__all__ = ["WIRES", "Wire"]


class Wire(Protocol):
    """A provider's API: which requests are its own, what it refuses, how it answers."""

    def speaks(self, path: str) -> bool:
        """Tell whether a request to this path is in this format."""
        ...

    def refuses(self, body: Any) -> str:
        """Give the provider's own words on what is wrong with a request; "" where nothing is."""
        ...

    def seen(self, body: Any) -> list[Seen]:
        """Read the messages of a request."""
        ...

    def error(self, what: str) -> Any:
        """Write the body of a refusal."""
        ...

    def reply(self, reply: Reply, body: Any) -> Any:
        """Write the body of an answer."""
        ...

    def streams(self, path: str, body: Any) -> bool:
        """Tell whether the answer is to be streamed."""
        ...

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:
        """Write the answer as server-sent events: name ("" for none) and data."""
        ...


WIRES: tuple[Wire, ...] = (
    Chat(),
    Responses(),
    ResponsesCount(),
    Messages(),
    MessagesCount(),
    Gemini(),
)
