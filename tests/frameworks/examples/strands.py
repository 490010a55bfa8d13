"""An agent of Strands whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strands import Agent
from strands.agent import AgentResult
from strands.models.openai import OpenAIModel
from strands.session import FileSessionManager

from lre.integrations.strands import EvictionManager


def build(tools: Sequence[Any], folder: str, model: str = "your-model") -> Agent:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    return Agent(
        OpenAIModel(model_id=model),
        tools=[*tools],
        system_prompt="You audit records.",
        conversation_manager=EvictionManager(budget=4000),
        session_manager=FileSessionManager("one", storage_dir=folder),
    )


def receipts(result: AgentResult) -> list[dict[str, Any]]:
    """Read off a run's traces what came of each request."""
    return [trace.metadata for trace in result.metrics.traces]
