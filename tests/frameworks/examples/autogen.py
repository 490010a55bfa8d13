"""An agent of AutoGen whose requests fit into a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ChatCompletionClient
from autogen_core.tools import FunctionTool

from lre.integrations.autogen import EvictionContext

SYSTEM = "You audit records."


def build(client: ChatCompletionClient, functions: Sequence[Callable[..., Any]]) -> AssistantAgent:
    """Build an agent; the context is told of the system message and tools so that they count."""
    tools = [FunctionTool(function, function.__doc__ or "") for function in functions]
    return AssistantAgent(
        "clerk",
        client,
        tools=[*tools],
        system_message=SYSTEM,
        model_context=EvictionContext(budget=4000, system=SYSTEM, tools=tools),
        max_tool_iterations=100,
    )
