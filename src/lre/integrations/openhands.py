"""OpenHands: a condenser that shortens the view of each step, not the conversation.

    agent = Agent(llm=llm, tools=tools, condenser=EvictionCondenser(budget=8000))

The hook is `CondenserBase.condense`, which answers with a `View`, never with a `Condensation`: the
event store keeps every event, and learns of none that went. Receipts are debug records of the
logger ``openhands.lre``, their facts as fields (`LOG_JSON=1` shows them).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.telemetry import facts

try:
    from openhands.sdk import event as events
    from openhands.sdk.context.condenser.base import PipelinableCondenserBase
    from openhands.sdk.context.view import View
    from openhands.sdk.event import LLMConvertibleEvent as Event
    from openhands.sdk.llm import Message, TextContent
    from pydantic import Field, PrivateAttr, field_serializer
except ImportError as error:
    raise MissingExtraError("openhands-sdk", "openhands") from error

__all__ = ["CutEvent", "Events", "EvictionCondenser"]

_LOG = logging.getLogger("openhands.lre")


class CutEvent(Event):  # type: ignore[misc]
    """What one request shows of an event that was cut; it is never stored."""

    llm_message: Message

    def to_llm_message(self) -> Message:
        """Give the message, which the framework may change."""
        return self.llm_message.model_copy()


class Events:
    """Events as entries of Anthropic Messages; the actions of one response are one turn."""

    dialect: str | None = "anthropic"

    def read(self, event: Event) -> dict[str, Any]:
        """Write an event as an entry."""
        message = event.to_llm_message()
        blocks = [*_blocks(message)]
        if message.role != "tool":
            return {"role": message.role, "content": blocks}
        result = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": blocks}
        failed = isinstance(event, events.AgentErrorEvent)
        return {"role": "user", "content": [{**result, "is_error": failed}]}

    def write(self, entry: dict[str, Any], event: Event | None) -> Event:
        """Copy an event with other texts; any but an action becomes a `CutEvent`."""
        if event is None:
            return events.CondensationSummaryEvent(summary=entry["content"])
        message = event.to_llm_message()
        blocks = entry["content"]
        inside = blocks[0]["content"] if message.role == "tool" else blocks
        texts = iter([block["text"] for block in inside if block["type"] == "text"])
        content = [
            part.model_copy(update={"text": next(texts)}) if isinstance(part, TextContent) else part
            for part in message.content
        ]
        if isinstance(event, events.ActionEvent):
            return event.model_copy(update={"thought": content})
        shown = message.model_copy(update={"content": content})
        return CutEvent(id=event.id, source=event.source, llm_message=shown)


class EvictionCondenser(PipelinableCondenserBase):  # type: ignore[misc]
    """Fits what an agent sees at each step into a budget; settings as in `Fitter`.

    Of the settings, text and numbers are stored with a conversation.
    """

    budget: float | str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    _fit: Fitter[Event] = PrivateAttr()

    def __init__(self, budget: Any = None, settings: Any = None, **more: Any) -> None:
        super().__init__(budget=budget, settings={**(settings or {}), **more})
        self._fit = Fitter("openhands", Events(), budget=budget, **self.settings)

    def condense(self, view: View, agent_llm: object = None) -> View:  # noqa: ARG002
        """Give a shorter view; the one given is not changed."""
        given = getattr(view.events[0], "tools", ()) if view.events else ()
        tools = [tool.to_openai_tool() for tool in given] or None
        fitted = self._fit(view.events, tools=tools)
        _LOG.debug("lre.receipt", extra=facts(fitted.receipt) if fitted.receipt else {})
        return view.model_copy(update={"events": [*fitted.messages]}) if fitted.is_changed else view

    @field_serializer("settings", when_used="json")
    def _plain(self, settings: dict[str, Any]) -> dict[str, Any]:
        held = str | int | float | None
        return {name: value for name, value in settings.items() if isinstance(value, held)}


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    """Write reasoning, contents and calls, in this order."""
    yield from (block.model_dump() for block in message.thinking_blocks)
    item = message.responses_reasoning_item
    sealed = (item.encrypted_content or "") if item else ""
    text = "" if message.thinking_blocks else message.reasoning_content or ""
    if text or sealed:
        yield {"type": "thinking", "thinking": text, "signature": sealed}
    for part in message.content:
        if isinstance(part, TextContent):
            yield {"type": "text", "text": part.text}
        else:
            yield from ({"type": "image", "source": {"url": url}} for url in part.image_urls)
    for call in message.tool_calls or ():
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
