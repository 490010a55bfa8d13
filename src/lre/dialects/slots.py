"""Slots: the texts of an entry that may be cut, and an entry with other texts in them.

A slot is what somebody said or a tool gave back. Reasoning, signatures, calls, names, refusals
and media are none, nor is a text that annotations or citations point into.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from lre.dialects.base import Path, as_mapping, kind_of
from lre.errors import MessageError

__all__ = ["Path", "child", "slot_text", "text_slots", "with_texts"]

Entry = TypeVar("Entry")

_TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
_POINTERS = ("annotations", "citations")


def child(value: object, step: str | int) -> Any:
    """Give what lies one step further in a mapping, list or SDK object; None where nothing does.

    >>> child({"content": ["Hi"]}, "content"), child(["Hi"], 1), child(None, "content")
    (['Hi'], None, None)
    """
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(step, str):
        return getattr(value, step, None)
    return value[step] if isinstance(value, list | tuple) and 0 <= step < len(value) else None


def text_slots(content: object, at: Path, holders: Collection[str] = ()) -> list[Path]:
    """Find the slots of content that stands at a path: text, or a list of blocks.

    Parameters
    ----------
    content : object
        Anything; what is neither text nor a list of blocks has no slots.
    at : Path
        Leads from the entry to the content.
    holders : collection of str
        Types of blocks that hold `content` of their own.

    Examples
    --------
    >>> text_slots("Hi", ("content",)), text_slots([{"type": "text", "text": "Hi"}], ("content",))
    ([('content',)], [('content', 0, 'text')])
    """
    if isinstance(content, str):
        return [at] if content else []
    if not isinstance(content, list | tuple):
        return []
    places = enumerate(content)
    return [path for i, block in places for path in _of_block(block, (*at, i), holders)]


def _of_block(block: object, at: Path, holders: Collection[str]) -> list[Path]:
    kind = kind_of(block)
    if isinstance(block, str):
        return text_slots(block, at)
    if kind in holders:
        return text_slots(child(block, "content"), (*at, "content"))
    if kind in _TEXT_TYPES and not any(child(block, key) for key in _POINTERS):
        text = child(block, "text")
        return text_slots(text, (*at, "text")) if isinstance(text, str) else []
    return []


def slot_text(entry: object, path: Path) -> str:
    """Give the text in a slot.

    >>> slot_text({"role": "user", "content": [{"type": "text", "text": "Hi"}]},
    ...           ("content", 0, "text"))
    'Hi'

    Raises
    ------
    MessageError
        If the path leads to no text.
    """
    value: object = entry
    for step in path:
        value = child(value, step)
    if isinstance(value, str):
        return value
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    raise MessageError(
        "no text is there", where=where.removeprefix("."), remedy="take a path from Dialect.slots"
    )


def with_texts(entry: Entry, texts: Mapping[Path, str]) -> Entry:
    """Copy an entry with other texts in some of its slots.

    Only what lies on the paths is copied: all else is shared with the caller's own entry, which
    is not changed. Without texts the entry itself comes back. Types are kept, those of SDK
    objects (pydantic models) too; what can be neither written to nor copied becomes a dict.

    >>> with_texts({"role": "user", "content": "Hi"}, {("content",): "Hello"})
    {'role': 'user', 'content': 'Hello'}

    Raises
    ------
    MessageError
        If a path leads to no text.
    """
    for path in texts:
        slot_text(entry, path)
    copied: Entry = _with(entry, texts)
    return copied


def _with(value: Any, texts: Mapping[Path, str]) -> Any:
    below: dict[str | int, dict[Path, str]] = {}
    for path, text in texts.items():
        if not path:
            return text
        below.setdefault(path[0], {})[path[1:]] = text
    changed = {step: _with(child(value, step), inner) for step, inner in below.items()}
    return _replaced(value, changed) if changed else value


def _replaced(value: Any, changed: dict[str | int, Any]) -> Any:
    """Copy one container, its children shared, with some of them replaced."""
    if isinstance(value, dict | list):
        copied = copy.copy(value)
        for step, new in changed.items():
            copied[step] = new  # type: ignore[index]
        return copied
    if isinstance(value, tuple):
        return tuple(changed.get(i, item) for i, item in enumerate(value))
    if hasattr(value, "model_copy"):
        return value.model_copy(update=changed)
    return {**as_mapping(value, "entry"), **changed}
