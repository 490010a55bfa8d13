"""Microsoft Agent Framework: a chat middleware that edits the request, not the session.

    agent = Agent(client, tools=tools, middleware=[EvictionMiddleware(budget=8000)])

The hook is `ChatMiddleware.process`; it may as well stand at the chat client. It sees each call
of the model with a list of its own, so that sessions and history providers keep every message,
without a flag of the framework's own compaction. Receipts are in `ChatContext.metadata` under
``lre.receipt``, and on the span ``lre.evict`` below the agent's own.
"""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lre.dialects.base import json_text
from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.telemetry import facts

try:
    from agent_framework import ChatContext, ChatMiddleware, Content, FunctionTool, Message
    from agent_framework import normalize_tools as normalized
except ImportError as error:
    raise MissingExtraError("agent-framework-core", "agent-framework") from error

__all__ = ["EvictionMiddleware", "Messages"]

_ROLES = {"tool": "user", "developer": "system"}


class Messages:
    """The framework's messages as entries of Anthropic Messages: one block for each content."""

    dialect: str | None = "anthropic"

    def read(self, message: Message) -> dict[str, Any]:
        """Write a message as an entry."""
        role = _ROLES.get(message.role, message.role)
        return {"role": role, "content": [_block(content) for content in message.contents]}

    def write(self, entry: dict[str, Any], message: Message | None) -> Message:
        """Copy a message with other texts in its contents."""
        if message is None:
            return Message("user", [entry["content"]])
        copied = copy.copy(message)
        pairs = zip(message.contents, entry["content"], strict=True)
        copied.contents = [_with_texts(content, block) for content, block in pairs]
        return copied


class EvictionMiddleware(ChatMiddleware):  # type: ignore[misc]
    """Fits every request of an agent into a budget; settings as in `Fitter`."""

    def __init__(self, budget: float | str | None = None, **settings: Any) -> None:
        self._fit = Fitter("agent_framework", Messages(), budget=budget, **settings)

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Send a shorter list."""
        options = context.options or {}
        tools = [_tool(tool) for tool in normalized(options.get("tools"))] or None
        system, name = options.get("instructions"), getattr(context.session, "session_id", None)
        fitted = self._fit(context.messages, system=system, tools=tools, conversation=name)
        if fitted.is_changed:
            context.messages = list(fitted.messages)
        if fitted.receipt:
            context.metadata["lre.receipt"] = facts(fitted.receipt)
        await call_next()


def _block(content: Content) -> dict[str, Any]:
    """Write a content as a block; calls and results of every kind keep their ids."""
    kind = str(content.type)
    called = str(content.call_id or content.image_id or "")
    match kind:
        case "text_reasoning":
            sealed = content.protected_data or ""
            return {"type": "thinking", "thinking": content.text or "", "signature": sealed}
        case "data" | "uri" | "hosted_file":
            image = (content.media_type or "").startswith("image/")
            source = {"type": "url", "url": content.uri or content.file_id}
            return {"type": "image" if image else "document", "source": source}
        case _ if kind.endswith("_call"):
            given = content.arguments if kind == "function_call" else content.to_dict()
            return {"type": "tool_use", "id": called, "name": content.name or kind, "input": given}
        case _ if kind.endswith("_result"):
            result = {"type": "tool_result", "tool_use_id": called, "content": _outcome(content)}
            return {**result, "is_error": content.exception is not None}
        case _:  # what is no text is not sent to models
            return {"type": "text", "text": (content.text or "") if kind == "text" else ""}


def _outcome(content: Content) -> Any:
    """Give what came back; what a provider's own tool gave is not to be cut."""
    if content.type != "function_result":
        return [{"type": "json", "value": content.to_dict()}]
    return [_block(item) for item in content.items or ()] or json_text(content.result)


def _with_texts(content: Content, block: dict[str, Any]) -> Content:
    """Copy a content with the texts of its block; without new ones, give the content itself."""
    if block == _block(content):
        return content
    copied = copy.copy(content)
    if content.type == "text":
        copied.text = block["text"]
    elif content.items:
        pairs = zip(content.items, block["content"], strict=True)
        copied.items = [_with_texts(item, inner) for item, inner in pairs]
        copied.result = "\n".join(item.text or "" for item in copied.items if item.type == "text")
    else:
        copied.result = block["content"]
    return copied


def _tool(tool: Any) -> Any:
    plain = tool.to_json_schema_spec() if isinstance(tool, FunctionTool) else tool
    return plain if isinstance(plain, Mapping) else {"tool": str(plain)}
