"""Requests to OpenAI's Chat Completions, and to whatever speaks like it.

HTTP logs, batch files and fine-tuning files: `lre.traces.requests` says in which shapes. A
request that could be anyone's is taken for one of these.
Source: OpenAI API reference, Chat Completions and Batch; OpenAI guides, Fine-tuning.
"""

from __future__ import annotations

from lre.traces.requests import CHAT, Requests

__all__ = ["READER"]


class _OpenAIChat(Requests):
    name = CHAT
    describe = "OpenAI Chat Completions: HTTP logs, batch files, fine-tuning files"
    dialects = ("openai-chat",)
    example = "requests.jsonl"


READER = _OpenAIChat()
