"""An agent of Microsoft Agent Framework whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_framework import Agent
from agent_framework_openai import OpenAIChatCompletionClient

from lre.integrations.agent_framework import EvictionMiddleware


def build(tools: Sequence[Any], model: str = "your-model") -> Agent:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    client = OpenAIChatCompletionClient(model=model)
    return Agent(client, "You audit records.", tools=tools, middleware=[EvictionMiddleware(8000)])
