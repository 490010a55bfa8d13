"""Messages in the shapes that tracers log, as entries of a dialect.

A tracer stores what an SDK was given and what it answered: a list of messages, an object around
it, plain text, or any of these as JSON in a string. What a provider took (Chat Completions,
Responses items, Anthropic blocks, Gemini contents) stays as it is; messages of LangChain,
LlamaIndex, the Vercel AI SDK and OpenTelemetry become entries of Chat Completions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lre.traces.entries import Entry, said
from lre.traces.shapes import aisdk, genai, langchain, llamaindex, plain

__all__ = ["apart", "decoded", "messages", "spoken"]

_SHAPES = (langchain, genai, aisdk, llamaindex, plain)
_FIRST = ("choices", "candidates", "generations")  # alternatives, of which the first went on
_WITHIN = (
    *("messages", "contents", "input", "prompt", "prompts", *_FIRST, "output", "outputs"),
    *("message", "content", "kwargs", "text", "completion"),
)
_APART = {
    "system": ("system", "instructions", "systemInstruction", "system_instruction"),
    "tools": ("tools", "functions"),
}
_DEPTH = 8


def decoded(value: object) -> object:
    r"""Undo JSON in a string, also twice; any other string stays as it is.

    >>> decoded('"{\\"a\\": 1}"'), decoded("{a")
    ({'a': 1}, '{a')
    """
    for _ in range(3):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            break
    return None if value == "null" else value


def messages(value: object) -> list[Entry] | None:
    """Write one message as entries; None where it is none that is known.

    >>> messages({"type": "human", "content": "Hi"})
    [{'role': 'user', 'content': 'Hi'}]
    """
    if not isinstance(value, Mapping):
        return None
    return next((found for shape in _SHAPES if (found := shape.read(value)) is not None), None)


def spoken(value: object, speaker: str, depth: int = 0) -> list[Entry]:
    """Find the messages of an input or output; plain text is what the `speaker` said.

    An empty list where there are none, or where one among them is of no known shape.

    >>> spoken('{"messages": [{"role": "user", "content": "Hi"}]}', "user")
    [{'role': 'user', 'content': 'Hi'}]
    >>> spoken("Hello!", "assistant")
    [{'role': 'assistant', 'content': 'Hello!'}]
    """
    value = decoded(value)
    if isinstance(value, str):
        return [said(speaker, value)] if value else []
    if depth > _DEPTH:
        return []
    if isinstance(value, list):
        return _listed(value, speaker, depth + 1)
    if not isinstance(value, Mapping):
        return []
    found = messages(value)
    return _within(value, speaker, depth + 1) if found is None else found


def apart(*values: object) -> dict[str, Any]:
    """Give what an input or output holds beside its messages: `system` and `tools`, or None.

    >>> apart('{"instructions": "Be brief.", "tools": []}')
    {'system': 'Be brief.', 'tools': None}
    """
    objects = [one for one in map(decoded, values) if isinstance(one, Mapping)]
    found = {
        name: next((one[key] for one in objects for key in keys if one.get(key)), None)
        for name, keys in _APART.items()
    }
    tools = decoded(found["tools"])
    return {**found, "tools": [*map(decoded, tools)] if isinstance(tools, list) else tools}


def _listed(value: list[Any], speaker: str, depth: int) -> list[Entry]:
    if value and all(isinstance(one, list) for one in value):
        return spoken(value[0], speaker, depth)  # a batch of one, as LangChain logs it
    calls = aisdk.calls(value)
    if calls:
        return calls
    found = [messages(one) for one in value]
    if value and all(isinstance(one, str) for one in value):
        return [said(speaker, one) for one in value]
    if None in found:
        return []
    return [entry for entries in found for entry in entries or ()]


def _within(value: Mapping[str, Any], speaker: str, depth: int) -> list[Entry]:
    for key in _WITHIN:
        inner = value.get(key)
        while key in _FIRST and isinstance(inner, list):
            inner = inner[0] if inner else None
        if inner and (found := spoken(inner, speaker, depth)):
            return found
    return []
