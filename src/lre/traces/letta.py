"""Letta agent files (``.af``): the messages of each agent, with its tools.

A call that needs approval stands in a message of the role "approval"; the approval itself, and
its copy of the results, are left out, since the tool message that follows has them. Also the
older form, in which the file is one agent.

Source: letta-ai/agent-file, and ``letta/schemas/agent_file.py`` of letta-ai/letta.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.asked import Item, items
from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry, trace
from lre.traces.turns import Turn

__all__ = ["READER"]

_ROLES = ("system", "user", "assistant", "tool", "approval")
_AGENT = ("in_context_message_ids", "in_context_message_indices", "llm_config", "agent_type")


class _Letta:
    name = "letta"
    describe = "Letta agent files"
    dialects = ("openai-chat",)
    example = "agent.af"

    def recognises(self, value: object) -> bool:
        return any(map(_is_agent, _agents(value)))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            agents = _agents(record.value)
            path = "agents" if agents and agents[0] is not record.value else ""
            for item in items(record.where, agents if path else record.value, report, path):
                if _is_agent(item.value):
                    yield from _session(item, _tools(record.value, item.value))
                else:
                    item.skip("", "no Letta agent")


READER = _Letta()


def _agents(value: object) -> list[Any]:
    if not isinstance(value, dict):
        return []
    agents = value.get("agents")
    return agents if isinstance(agents, list) else [value]


def _is_agent(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    return any(key in value for key in _AGENT)


def _session(item: Item, tools: list[Entry] | None) -> Iterator[Trace]:
    messages: list[Entry] = []
    for i, message in enumerate(item.value["messages"]):
        if isinstance(message, dict) and message.get("role") in _ROLES:
            messages += _entries(message)
        else:
            item.skip(f".messages[{i}]", "no message")
    if messages:
        name = item.value.get("name")
        yield trace(READER.name, item.place(), messages, tools=tools, agent=name)


def _entries(message: dict[str, Any]) -> list[Entry]:
    role, time = message["role"], message.get("created_at")
    turn = Turn("assistant" if role == "approval" else role, time)
    content = message.get("content")
    if role == "tool":
        _returned(turn, message, content)
        return turn.entries()
    for block in content if isinstance(content, list) else [content]:
        _say(turn, block)
    for call in _listed(message.get("tool_calls")):
        function = call.get("function")
        body = function if isinstance(function, dict) else call
        turn.call(call.get("id"), body.get("name"), body.get("arguments"))
    return turn.entries()


def _say(turn: Turn, block: object) -> None:
    if not isinstance(block, dict):
        turn.say(block)
    elif block.get("type") == "text":
        turn.say(block.get("text"))
    elif block.get("type") in ("reasoning", "redacted_reasoning", "omitted_reasoning"):
        turn.think(block.get("reasoning"), block.get("signature") or block.get("data"))
    elif isinstance(block.get("type"), str) and not block["type"].startswith("tool_"):
        turn.show(block)  # calls and results among the blocks repeat the message's own


def _returned(turn: Turn, message: dict[str, Any], content: object) -> None:
    """Take the results of parallel calls, or the one of an older file."""
    results = _listed(message.get("tool_returns"))
    for one in results:
        output = one.get("func_response")
        call_id = one.get("tool_call_id") or message.get("tool_call_id")
        turn.result(call_id, output, error=one.get("status") == "error")
    if not results:
        bare = [{k: v for k, v in one.items() if k != "signature"} for one in _listed(content)]
        turn.result(message.get("tool_call_id"), bare if bare else content)


def _tools(file: object, agent: dict[str, Any]) -> list[Entry] | None:
    """Give the schemas of an agent's tools, which the file may keep beside the agents."""
    beside = file.get("tools") if isinstance(file, dict) else None
    known = _listed(agent.get("tools")) or _listed(beside)
    named = agent.get("tool_ids")
    chosen = [one for one in known if not isinstance(named, list) or one.get("id") in named]
    schemas = [one["json_schema"] for one in chosen if isinstance(one.get("json_schema"), dict)]
    return [{"type": "function", "function": schema} for schema in schemas] or None


def _listed(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
