"""What a message is, apart from its words; and the text that its words are read from."""

from __future__ import annotations

from lre.messages import Media, Message, ToolCall, ToolResult

__all__ = ["FACTS", "facts", "reading"]

FACTS = ("calls", "results", "failed", "media", "user", "assistant")


def facts(message: Message) -> tuple[int, ...]:
    """Count what `FACTS` names: calls, results, failed results, media; and whose turn it is.

    >>> from lre.messages import Text
    >>> facts(Message("assistant", (Text("Let me look."), ToolCall("1", "ls", "{}"))))
    (1, 0, 0, 0, 0, 1)
    """
    calls = results = failed = media = 0
    for part in message.parts:
        if isinstance(part, ToolCall):
            calls += 1
        elif isinstance(part, ToolResult):
            results += 1
            failed += part.is_error
        elif isinstance(part, Media):
            media += 1
    speaks = message.role == "user" and not results
    return calls, results, failed, media, int(speaks), int(message.role == "assistant")


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
