"""One logged message, gathered part by part and written as entries of Chat Completions.

Logs of frameworks put what an assistant thinks, says and calls, and often what came back, into
one message of many parts; here they become the entries that a provider would take.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lre.dialects.base import json_text
from lre.traces.entries import Entry, called, calling, returned, said

__all__ = ["Turn", "as_content", "media"]


class Turn:
    """What one message holds; parts come in their order, `entries` writes them.

    >>> turn = Turn("assistant")
    >>> turn.think("look first")
    >>> turn.call("c1", "look", {"id": 7})
    >>> turn.result("c1", "a box")
    >>> [entry["role"] for entry in turn.entries()]
    ['assistant', 'tool']
    """

    def __init__(self, role: str, time: object = None) -> None:
        self.role, self._time = role, time
        self._content: list[Entry] = []
        self._thoughts: list[Entry] = []
        self._calls: list[Entry] = []
        self._results: list[Entry] = []

    def say(self, text: object) -> None:
        """Take a text; nothing is said by "" or None, and other values become JSON."""
        if words := json_text(text):
            self._content.append({"type": "text", "text": words})

    def show(self, block: Mapping[str, Any]) -> None:
        """Take a block of content as it is, such as one of `media`."""
        self._content.append(dict(block))

    def think(self, text: object, signature: object = None) -> None:
        """Take reasoning; a `signature` (or encrypted text) is what only the provider reads."""
        sealed = {"signature": signature} if isinstance(signature, str) and signature else {}
        thought = json_text(text)
        if thought or sealed:
            self._thoughts.append({"type": "thinking", "thinking": thought, **sealed})

    def call(self, call_id: object, name: object, arguments: object) -> None:
        """Take a call; without arguments it has "{}"."""
        self._calls.append(called(call_id, name, {} if arguments is None else arguments))

    def result(
        self, call_id: object, output: object, *, error: bool = False, time: object = None
    ) -> None:
        """Take what came back from a call: text, a list of blocks, or any value."""
        entry = returned(call_id, "", error=error, time=time or self._time)
        self._results.append({**entry, "content": as_content(output)})

    def entries(self) -> list[Entry]:
        """Write the entries: an assistant's calls before their results, all else after them."""
        spoken = [self._spoken()] if self._content or self._thoughts or self._calls else []
        return [*spoken, *self._results] if self._calls else [*self._results, *spoken]

    def _spoken(self) -> Entry:
        entry = calling(self._calls) if self._calls else said(self.role, "")
        if self._content or not self._calls:
            entry["content"] = as_content(self._content)
        timed = said("", "", time=self._time).get("timestamp")
        return {**entry, **self._thought()} | ({"timestamp": timed} if timed else {})

    def _thought(self) -> Entry:
        match self._thoughts:
            case []:
                return {}
            case [{"thinking": text, **sealed}] if "signature" not in sealed:
                return {"reasoning_content": text}
        return {"thinking_blocks": self._thoughts}


def as_content(value: object) -> str | list[Any]:
    """Write a value as content: blocks stay blocks, one block of text is that text.

    >>> as_content([{"type": "text", "text": "42"}]), as_content({"n": 42})
    ('42', '{"n": 42}')
    """
    if not isinstance(value, list) or not all(map(_is_block, value)):
        return json_text(value)
    if len(value) == 1 and value[0]["type"] == "text" and isinstance(value[0].get("text"), str):
        return str(value[0]["text"])
    return value or ""


def _is_block(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def media(kind: object, url: object) -> Entry:
    """Write an image, a sound or a file as a block; `kind` is its MIME type or its first half.

    >>> media("image/png", "data:image/png;base64,AAAA")["type"]
    'image_url'
    """
    first, _, format_ = json_text(kind).partition("/")
    place = json_text(url)
    if first == "image":
        return {"type": "image_url", "image_url": {"url": place}}
    if first == "audio" and place.startswith("data:"):
        sound = {"data": place.partition(",")[2], "format": format_}
        return {"type": "input_audio", "input_audio": sound}
    return {"type": "file", "file": {"file_data": place}}
