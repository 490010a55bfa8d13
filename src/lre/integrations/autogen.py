"""AutoGen: a model context that shows the model less than it holds.

    agent = AssistantAgent("clerk", client, tools=tools, model_context=EvictionContext(budget=8000))

The hook is `ChatCompletionContext.get_messages`. The context holds every message, so saved states
do too. Receipts are JSON in AutoGen's own log of events (`EVENT_LOGGER_NAME`).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.telemetry import facts

try:
    from autogen_core import EVENT_LOGGER_NAME, Component, FunctionCall
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import FunctionExecutionResult, LLMMessage, UserMessage
    from pydantic import BaseModel
except ImportError as error:
    raise MissingExtraError("AutoGen", "autogen") from error

__all__ = ["EvictionContext", "Messages"]


class Messages:
    """AutoGen's messages as entries of Anthropic's: a block for each call, result and text."""

    dialect: str | None = "anthropic"

    def read(self, message: LLMMessage) -> dict[str, Any]:
        """Write a message as an entry, thoughts first."""
        thought = getattr(message, "thought", None)
        thoughts = [{"type": "thinking", "thinking": thought}] if thought else []
        blocks = thoughts + [_block(item) for item in _items(message)]
        role = message.type.removesuffix("Message").lower()
        return {"role": role if role in ("system", "assistant") else "user", "content": blocks}

    def write(self, entry: dict[str, Any], message: LLMMessage | None) -> LLMMessage:
        """Copy a message with other texts."""
        if message is None:
            return UserMessage(content=entry["content"], source="user")
        items = _items(message)
        cut = [*map(_with, items, entry["content"][-len(items) :])]
        content = cut if isinstance(message.content, list) else cut[0]
        return message.model_copy(update={"content": content})


class _Config(BaseModel):
    settings: dict[str, Any]
    initial_messages: list[LLMMessage] | None = None


class EvictionContext(ChatCompletionContext, Component[_Config]):  # type: ignore[misc]
    """Fits every request of an agent into a budget; settings as in `Fitter`.

    The agent's system message and tools count only if they are given here too.
    """

    component_config_schema = _Config
    component_provider_override = "lre.integrations.autogen.EvictionContext"

    def __init__(
        self,
        budget: float | str | None = None,
        *,
        initial_messages: list[LLMMessage] | None = None,
        system: str | None = None,
        tools: Sequence[Any] = (),
        **settings: Any,
    ) -> None:
        super().__init__(initial_messages)
        schemas = [getattr(tool, "schema", tool) for tool in tools]
        self._beside: dict[str, Any] = {"system": system, "tools": schemas}
        self._settings = {"budget": budget, **settings}
        self._fit = Fitter[Any]("autogen", Messages(), **self._settings)

    async def get_messages(self) -> list[LLMMessage]:
        """Give what the model is to see."""
        fitted = self._fit(self._messages, **self._beside)
        if fitted.receipt:
            told = json.dumps({"type": "lre.receipt", **facts(fitted.receipt)})
            logging.getLogger(EVENT_LOGGER_NAME).info(told)
        return [*fitted.messages]

    def _to_config(self) -> _Config:
        settings = self._settings | self._beside
        return _Config(settings=settings, initial_messages=self._initial_messages)

    @classmethod
    def _from_config(cls, config: _Config) -> EvictionContext:
        return cls(initial_messages=config.initial_messages, **config.settings)


def _items(message: LLMMessage) -> list[Any]:
    return message.content if isinstance(message.content, list) else [message.content]


def _block(item: Any) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if isinstance(item, FunctionCall):
        return {"type": "tool_use", "id": item.id, "name": item.name, "input": item.arguments}
    if isinstance(item, FunctionExecutionResult):
        told = {"content": item.content, "is_error": bool(item.is_error)}
        return {"type": "tool_result", "tool_use_id": item.call_id, **told}
    return {"type": "image", "source": item}


def _with(item: Any, block: dict[str, Any]) -> Any:
    if isinstance(item, str):
        return block["text"]
    if isinstance(item, FunctionExecutionResult):
        return item.model_copy(update={"content": block["content"]})
    return item
