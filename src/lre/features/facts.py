"""What a message is, apart from its words; and the text that its words are read from."""

from __future__ import annotations

from collections.abc import Sequence

from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult

__all__ = ["FACTS", "facts", "reading"]

FACTS = ("calls", "results", "failed", "media", "user", "assistant")


def facts(message: Message) -> tuple[int, ...]:
    """Count what `FACTS` names: calls, results, failed results, media; and whose turn it is.

    >>> facts(Message("assistant", (Text("Let me look."), ToolCall("1", "ls", "{}"))))
    (1, 0, 0, 0, 0, 1)
    """
    calls = sum(isinstance(part, ToolCall) for part in message.parts)
    results = [part for part in message.parts if isinstance(part, ToolResult)]
    return (
        calls,
        len(results),
        sum(result.is_error for result in results),
        sum(isinstance(part, Media) for part in message.parts),
        int(message.role == "user" and not results),
        int(message.role == "assistant"),
    )


def reading(message: Message) -> str:
    r"""Join the text of all parts; a call's name reads like a JSON key, for it is no identifier.

    >>> reading(Message("assistant", (Text("Hm."), ToolCall("1", "ls", '{"path": "/srv"}'))))
    'Hm.\n"ls":{"path": "/srv"}'
    """
    return "\n".join(_texts(message.parts))


def _texts(parts: Sequence[Part]) -> list[str]:
    texts = []
    for part in parts:
        if isinstance(part, ToolCall):
            texts.append(f'"{part.name}":{part.arguments}')
        elif isinstance(part, Text | ToolResult | Reasoning):
            texts.append(part.text)
    return texts
