"""The text that a message's words are read from; and whether a result in it failed."""

from __future__ import annotations

from lre.messages import Media, Message, ToolCall, ToolResult

__all__ = ["failed", "reading"]


def failed(message: Message) -> int:
    """Count the results that are marked as errors.

    >>> failed(Message("tool", (ToolResult("1", "No such file.", is_error=True),)))
    1
    """
    return sum(isinstance(part, ToolResult) and part.is_error for part in message.parts)


def reading(message: Message) -> str:
    r"""Join the text of all parts; a call's name reads like a JSON key, for it is no identifier.

    >>> from lre.messages import Text
    >>> reading(Message("assistant", (Text("Hm."), ToolCall("1", "ls", '{"path": "/srv"}'))))
    'Hm.\n"ls":{"path": "/srv"}'
    """
    texts = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            texts.append(f'"{part.name}":{part.arguments}')
        elif not isinstance(part, Media):
            texts.append(part.text)
    return "\n".join(texts)
