"""Marks for prompt caches (`cache_control`), which move on to the last message of each request.

They change nothing of what a message says. Were they read with it, no list would begin with the
one before it, and every request would be read from its start.
"""

from __future__ import annotations

from typing import Any

from lre.integrations.base import Native

__all__ = ["Unmarked"]

_MARK = "cache_control"


class Unmarked(Native):
    """Reads messages without their marks, and puts the marks on what is cut of them.

    >>> said = {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {}}]}
    >>> Unmarked().read(said)
    {'role': 'user', 'content': [{'type': 'text', 'text': 'Hi'}]}
    """

    def read(self, message: Any) -> Any:
        """Drop the marks from a copy; a message without marks comes back itself."""
        return _bare(message)

    def write(self, entry: Any, message: Any) -> Any:
        """Put the marks of the message back."""
        return _marked(entry, message)


def _bare(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    bare = {key: value for key, value in block.items() if key != _MARK}
    if isinstance(block.get("content"), list):
        within = [_bare(inner) for inner in block["content"]]
        if any(new is not old for new, old in zip(within, block["content"], strict=True)):
            return {**bare, "content": within}
    return bare if len(bare) < len(block) else block


def _marked(entry: Any, block: Any) -> Any:
    if not isinstance(entry, dict) or not isinstance(block, dict):
        return entry
    marked = {**entry, _MARK: block[_MARK]} if _MARK in block else entry
    new, old = entry.get("content"), block.get("content")
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        within = [_marked(*pair) for pair in zip(new, old, strict=True)]
        return {**marked, "content": within}
    return marked
