"""The integrations by name. A new one is one file and one line here."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["INTEGRATIONS", "Integration"]


class Integration(NamedTuple):
    """What to import (``module:name``), for which framework, and the extra that installs it."""

    target: str
    framework: str
    extra: str


INTEGRATIONS: dict[str, Integration] = {
    "langchain": Integration(
        "lre.integrations.langchain:EvictionMiddleware", "LangChain", "langchain"
    ),
    "langgraph": Integration("lre.integrations.langgraph:pre_model_hook", "LangGraph", "langgraph"),
    "pydantic_ai": Integration(
        "lre.integrations.pydantic_ai:Eviction", "Pydantic AI", "pydantic-ai"
    ),
    "smolagents": Integration(
        "lre.integrations.smolagents:EvictionModel", "smolagents", "smolagents"
    ),
    "agent_framework": Integration(
        "lre.integrations.agent_framework:EvictionMiddleware",
        "Microsoft Agent Framework",
        "agent-framework",
    ),
    "openhands": Integration(
        "lre.integrations.openhands:EvictionCondenser", "OpenHands", "openhands"
    ),
    "strands": Integration("lre.integrations.strands:EvictionManager", "Strands", "strands"),
    "google_adk": Integration(
        "lre.integrations.google_adk:EvictionPlugin", "Google ADK", "google-adk"
    ),
    "llama_index": Integration(
        "lre.integrations.llama_index:EvictionLLM", "LlamaIndex", "llama-index"
    ),
    "autogen": Integration("lre.integrations.autogen:EvictionContext", "AutoGen", "autogen"),
    "openai": Integration("lre.integrations.openai:wrap", "OpenAI", "openai"),
    "anthropic": Integration("lre.integrations.anthropic:wrap", "Anthropic", "anthropic"),
    "openai_agents": Integration(
        "lre.integrations.openai_agents:input_filter", "OpenAI Agents SDK", "openai-agents"
    ),
    "litellm": Integration("lre.integrations.litellm:EvictionHook", "LiteLLM", "litellm"),
}
