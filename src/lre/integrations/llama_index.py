"""LlamaIndex: a model that is sent less than it is given.

    agent = FunctionAgent(llm=EvictionLLM(llm, budget=8000), tools=tools)

The hook is the model itself, `LLM.chat` and its kin: agents keep the calls of a turn apart from
their memory until the turn ends, where no memory sees them. Whatever memory is used keeps all that
it holds. Receipts are events of LlamaIndex's instrumentation (`EvictionEvent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.integrations.llama_index_messages import EvictionEvent, Messages, tell

try:
    from llama_index.core.bridge.pydantic import PrivateAttr, SerializeAsAny
    from llama_index.core.llms import LLM, ChatMessage, LLMMetadata
    from llama_index.core.llms.function_calling import FunctionCallingLLM
except ImportError as error:
    raise MissingExtraError("LlamaIndex", "llama-index") from error

__all__ = ["EvictionEvent", "EvictionLLM", "Messages"]


class EvictionLLM(FunctionCallingLLM):  # type: ignore[misc]
    """Fits every request to a model into a budget; settings as in `Fitter`.

    It stands wherever the model would: in agents, workflows, chat engines. All but the messages is
    left to the model.
    """

    llm: SerializeAsAny[LLM]
    _fit: Fitter[Any] = PrivateAttr()

    def __init__(self, llm: LLM, budget: float | str | None = None, **settings: Any) -> None:
        shared = {name: getattr(llm, name) for name in LLM.model_fields}
        super().__init__(llm=llm, **shared)
        self._fit = Fitter[Any]("llama_index", Messages(), budget=budget, **settings)

    def _fitted(self, messages: Sequence[ChatMessage], tools: Any) -> list[ChatMessage]:
        fitted = self._fit(messages, tools=[tool for tool in tools or () if _counts(tool)])
        tell(fitted)
        return [*fitted.messages]

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        """Send a shorter list."""
        return self.llm.chat(self._fitted(messages, kwargs.get("tools")), **kwargs)

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        """Send a shorter list."""
        return self.llm.stream_chat(self._fitted(messages, kwargs.get("tools")), **kwargs)

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        """Send a shorter list."""
        return await self.llm.achat(self._fitted(messages, kwargs.get("tools")), **kwargs)

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        """Send a shorter list."""
        return await self.llm.astream_chat(self._fitted(messages, kwargs.get("tools")), **kwargs)

    @property
    def metadata(self) -> LLMMetadata:
        """What the model says of itself."""
        return self.llm.metadata

    def complete(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model; a prompt is no history."""
        return self.llm.complete(*args, **kwargs)

    def stream_complete(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model."""
        return self.llm.stream_complete(*args, **kwargs)

    async def acomplete(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model."""
        return await self.llm.acomplete(*args, **kwargs)

    async def astream_complete(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the model."""
        return await self.llm.astream_complete(*args, **kwargs)

    def _prepare_chat_with_tools(self, *args: Any, **kwargs: Any) -> Any:
        return self.llm._prepare_chat_with_tools(*args, **kwargs)

    def _prepare_chat_with_tools_compat(self, *args: Any, **kwargs: Any) -> Any:
        return self.llm._prepare_chat_with_tools_compat(*args, **kwargs)

    def _validate_chat_with_tools_response(self, *args: Any, **kwargs: Any) -> Any:
        return self.llm._validate_chat_with_tools_response(*args, **kwargs)

    def get_tool_calls_from_response(self, *args: Any, **kwargs: Any) -> Any:
        """Let the model read its response."""
        return self.llm.get_tool_calls_from_response(*args, **kwargs)


def _counts(tool: Any) -> bool:
    return isinstance(tool, dict) or hasattr(tool, "model_dump")
