"""A prebuilt agent of LangGraph whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

from lre.integrations.langgraph import pre_model_hook

PROMPT = "You audit records."


def build(tools: Sequence[Any], model: str = "your-model", checkpointer: Any = None) -> Any:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    return create_react_agent(
        ChatOpenAI(model=model),
        tools,
        prompt=PROMPT,
        pre_model_hook=pre_model_hook(budget=4000, system=PROMPT, tools=tools),
        checkpointer=checkpointer,
    )
