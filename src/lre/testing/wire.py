"""Turns of a conversation, written by hand as each provider wants them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

__all__ = ["WRITERS", "Call", "Entry", "Result", "Turn", "tidy"]

Entry = dict[str, Any]

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
_SEALED = "gAAAAABo" * 24


@dataclass(frozen=True)
class Call:
    """A call; without an id where the format is an old one."""

    id: str | None
    name: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class Result:
    """What came back."""

    id: str | None
    text: str
    failed: bool = False


@dataclass(frozen=True)
class Turn:
    """What one side says, thinks, calls and gives back before the other side is on."""

    role: str
    texts: tuple[str, ...] = ()
    thought: str = ""
    image: bool = False
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


def chat(turn: Turn) -> list[Entry]:
    """Write Chat Completions: a message for each result, and one for the rest."""
    answers = [_chat_result(result) for result in turn.results]
    if turn.results and not (turn.texts or turn.calls or turn.image):
        return answers
    entry: Entry = {"role": turn.role, "content": _chat_content(turn)}
    if turn.thought:
        entry["reasoning_content"] = turn.thought
    named = [_chat_call(call) for call in turn.calls if call.id is not None]
    if named:
        entry["tool_calls"] = named
    for call in turn.calls:
        if call.id is None:
            entry["function_call"] = _function(call)
    return [*answers, entry]


def _chat_content(turn: Turn) -> object:
    if not turn.texts and turn.calls:
        return None
    if len(turn.texts) < 2 and not turn.image:
        return "".join(turn.texts)
    parts: list[Entry] = [{"type": "text", "text": text} for text in turn.texts]
    url = {"url": f"data:image/png;base64,{_PIXEL}", "detail": "low"}
    return [*parts, {"type": "image_url", "image_url": url}] if turn.image else parts


def _function(call: Call) -> Entry:
    return {"name": call.name, "arguments": _json(call.arguments)}


def _chat_call(call: Call) -> Entry:
    return {"id": call.id, "type": "function", "function": _function(call)}


def _chat_result(result: Result) -> Entry:
    if result.id is None:
        return {"role": "function", "name": "look", "content": result.text}
    entry: Entry = {"role": "tool", "tool_call_id": result.id, "content": result.text}
    return entry | ({"error": True} if result.failed else {})


def responses(turn: Turn) -> list[Entry]:
    """Write Responses: an item for each result, thought, text and call."""
    return list(_items(turn))


def _items(turn: Turn) -> Iterator[Entry]:
    for result in turn.results:
        yield {"type": "function_call_output", "call_id": result.id or "", "output": result.text}
    if turn.thought:
        summary = [{"type": "summary_text", "text": turn.thought}]
        name = f"rs_{crc32(turn.thought.encode('utf-8', 'surrogatepass')):x}"
        sealed = {"id": name, "encrypted_content": _SEALED}
        yield {"type": "reasoning", "summary": summary, **sealed}
    if turn.texts or turn.image or not (turn.results or turn.calls or turn.thought):
        kind = "output_text" if turn.role == "assistant" else "input_text"
        content: list[Entry] = [{"type": kind, "text": text} for text in turn.texts]
        if turn.image:
            content.append({"type": "input_image", "image_url": f"data:image/png;base64,{_PIXEL}"})
        yield {"type": "message", "role": turn.role, "content": content}
    for call in turn.calls:
        yield {"type": "function_call", "call_id": call.id or "", **_function(call)}


def anthropic(turn: Turn) -> list[Entry]:
    """Write Messages: one entry of blocks, results first."""
    role = "system" if turn.role == "developer" else turn.role
    blocks = list(_blocks(turn))
    plain = len(blocks) == 1 and blocks[0]["type"] == "text"
    return [{"role": role, "content": blocks[0]["text"] if plain else blocks}]


def _blocks(turn: Turn) -> Iterator[Entry]:
    for result in turn.results:
        content = [{"type": "text", "text": result.text}] if result.text else []
        failed = {"is_error": True} if result.failed else {}
        answered = {"type": "tool_result", "tool_use_id": result.id or ""}
        yield {**answered, "content": content, **failed}
    if turn.thought:
        yield {"type": "thinking", "thinking": turn.thought, "signature": _SEALED}
    for text in turn.texts:
        yield {"type": "text", "text": text}
    if turn.image:
        source = {"type": "base64", "media_type": "image/png", "data": _PIXEL}
        yield {"type": "image", "source": source}
    for call in turn.calls:
        given = dict(call.arguments)
        yield {"type": "tool_use", "id": call.id or "", "name": call.name, "input": given}


def gemini(turn: Turn) -> list[Entry]:
    """Write contents: one entry of parts, the first call signed; every other call has no id."""
    role = "model" if turn.role == "assistant" else "user"
    return [{"role": role, "parts": list(_parts(turn))}]


def _parts(turn: Turn) -> Iterator[Entry]:
    for result in turn.results:
        told = {"error" if result.failed else "output": result.text}
        yield {"functionResponse": {**_known(result.id), "name": "look", "response": told}}
    if turn.thought:
        yield {"text": turn.thought, "thought": True}
    for text in turn.texts:
        yield {"text": text}
    if turn.image:
        yield {"inlineData": {"mimeType": "image/png", "data": _PIXEL}}
    for place, call in enumerate(turn.calls):
        called = {**_known(call.id), "name": call.name, "args": dict(call.arguments)}
        yield {"functionCall": called} | ({} if place else {"thoughtSignature": _SEALED})


def _known(name: str | None) -> Entry:
    """Leave out half of the ids, those of a call and of its result alike."""
    return {"id": name} if name and crc32(name.encode()) % 2 else {}


def bedrock(turn: Turn) -> list[Entry]:
    """Write Converse: one entry of blocks with a key each, results first."""
    role = "system" if turn.role == "developer" else turn.role
    return [{"role": role, "content": list(_keyed(turn))}]


def _keyed(turn: Turn) -> Iterator[Entry]:
    for result in turn.results:
        content = [{"text": result.text}] if result.text else []
        status = {"status": "error" if result.failed else "success"}
        yield {"toolResult": {"toolUseId": result.id or "", "content": content, **status}}
    if turn.thought:
        thought = {"text": turn.thought, "signature": _SEALED}
        yield {"reasoningContent": {"reasoningText": thought}}
    for text in turn.texts:
        yield {"text": text}
    if turn.image:
        yield {"image": {"format": "png", "source": {"bytes": _PIXEL}}}
    for call in turn.calls:
        given = {"name": call.name, "input": dict(call.arguments)}
        yield {"toolUse": {"toolUseId": call.id or "", **given}}


def tidy(dialect: str, turns: Iterable[Turn]) -> list[Turn]:
    """Join the turns of one side that follow each other, where the provider wants that.

    >>> tidy("bedrock", [Turn("user", ("Hi",)), Turn("user", ("Book it.",))])[0].texts
    ('Hi', 'Book it.')
    """
    joined: list[Turn] = []
    for turn in turns:
        if dialect in ("gemini", "bedrock") and joined and joined[-1].role == turn.role:
            joined[-1] = _join(joined[-1], turn)
        else:
            joined.append(turn)
    return joined


def _join(one: Turn, other: Turn) -> Turn:
    return Turn(
        one.role,
        one.texts + other.texts,
        one.thought or other.thought,
        one.image or other.image,
        one.calls + other.calls,
        one.results + other.results,
    )


def _json(arguments: Mapping[str, str]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False)


WRITERS: Mapping[str, Callable[[Turn], list[Entry]]] = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
}
"""How a turn is written in each dialect."""
