"""LlamaIndex: a memory that shows less than it holds, for chat engines.

    engine = SimpleChatEngine.from_defaults(llm=llm, memory=EvictionMemory(budget=8000))

The hook is `BaseMemory.get`; `get_all` and the chat store keep every message. An agent's memory
sees a turn only when it has ended: for agents, wrap the model (`lre.integrations.llama_index`).
"""

from __future__ import annotations

from typing import Any

from lre.errors import MissingExtraError
from lre.integrations.base import Fitter
from lre.integrations.llama_index_messages import Messages, tell

try:
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import BaseMemory
    from llama_index.core.memory.types import BaseChatStoreMemory
except ImportError as error:
    raise MissingExtraError("LlamaIndex", "llama-index") from error

__all__ = ["EvictionMemory"]


class EvictionMemory(BaseChatStoreMemory):  # type: ignore[misc]
    """Fits what is read of a memory into a budget; settings as in `Fitter`.

    `chat_store` and `chat_store_key` are LlamaIndex's own. `system` and `tools` are what the
    engine sends beside the memory, if they are to be counted.
    """

    _fit: Fitter[Any] = PrivateAttr()
    _beside: dict[str, Any] = PrivateAttr()

    def __init__(
        self,
        budget: float | str | None = None,
        *,
        system: str | None = None,
        tools: list[dict[str, Any]] | None = None,
        **settings: Any,
    ) -> None:
        own = {name: settings.pop(name) for name in type(self).model_fields if name in settings}
        super().__init__(**own)
        self._fit = Fitter[Any]("llama_index", Messages(), budget=budget, **settings)
        self._beside = {"system": system, "tools": tools}

    @classmethod
    def from_defaults(cls, chat_history: Any = None, llm: Any = None, **kwargs: Any) -> BaseMemory:  # noqa: ARG003
        """Build a memory that begins with a history."""
        memory = cls(**kwargs)
        memory.set([*(chat_history or ())])
        return memory

    def get(self, input: str | None = None, **_: Any) -> list[ChatMessage]:  # noqa: A002, ARG002
        """Give what the model is to see."""
        return self._shown(self.get_all())

    async def aget(self, input: str | None = None, **_: Any) -> list[ChatMessage]:  # noqa: A002, ARG002
        """Give what the model is to see."""
        return self._shown(await self.aget_all())

    def _shown(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        fitted = self._fit(messages, **self._beside)
        tell(fitted)
        return [*fitted.messages]
