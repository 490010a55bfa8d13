"""OpenAI Agents SDK: a filter of what is sent to the model, not of what a session keeps.

    Runner.run(agent, task, run_config=RunConfig(call_model_input_filter=input_filter(budget=8000)))

Receipts are spans named ``lre.receipt`` in the SDK's own traces. What an agent hands over to
another passes through the same filter. Tools of MCP servers are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter, Native
from lre.telemetry import facts

try:
    from agents import Agent, FunctionTool, Handoff, custom_span, handoff
    from agents.run import CallModelData, ModelInputData
except ImportError as error:
    raise MissingExtraError("openai-agents", "openai-agents") from error

__all__ = ["input_filter"]


def input_filter(
    budget: float | str | None = None, **settings: Any
) -> Callable[[CallModelData[Any]], ModelInputData]:
    """Make a `call_model_input_filter` that fits every request into a budget.

    Parameters
    ----------
    budget, **settings
        As in `Fitter`.

    Raises
    ------
    LreError
        If a setting cannot be used.
    """
    fit = Fitter[Any]("openai_agents", Native("openai-responses"), budget=budget, **settings)

    def fitted(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        tools = [*_tools(data.agent)]
        fitted = fit(given.input, system=given.instructions, tools=tools or None)
        if fitted.receipt:
            with custom_span("lre.receipt", facts(fitted.receipt)):
                pass
        return ModelInputData([*fitted.messages], given.instructions)

    return fitted


def _tools(agent: Any) -> Iterator[dict[str, Any]]:
    """Write functions and handoffs as the API takes them."""
    for tool in agent.tools:
        if isinstance(tool, FunctionTool):
            yield _function(tool.name, tool.description, tool.params_json_schema)
    for given in agent.handoffs:
        to = handoff(given) if isinstance(given, Agent) else given
        if isinstance(to, Handoff):
            yield _function(to.tool_name, to.tool_description, to.input_json_schema)


def _function(name: str, description: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": parameters,
    }
