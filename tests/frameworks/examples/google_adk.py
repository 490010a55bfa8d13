"""An app of Google ADK whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner

from lre.integrations.google_adk import EvictionPlugin


def build(tools: Sequence[Any], model: str = "gemini-your-model") -> InMemoryRunner:
    """Build a runner; GOOGLE_API_KEY and GOOGLE_GEMINI_BASE_URL say where the model is."""
    agent = LlmAgent(
        name="clerk", model=Gemini(model=model), instruction="You audit records.", tools=[*tools]
    )
    app = App(name="audit", root_agent=agent, plugins=[EvictionPlugin(budget=4000)])
    return InMemoryRunner(app=app)
