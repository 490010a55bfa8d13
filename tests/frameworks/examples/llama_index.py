"""An agent of LlamaIndex whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import LLM
from llama_index.core.memory import ChatMemoryBuffer

from lre.integrations.llama_index import EvictionLLM

MEMORY = ChatMemoryBuffer(token_limit=10**9)  # keeps all; the model is sent what fits


def build(llm: LLM, tools: Sequence[Any]) -> FunctionAgent:
    """Build an agent; run it with `memory=MEMORY`."""
    return FunctionAgent(
        llm=EvictionLLM(llm, budget=4000), tools=[*tools], system_prompt="You audit records."
    )
