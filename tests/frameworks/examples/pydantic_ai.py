"""An agent of Pydantic AI whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.openai import OpenAIChatModel

from lre.integrations.pydantic_ai import Eviction


def build(tools: Sequence[Any], model: str = "your-model") -> Agent:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    return Agent(
        OpenAIChatModel(model),
        instructions="You audit records.",
        tools=tools,
        capabilities=[Instrumentation(), Eviction(budget=4000)],
    )
