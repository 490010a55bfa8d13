"""An agent on LiteLLM: its list grows, what it sends does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import litellm

from lre.integrations.litellm import EvictionHook

litellm.callbacks = [EvictionHook(budget=4000)]


async def run(
    task: str,
    functions: Mapping[str, Callable[..., str]],
    tools: Sequence[Any],
    model: str = "openai/your-model",
) -> str:
    """Work until no tool is called; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    messages: list[Any] = [{"role": "user", "content": task}]
    while True:
        answer: Any = await litellm.acompletion(model=model, messages=messages, tools=tools)
        message = answer.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = functions[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
