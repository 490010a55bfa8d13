"""What a message acts with, and what a model sees of it."""

from __future__ import annotations

from lre.messages import Media, Message, Part, Text, ToolCall
from lre.needs.spoken import spoken
from lre.needs.values import values

__all__ = ["action", "shown", "texts"]


def action(message: Message) -> list[str]:
    """List what an assistant's message acts with; empty if it does nothing.

    The values of its calls, in order; where it makes no call, the code of an action that is
    written into its text (`lre.needs.spoken`). Others than the assistant do not act.

    >>> action(Message("assistant", (ToolCall("c1", "get_order", '{"id": "W2378156"}'),)))
    ['W2378156']
    """
    if message.role != "assistant":
        return []
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    if calls:
        return [value for call in calls for value in values(call.arguments)]
    said = (part.text for part in message.parts if isinstance(part, Text))
    return [value for text in said for value in spoken(text)]


def shown(message: Message) -> list[str]:
    """List the texts that a model sees of a message, those of each part in turn.

    >>> shown(Message("assistant", (Text("Sure."), ToolCall("c1", "ls", '{"path": "src"}'))))
    ['Sure.', 'ls', 'src']
    """
    return [text for part in message.parts for text in texts(part)]


def texts(part: Part) -> list[str]:
    """List the texts that a model sees of a part; of a call its name and its values.

    >>> texts(ToolCall("c1", "ls", '{"path": "src"}'))
    ['ls', 'src']
    """
    if isinstance(part, ToolCall):
        return [part.name, *values(part.arguments)]
    return [] if isinstance(part, Media) else [part.text]
