"""An agent of smolagents whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smolagents import AgentLogger, OpenAIModel, ToolCallingAgent

from lre.integrations.smolagents import EvictionModel


def build(tools: Sequence[Any], model: str = "your-model") -> ToolCallingAgent:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    logger = AgentLogger()
    fitted = EvictionModel(OpenAIModel(model), budget=4000, logger=logger)
    return ToolCallingAgent(tools, fitted, logger=logger, max_steps=50)
