"""LangGraph: a `pre_model_hook` that names what the model reads, and leaves the state alone.

    agent = create_react_agent(model, tools, pre_model_hook=pre_model_hook(budget=8000))

It returns ``{"llm_input_messages": […]}``: the state keeps every message, so checkpointers do
too. Receipts are custom events named ``lre.receipt``. A graph of your own takes it as a node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter

try:
    from lre.integrations.langchain_messages import Messages, plain_tools, tell
except ImportError as error:
    raise MissingExtraError("LangGraph", "langgraph") from error

__all__ = ["pre_model_hook"]


def pre_model_hook(
    budget: float | str | None = None,
    *,
    system: object = None,
    tools: Sequence[Any] | None = None,
    **settings: Any,
) -> Callable[[Any], dict[str, Any]]:
    """Build a hook that fits what the model reads into a budget.

    Parameters
    ----------
    budget
        As in `lre.evict`.
    system, tools
        The agent's prompt and tools, to be counted: LangGraph does not show them to a hook.
    **settings
        As in `Fitter`.

    Returns
    -------
    callable
        From a state with `messages` to an update of it.
    """
    fit = Fitter[Any]("langgraph", Messages(), budget=budget, **settings)
    written = plain_tools(tools)

    def fit_messages(state: Any) -> dict[str, Any]:
        messages = state["messages"] if isinstance(state, dict) else state.messages
        fitted = fit(messages, system=system, tools=written)
        tell(fitted)
        return {"llm_input_messages": [*fitted.messages]}

    return fit_messages
