"""The walk to the message lists in a JSON value, where they are as providers take them.

It goes through known keys only (`LISTS`, `WRAPPERS`) and at most `DEPTH` levels down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "DEPTH",
    "LISTS",
    "WRAPPERS",
    "Found",
    "is_entry",
    "is_message",
    "listed",
    "objects",
    "walk",
]

LISTS = ("messages", "traj", "input")
WRAPPERS = ("simulations", "interactions", "request", "body", "params", "content")
DEPTH = 8

_BODY = ("content", "tool_calls", "function_call", "refusal", "audio")
_ITEM = re.compile(  # items without a role: OpenAI API reference, Responses, `input`
    r"reasoning|compaction|item_reference|mcp_(list_tools|approval_request|approval_response)"
    r"|(function|custom_tool|web_search|file_search|computer|code_interpreter|image_generation"
    r"|local_shell|shell|apply_patch|mcp|tool_search)_call(_output)?"
)
_FACTS = ("domain", "task_id", "instance_id")


@dataclass(frozen=True, slots=True)
class Found:
    """A list with its path, the object it stands in, and what the objects around it say.

    `entries` is None for a list's element that holds no session.
    """

    path: str
    entries: list[Any] | None
    node: Mapping[str, Any]
    facts: Mapping[str, Any]


def walk(
    value: object, path: str = "", facts: Mapping[str, Any] | None = None, depth: int = 0
) -> Iterator[Found]:
    """Find the message lists of a value, in order.

    >>> [found.path for found in walk([{"traj": [{"role": "user", "content": "Hi"}]}])]
    ['[0].traj']
    """
    if depth > DEPTH:
        return
    if isinstance(value, list):
        yield from _walk_list(value, path, facts or {}, depth)
    elif isinstance(value, dict):
        yield from _walk_object(value, path, {**(facts or {}), **_facts(value)}, depth)


def _walk_list(
    items: list[Any], path: str, facts: Mapping[str, Any], depth: int
) -> Iterator[Found]:
    if any(map(is_message, items)):
        yield Found(path, items, {}, facts)
        return
    for i, item in enumerate(items):
        place = f"{path}[{i}]"
        inside = list(walk(item, place, facts, depth + 1))
        yield from inside or [Found(place, None, {}, facts)]


def _walk_object(
    node: dict[str, Any], path: str, facts: Mapping[str, Any], depth: int
) -> Iterator[Found]:
    if is_message(node):
        return
    lists = [
        Found(f"{path}.{key}".lstrip("."), entries, node, facts)
        for key in LISTS
        if (entries := _entries(node, key)) is not None
    ]
    filled = [one for one in lists if one.entries]
    if filled:
        yield filled[0]
        return
    inner = [(f"{path}.{key}".lstrip("."), node.get(key)) for key in WRAPPERS]
    found = [one for place, value in inner for one in walk(value, place, facts, depth + 1)]
    yield from found or lists[:1]


def _entries(node: dict[str, Any], key: str) -> list[Any] | None:
    """Give the list under a key if it holds messages; nothing to read is an empty list."""
    value = node.get(key, 0)
    if value in (None, []) or (key == "input" and isinstance(value, str)):
        return []
    return value if isinstance(value, list) and any(map(is_message, value)) else None


def _facts(node: Mapping[str, Any]) -> dict[str, Any]:
    """Give the ids of an object; tau2-bench hides the domain in its environment's description."""
    facts = {key: node[key] for key in _FACTS if isinstance(node.get(key), str | int)}
    info = node.get("info")
    environment = info.get("environment_info") if isinstance(info, dict) else None
    domain = environment.get("domain_name") if isinstance(environment, dict) else None
    return {"domain": domain, **facts} if isinstance(domain, str) else facts


def is_message(value: object) -> bool:
    """Tell whether a value is surely a message: a role with content, or a Responses item."""
    if not isinstance(value, dict) or not is_entry(value):
        return False
    return "role" not in value or any(key in value for key in _BODY)


def is_entry(value: object) -> bool:
    """Tell whether a value may stand among messages."""
    if not isinstance(value, dict):
        return False
    if "role" in value:
        return isinstance(value["role"], str)
    kind = value.get("type")
    return isinstance(kind, str) and _ITEM.fullmatch(kind) is not None


def listed(value: object) -> list[dict[str, Any]]:
    """Give the objects of a list; of anything else, none.

    >>> listed([{"a": 1}, 7]), listed({"b": 2})
    ([{'a': 1}], [])
    """
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def objects(value: object) -> list[dict[str, Any]]:
    """Give the objects of a list, or the one that is there instead.

    >>> objects([{"a": 1}, 7]), objects({"b": 2})
    ([{'a': 1}], [{'b': 2}])
    """
    return [value] if isinstance(value, dict) else listed(value)
