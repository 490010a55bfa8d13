"""LangChain: a middleware that edits the request, not the agent's state.

    agent = create_agent(model, tools, middleware=[EvictionMiddleware(budget=8000)])

The hook is `AgentMiddleware.wrap_model_call`. The state keeps every message, so checkpointers do
too. Receipts are custom events named ``lre.receipt`` (callbacks, `astream_events`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitted, Fitter
from lre.integrations.langchain_messages import Messages, atell, plain_tools, tell

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
except ImportError as error:
    raise MissingExtraError("LangChain", "langchain") from error

__all__ = ["EvictionMiddleware"]


class EvictionMiddleware(AgentMiddleware[Any, Any, Any]):  # type: ignore[misc]
    """Fits every request of an agent into a budget; settings as in `Fitter`."""

    def __init__(self, budget: float | str | None = None, **settings: Any) -> None:
        super().__init__()
        self._fit = Fitter[Any]("langchain", Messages(), budget=budget, **settings)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Send a shorter list."""
        fitted = self._fitted(request)
        tell(fitted)
        return handler(_with(request, fitted))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Send a shorter list."""
        fitted = self._fitted(request)
        await atell(fitted)
        return await handler(_with(request, fitted))

    def _fitted(self, request: ModelRequest[Any]) -> Fitted[Any]:
        tools = plain_tools(request.tools)
        return self._fit(request.messages, system=request.system_prompt, tools=tools)


def _with(request: ModelRequest[Any], fitted: Fitted[Any]) -> ModelRequest[Any]:
    return request.override(messages=[*fitted.messages]) if fitted.is_changed else request
