"""Sessions from which something can be learnt."""

from __future__ import annotations

import json
from typing import Any

Chat = list[dict[str, Any]]

ORDERS = 8


def session(task: str, steps: int = 24) -> Chat:
    """Eight orders, looked up again and again, in turn."""
    chat: Chat = [{"role": "user", "content": f"Handle {task}."}]
    for order in range(ORDERS):
        chat.append({"role": "assistant", "content": "Which one comes next?"})
        chat.append({"role": "user", "content": f"That is W{order}77{task}."})
    return [*chat, *(message for step in range(steps) for message in _step(task, step))]


def _step(task: str, step: int) -> Chat:
    function = {"name": "get", "arguments": json.dumps({"id": f"W{step % ORDERS}77{task}"})}
    call = {"id": f"c{step}", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{step}", "content": f"Sent, N{step}x{task}."},
    ]
