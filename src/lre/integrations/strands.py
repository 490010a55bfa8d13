"""Strands: a conversation manager that edits the request, not the agent's messages.

    agent = Agent(model=model, tools=tools, conversation_manager=EvictionManager(budget=8000))

The hook is the middleware of `InvokeModelStage.Input`, which the manager adds to its agent.
Strands' own managers delete from `agent.messages`; this one changes nothing there, so session
managers keep every message. Receipts are metadata of Strands' traces (`result.metrics.traces`).
"""

from __future__ import annotations

import math
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter, Native
from lre.telemetry import facts

try:
    from strands.agent.conversation_manager import ConversationManager
    from strands.hooks import AgentInitializedEvent, HookRegistry
    from strands.middleware import InvokeModelStage
    from strands.middleware.stages import InvokeModelContext
except ImportError as error:
    raise MissingExtraError("Strands", "strands") from error

__all__ = ["EvictionManager"]

_LESS = 0.7


class EvictionManager(ConversationManager):  # type: ignore[misc]
    """Fits every request of an agent into a budget; settings as in `Fitter`.

    When a model says that its window overflowed, the budget becomes 70 % of what was sent, for
    good; sessions keep this too.
    """

    def __init__(self, budget: float | str | None = None, **settings: Any) -> None:
        super().__init__()
        self._settings = {"budget": budget, **settings}
        self._fit = Fitter[Any]("strands", Native("bedrock"), **self._settings)
        self._sent: int | None = None
        self._refused = math.inf
        self._narrowed: int | None = None

    def register_hooks(self, registry: HookRegistry, **kwargs: Any) -> None:
        """Wait for the agent that this manager is given to."""
        super().register_hooks(registry, **kwargs)
        registry.add_callback(AgentInitializedEvent, self._join)

    def _join(self, event: AgentInitializedEvent) -> None:
        event.agent.add_middleware(InvokeModelStage.Input, self._send)

    def _send(self, context: InvokeModelContext) -> InvokeModelContext:
        """Send a shorter list."""
        fitted = self._fit(
            context.messages,
            system=_texts(context.system_prompt),
            tools=context.tool_specs,
            conversation=context.agent.session_id,
        )
        self._sent = fitted.receipt.after if fitted.receipt else None
        trace = context.invocation_state.get("event_loop_cycle_trace")
        if fitted.receipt and trace:
            trace.metadata.update(facts(fitted.receipt))
        return context.replace(messages=[*fitted.messages]) if fitted.is_changed else context

    def apply_management(self, agent: Any, **kwargs: Any) -> None:
        """Leave the agent's messages as they are."""

    def reduce_context(self, agent: Any, e: Exception | None = None, **kwargs: Any) -> None:  # noqa: ARG002
        """Send less from now on, or raise the model's error where nothing more can go."""
        if e is None:
            return
        if self._sent is None or self._sent >= self._refused:
            raise e
        self._refused = self._sent
        self._narrow(max(int(self._sent * _LESS), 1))

    def _narrow(self, budget: int) -> None:
        settings = {**self._settings, "budget": budget, "older_budget": None}
        self._fit, self._narrowed = Fitter[Any]("strands", Native("bedrock"), **settings), budget

    def get_state(self) -> dict[str, Any]:
        """Give what a session keeps."""
        return {**super().get_state(), "budget": self._narrowed}

    def restore_from_session(self, state: dict[str, Any]) -> None:
        """Take up what a session kept; sessions of other managers come back with all messages."""
        if state.get("budget"):
            self._narrow(state["budget"])


def _texts(system: Any) -> Any:
    if isinstance(system, list):
        return [block for block in system if "text" in block]
    return system
