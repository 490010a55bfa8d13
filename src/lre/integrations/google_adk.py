"""Google ADK: a plugin that edits the request, not the session.

    app = App(name="audit", root_agent=agent, plugins=[EvictionPlugin(budget=8000)])

The hook is `BasePlugin.before_model_callback`, for all agents of the app. Sessions keep every
event, so that results of long-running tools find their calls. Receipts are attributes of ADK's
spans of model calls (OpenTelemetry).
"""

from __future__ import annotations

from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.telemetry import facts

try:
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.models import LlmRequest
    from google.adk.plugins.base_plugin import BasePlugin
    from google.genai import types
    from opentelemetry.trace import get_current_span
except ImportError as error:
    raise MissingExtraError("Google ADK", "google-adk") from error

__all__ = ["Contents", "EvictionPlugin"]


class Contents:
    """Gemini contents as the SDK's objects, which the dialect reads and copies itself."""

    dialect: str | None = "gemini"

    def read(self, message: types.Content) -> types.Content:
        """Hand on the content."""
        return message

    def write(self, entry: Any, message: types.Content | None) -> types.Content:
        """Hand on the copy, or make a content of a summary."""
        return types.Content.model_validate(entry) if message is None else entry


class EvictionPlugin(BasePlugin):  # type: ignore[misc]
    """Fits every request of an app's agents into a budget; settings as in `Fitter`."""

    def __init__(
        self, budget: float | str | None = None, *, name: str = "lre_eviction", **settings: Any
    ) -> None:
        super().__init__(name)
        self._fit = Fitter[Any]("google_adk", Contents(), budget=budget, **settings)

    async def before_model_callback(
        self,
        *,
        callback_context: CallbackContext,
        llm_request: LlmRequest,
    ) -> None:
        """Send a shorter list."""
        config = llm_request.config
        tools = [tool for tool in config.tools or () if isinstance(tool, types.Tool)]
        fitted = self._fit(
            llm_request.contents,
            system=_texts(config.system_instruction),
            tools=tools,
            conversation=callback_context.session.id,
        )
        if fitted.is_changed:
            llm_request.contents = [*fitted.messages]
        if fitted.receipt:
            get_current_span().set_attributes(facts(fitted.receipt))


def _texts(value: Any) -> list[str]:
    """Find the texts of an instruction: text, parts, a content, or a list of these."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    within = getattr(value, "parts", None) or getattr(value, "text", None)
    return _texts(within) if within else []
