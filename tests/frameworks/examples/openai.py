"""A small agent on the OpenAI client: its list grows, what it sends does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from openai import OpenAI

from lre.integrations.openai import wrap


def run(
    task: str,
    functions: Mapping[str, Callable[..., str]],
    tools: Sequence[Any],
    model: str = "your-model",
) -> str:
    """Work until no tool is called; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    client = wrap(OpenAI(), budget=4000)
    messages: list[Any] = [{"role": "user", "content": task}]
    while True:
        completion = client.chat.completions.create(model=model, messages=messages, tools=tools)
        message = completion.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            if call.type == "function":
                result = functions[call.function.name](**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
