"""An agent of LangChain whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.callbacks import BaseCallbackHandler
from langchain_openai import ChatOpenAI

from lre.integrations.langchain import EvictionMiddleware


def build(tools: Sequence[Any], model: str = "your-model") -> Any:
    """Build an agent; OPENAI_API_KEY and OPENAI_BASE_URL say where the model is."""
    return create_agent(
        ChatOpenAI(model=model),
        tools,
        system_prompt="You audit records.",
        middleware=[EvictionMiddleware(budget=4000)],
    )


class Receipts(BaseCallbackHandler):  # type: ignore[misc]
    """Hears of every eviction: ``agent.invoke(…, {"callbacks": [Receipts()]})``."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def on_custom_event(self, name: str, data: Any, **_: Any) -> None:
        """Keep the receipts."""
        if name == "lre.receipt":
            self.told.append(data)
