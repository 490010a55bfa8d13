"""What Langfuse's page makes of the messages of observations, by their ids.

``{"obs-1": {"input": {"success": true, "data": [messages]}, "output": {…}}}``. Calls are
``{id, name, arguments}`` and reasoning ``thinking: [{content, signature}]``, whatever the SDK
wrote; where the input kept Anthropic's blocks, the reply is written in blocks again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lre.dialects.base import block_types
from lre.traces.asked import Item
from lre.traces.entries import Entry
from lre.traces.model_calls import Request
from lre.traces.shapes import spoken
from lre.traces.turns import Turn

__all__ = ["conversations", "is_chatml"]


def is_chatml(value: object) -> bool:
    """Tell whether every value is an observation with ``success`` in its input."""
    if not isinstance(value, dict) or not value:
        return False
    inputs = [one.get("input") if isinstance(one, dict) else None for one in value.values()]
    return any(isinstance(one, dict) and "success" in one for one in inputs)


def conversations(item: Item) -> Iterator[Request]:
    """Give the requests of a record; an observation that Langfuse could not read is reported."""
    for key, one in item.value.items():
        given, tools = _side(one, "input")
        sent = spoken(given, "user")
        reply = [entry for message in _side(one, "output")[0] for entry in _reply(message, sent)]
        if sent:
            yield Request(item.place(), sent, reply, tools=tools)
        else:
            item.skip(f".{key}.input", "no messages that are known")


def _side(observation: object, key: str) -> tuple[list[Any], Any]:
    """Give the messages of one side, and the tools that stand in one of them."""
    side = observation.get(key) if isinstance(observation, dict) else None
    data = side.get("data") if isinstance(side, dict) else None
    messages = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    bare = [{k: v for k, v in one.items() if k not in ("tools", "json")} for one in messages]
    return bare, next((one["tools"] for one in messages if one.get("tools")), None)


def _reply(message: Mapping[str, Any], sent: list[Entry]) -> list[Entry]:
    calls, thoughts = (_listed(message.get(key)) for key in ("tool_calls", "thinking"))
    if not calls and not thoughts:
        return spoken(message, "assistant")
    if any(block_types(one.get("content")) & {"tool_use", "tool_result"} for one in sent):
        return [{"role": "assistant", "content": [*_blocks(message, thoughts, calls)]}]
    turn = Turn("assistant")
    for one in thoughts:
        turn.think(one.get("content"), one.get("signature"))
    turn.say(message.get("content"))
    for one in calls:
        turn.call(one.get("id"), one.get("name"), one.get("arguments"))
    return turn.entries()


def _blocks(
    message: Mapping[str, Any], thoughts: list[Entry], calls: list[Entry]
) -> Iterator[Entry]:
    for one in thoughts:
        seal = {"signature": one["signature"]} if one.get("signature") else {}
        yield {"type": "thinking", "thinking": one.get("content"), **seal}
    if message.get("content"):
        yield {"type": "text", "text": message["content"]}
    for one in calls:
        given = one.get("arguments")
        yield {"type": "tool_use", **{key: one.get(key) for key in ("id", "name")}} | {
            "input": _parsed(given) if isinstance(given, str) else given
        }


def _parsed(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return {"arguments": arguments}


def _listed(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
