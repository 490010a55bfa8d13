"""Pydantic AI: a capability that edits the request, not the message history.

    agent = Agent(model, capabilities=[Eviction(budget=8000)])

The hook is `AbstractCapability.before_model_request`; put it last, so that it sees what others
made of the request. `all_messages` keeps every message. Receipts are attributes of the current
OpenTelemetry span, as Pydantic AI's own facts are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.integrations.pydantic_ai_messages import Messages, is_held
from lre.pins import Pin
from lre.telemetry import facts

try:
    from opentelemetry.trace import get_current_span
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import RunContext
except ImportError as error:
    raise MissingExtraError("Pydantic AI", "pydantic-ai") from error

__all__ = ["Eviction"]


class Eviction(AbstractCapability[Any]):  # type: ignore[misc]
    """Fits every request of an agent into a budget; settings as in `Fitter`."""

    def __init__(
        self, budget: float | str | None = None, *, pin: Pin | Iterable[Pin] = (), **settings: Any
    ) -> None:
        super().__init__()
        pins = [*pin] if isinstance(pin, Set | Sequence) and not isinstance(pin, str) else [pin]
        settings |= {"budget": budget, "pin": [*pins, is_held]}
        self._fit = Fitter[Any]("pydantic_ai", Messages(), **settings)

    async def before_model_request(
        self,
        ctx: RunContext[Any],  # noqa: ARG002
        request_context: ModelRequestContext,
    ) -> ModelRequestContext:
        """Send a shorter list: a new one is of this request alone."""
        system, tools = _beside(request_context.model_request_parameters)
        fitted = self._fit(request_context.messages, system=system, tools=tools)
        if fitted.receipt:
            get_current_span().set_attributes(facts(fitted.receipt))
        if not fitted.is_changed:
            return request_context
        return replace(request_context, messages=[*fitted.messages])


def _beside(asked: Any) -> tuple[str | None, list[dict[str, Any]] | None]:
    """Give instructions and tools; None where that cannot be done."""
    with contextlib.suppress(Exception):
        said = "\n\n".join(part.content for part in asked.instruction_parts or ())
        tools = [
            {"name": t.name, "description": t.description, "input_schema": t.parameters_json_schema}
            for t in asked.tool_defs.values()
        ]
        return said or None, tools or None
    return None, None
