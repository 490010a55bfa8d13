"""The text that a message's words are read from; and what is counted beside the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lre.messages import Media, Message, ToolCall, ToolResult, is_task

__all__ = ["FACTS", "reading", "session"]

_NAME = re.compile(r"[a-z,;:] (?!I\b)[A-Z]")  # a capital that begins no sentence


def failed(message: Message, _text: str) -> int:
    """Count the results that are marked as errors.

    >>> failed(Message("tool", (ToolResult("1", "No such file.", is_error=True),)), "")
    1
    """
    return sum(isinstance(part, ToolResult) and part.is_error for part in message.parts)


def messages(_message: Message, _text: str) -> int:
    """Count the message itself."""
    return 1


def said(message: Message, _text: str) -> int:
    """Tell whether a user says it."""
    return is_task(message)


def asks(_message: Message, text: str) -> int:
    """Count question marks.

    >>> asks(Message("user", ()), "What? When?")
    2
    """
    return text.count("?")


def names(_message: Message, text: str) -> int:
    """Count capitals within a sentence: names, mostly.

    >>> names(Message("user", ()), "Then I met Ann in Rome. She ran.")
    2
    """
    return len(_NAME.findall(text))


def shouts(_message: Message, text: str) -> int:
    """Count exclamation marks."""
    return text.count("!")


def breaks(_message: Message, text: str) -> int:
    """Count line breaks."""
    return text.count("\n")


def images(message: Message, text: str) -> int:
    """Count images, and captions that stand for one."""
    return text.count("[image: ") + sum(isinstance(part, Media) for part in message.parts)


FACTS: Mapping[str, Callable[[Message, str], int]] = {
    of.__name__: of for of in (failed, messages, said, asks, names, shouts, breaks, images)
}
"""What is counted of each message, by name, from the message and its `reading`."""


def session(message: Message) -> object:
    """Give the mark of its session, where its entry has one.

    >>> session(Message("user", (), {"role": "user", "content": "Hi", "session": 3}))
    3
    """
    return message.raw.get("session") if isinstance(message.raw, Mapping) else None


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
