"""A chat engine of LlamaIndex that reads what fits into a budget."""

from __future__ import annotations

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import LLM
from llama_index.core.storage.chat_store import BaseChatStore

from lre.integrations.llama_index_memory import EvictionMemory


def build(llm: LLM, store: BaseChatStore) -> SimpleChatEngine:
    """Build a chat engine over a store, which keeps everything."""
    memory = EvictionMemory(budget=4000, chat_store=store)
    return SimpleChatEngine.from_defaults(llm=llm, memory=memory)
