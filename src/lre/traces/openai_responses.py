"""Requests to OpenAI's Responses: ``input`` with items, beside it ``instructions``.

HTTP logs and batch files: `lre.traces.requests` says in which shapes. An ``input`` that is plain
text holds no history.
Source: OpenAI API reference, Responses and Batch.
"""

from __future__ import annotations

from lre.traces.requests import RESPONSES, Requests

__all__ = ["READER"]


class _OpenAIResponses(Requests):
    name = RESPONSES
    describe = "OpenAI Responses: HTTP logs, batch files"
    dialects = ("openai-responses",)
    example = "requests.jsonl"


READER = _OpenAIResponses()
