"""What a provider took, and replies in its shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lre.dialects import get
from lre.dialects.base import json_text, kind_of
from lre.traces.entries import Entry

__all__ = ["read"]

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_BODY = ("content", "tool_calls", "function_call", "refusal")
_CALLS = ("tool_calls", "function_call", "tool_call_id")
_REPLY = ("id", "type", "model", "stop_reason", "stop_sequence", "usage", "container", "object")


def read(message: Mapping[str, Any]) -> list[Entry] | None:
    """Hand on a message of Chat Completions, Anthropic or Gemini, or an item of Responses.

    A reply of Anthropic's loses what no request takes; content that is an object becomes JSON.

    >>> read({"type": "message", "role": "assistant", "content": "Hi", "usage": {}})
    [{'role': 'assistant', 'content': 'Hi'}]
    """
    if "role" not in message and get("openai-responses").evidence(message) == 3:
        return [dict(message)]
    role = message.get("role")
    if role in ("user", "model", "function") and isinstance(message.get("parts"), list):
        return [dict(message)]
    if role not in _ROLES or not any(key in message for key in _BODY):
        return None
    if kind_of(message) == "message" and message.get("object") != "response":
        return [_reply(message)]
    return [_told(message)]


def _reply(message: Mapping[str, Any]) -> Entry:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    if any(kind_of(block) in ("input_text", "output_text") for block in blocks):
        return dict(message)  # an item of Responses
    return _told({key: value for key, value in message.items() if key not in _REPLY})


def _told(message: Mapping[str, Any]) -> Entry:
    """Take calls from `additional_kwargs` (LangChain, LlamaIndex); content is text or blocks."""
    entry, more = dict(message), message.get("additional_kwargs")
    content = entry.get("content")
    if isinstance(more, dict):
        calls = {key: more[key] for key in _CALLS if more.get(key)}
        entry = {key: value for key, value in entry.items() if key != "additional_kwargs"} | calls
    if content is not None and not isinstance(content, str | list):
        entry["content"] = json_text(content)
    return entry
