"""What messages, a system prompt and tools add to the prompt, in tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lre.dialects.base import Framing, as_mapping, preview
from lre.errors import MessageError, SettingError
from lre.messages import Media, Message, Part, Reasoning, Text, ToolCall, ToolResult
from lre.tokens.base import Counter

__all__ = ["extra_cost", "message_costs"]


def message_costs(messages: Sequence[Message], framing: Framing, counter: Counter) -> list[int]:
    """Give the tokens that each message adds to the prompt, content and framing.

    Every text is counted once, all in one call of the counter. Reasoning costs its text or
    its sealed content, whichever is dearer: both hold the same thoughts.

    Examples
    --------
    >>> from lre.tokens import counter
    >>> hello = Message("user", (Text("hello world"),))
    >>> message_costs([hello], Framing(message=4, call=8, result=5, reply=3), counter())
    [6]
    """
    costs: list[int] = []
    owners: list[tuple[int, int]] = []
    texts: list[str] = []
    for index, message in enumerate(messages):
        costs.append(framing.message + sum(_fixed(part, framing) for part in message.parts))
        for text, least in (pair for part in message.parts for pair in _texts(part)):
            owners.append((index, least))
            texts.append(text)
    for (index, least), tokens in zip(owners, counter.count(texts), strict=True):
        costs[index] += max(tokens, least)
    return costs


def _fixed(part: Part, framing: Framing) -> int:
    """Give what a part costs whatever its text."""
    match part:
        case Media(tokens=tokens):
            return tokens
        case ToolCall():
            return framing.call
        case ToolResult(media=media):
            return framing.result + sum(image.tokens for image in media)
        case _:
            return 0


def _texts(part: Part) -> Iterator[tuple[str, int]]:
    """Give the texts of a part, each with the least that it costs."""
    match part:
        case Text(text=text) | ToolResult(text=text):
            yield text, 0
        case ToolCall(name=name, arguments=arguments):
            yield name, 0
            yield arguments, 0
        case Reasoning(text=text, sealed=sealed):
            yield text, _sealed(sealed)


def _sealed(characters: int) -> int:
    """Price base64: 3/4 byte a character, four bytes of text a token, rounded up."""
    return -(-characters * 3 // 16)


def extra_cost(system: object, tools: object, framing: Framing, counter: Counter) -> int:
    """Give the tokens of `system=` and `tools=`, and of the reply's own framing.

    Parameters
    ----------
    system : str, list of text blocks, or None
        A system prompt that is handed over beside the messages: framed as one message.
    tools : list of dicts or pydantic objects, or None
        Counted as compact JSON.
    framing : Framing
        `reply` is paid once, also where both are None.
    counter : Counter
        Called once.

    Raises
    ------
    SettingError
        If either is something else.

    Examples
    --------
    >>> from lre.tokens import counter
    >>> extra_cost("hello world", None, Framing(4, 8, 5, 3), counter())
    9
    """
    prompt = _system_texts(system)
    counts = counter.count([*prompt, *_tool_texts(tools)])
    return framing.reply + (framing.message if prompt else 0) + sum(counts)


def _system_texts(system: object) -> list[str]:
    if system is None or isinstance(system, str):
        return [system] if system else []
    blocks = _entries(system, "system", "give text, or a list of text blocks")
    return [_block_text(block, f"system[{i}]") for i, block in enumerate(blocks)]


def _block_text(block: object, where: str) -> str:
    text = block if isinstance(block, str) else _mapping(block, where).get("text")
    if isinstance(text, str):
        return text
    raise SettingError(f"{preview(block)} holds no text", where=where, remedy="give a text block")


def _tool_texts(tools: object) -> list[str]:
    if tools is None:
        return []
    entries = _entries(tools, "tools", "give a list of tool definitions")
    plain = [_mapping(tool, f"tools[{i}]") for i, tool in enumerate(entries)]
    try:
        return [_compact(tool) for tool in plain]
    except (TypeError, ValueError, RecursionError) as error:
        raise SettingError(
            f"no JSON can be made ({error})", where="tools", remedy="give plain dicts"
        ) from error


def _compact(tool: Mapping[str, Any]) -> str:
    return json.dumps(tool, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    """Write what JSON does not know: SDK objects within, and anything else, as text."""
    return as_mapping(value, "tools") if hasattr(value, "model_dump") else str(value)


def _entries(value: object, where: str, remedy: str) -> Sequence[object]:
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return value
    raise SettingError(f"{preview(value)} cannot be counted", where=where, remedy=remedy)


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    try:
        return as_mapping(value, where)
    except MessageError:
        raise SettingError(
            f"{preview(value)} cannot be counted",
            where=where,
            remedy="give a dict, or the SDK's own object",
        ) from None
