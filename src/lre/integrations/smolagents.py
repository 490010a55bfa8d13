"""smolagents: a model that hands shorter lists to your own, and leaves the agent's memory alone.

    agent = CodeAgent(tools, EvictionModel(model, budget=8000))

The hook is `Model.generate` (and `generate_stream`), for tool calling and code agents alike. An
`AgentLogger` given as `logger` is told of every receipt.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.telemetry import facts

try:
    from smolagents import AgentLogger, ChatMessage, LogLevel, MessageRole, Model
    from smolagents.models import get_tool_json_schema
except ImportError as error:
    raise MissingExtraError("smolagents", "smolagents") from error

__all__ = ["EvictionModel", "Messages"]

_ROLES = {"tool-call": "assistant", "tool-response": "user"}


class Messages:
    """Translates messages of smolagents: a step is said, called and answered in plain texts.

    They have no ids: a result answers the call before it.
    """

    dialect: str | None = "anthropic"

    def read(self, message: ChatMessage) -> dict[str, Any]:
        """Write a message as an entry."""
        role, content = MessageRole(message.role).value, [*map(_shown, _blocks(message))]
        if role == "tool-call":
            text = "\n".join(block.get("text", "") for block in content)
            content = [{"type": "tool_use", "id": "", "name": "", "input": text}]
        if role == "tool-response":
            content = [{"type": "tool_result", "tool_use_id": "", "content": content}]
        return {"role": _ROLES.get(role, role), "content": content}

    def write(self, entry: dict[str, Any], message: ChatMessage | None) -> ChatMessage:
        """Copy a message with other texts."""
        told = entry["content"]
        if message is None:
            return ChatMessage(MessageRole.USER, [{"type": "text", "text": told}])
        if message.role == MessageRole.TOOL_RESPONSE:
            told = told[0]["content"]
        pairs = zip(_blocks(message), told, strict=True)
        return replace(message, content=[old if _shown(old) == new else new for old, new in pairs])


def _blocks(message: ChatMessage) -> list[dict[str, Any]]:
    content = message.content or []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _shown(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "image"} if block.get("type") == "image" else block


class EvictionModel(Model):  # type: ignore[misc]
    """Fits every list into a budget; all else is the model's own. Settings as in `Fitter`."""

    def __init__(
        self,
        model: Model,
        budget: float | str | None = None,
        *,
        logger: AgentLogger | None = None,
        **settings: Any,
    ) -> None:
        self._model, self._logger = model, logger
        self._fit = Fitter[Any]("smolagents", Messages(), budget=budget, **settings)

    def generate(self, messages: Sequence[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        """Ask the model, with a shorter list."""
        return self._model.generate(self._fitted(messages, kwargs), *args, **kwargs)

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        """Read calls as the model does."""
        return self._model.parse_tool_calls(message)

    def to_dict(self) -> dict[str, Any]:
        """Give the model's own settings."""
        return dict(self._model.to_dict())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._model, name)
        return self._streamed if name == "generate_stream" else value

    def _streamed(
        self, messages: Sequence[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[Any]:
        yield from self._model.generate_stream(self._fitted(messages, kwargs), *args, **kwargs)

    def _fitted(self, messages: Sequence[ChatMessage], asked: dict[str, Any]) -> Any:
        fitted = self._fit(messages, tools=_tools(asked.get("tools_to_call_from")))
        if fitted.receipt and self._logger:
            level = LogLevel.INFO if fitted.is_changed else LogLevel.DEBUG
            told = ", ".join(f"{name}={value}" for name, value in facts(fitted.receipt).items())
            with contextlib.suppress(Exception):
                self._logger.log(told, level=level)
        return fitted.messages


def _tools(tools: Sequence[Any] | None) -> list[dict[str, Any]] | None:
    """Write tools as providers are told of them; None where that cannot be done."""
    with contextlib.suppress(Exception):
        return [get_tool_json_schema(tool) for tool in tools or ()] or None
    return None
