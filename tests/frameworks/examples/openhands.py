"""An agent of OpenHands whose requests fit into a budget."""

from __future__ import annotations

import os
from collections.abc import Sequence

from openhands.sdk import LLM, Agent, Tool
from pydantic import SecretStr

from lre.integrations.openhands import EvictionCondenser


def build(tools: Sequence[Tool], model: str = "openai/your-model") -> Agent:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    key = SecretStr(os.environ["OPENAI_API_KEY"])
    llm = LLM(model=model, api_key=key, base_url=os.environ.get("OPENAI_BASE_URL"))
    return Agent(llm=llm, tools=[*tools], condenser=EvictionCondenser(budget=8000))
