"""A small agent on Anthropic's client: its list grows, what it sends does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anthropic import Anthropic

from lre.integrations.anthropic import wrap


def run(
    task: str,
    functions: Mapping[str, Callable[..., str]],
    tools: Sequence[Any],
    model: str = "your-model",
) -> str:
    """Work until no tool is called; ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL say where to."""
    client = wrap(Anthropic(), budget=4000)
    messages: list[Any] = [{"role": "user", "content": task}]
    while True:
        message = client.messages.create(
            model=model, max_tokens=1000, messages=messages, tools=tools
        )
        messages.append({"role": "assistant", "content": message.content})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": block.id,
                "content": functions[block.name](**block.input),
            }
            for block in message.content
            if block.type == "tool_use"
        ]
        if not results:
            return "".join(block.text for block in message.content if block.type == "text")
        messages.append({"role": "user", "content": results})
