"""Requests to Anthropic's Messages: ``messages`` with content blocks, beside it ``system``.

HTTP logs and batch files: `lre.traces.requests` says in which shapes.
Source: Anthropic API reference, Messages and Message Batches.
"""

from __future__ import annotations

from lre.traces.requests import ANTHROPIC, Requests

__all__ = ["READER"]


class _AnthropicMessages(Requests):
    name = ANTHROPIC
    describe = "Anthropic Messages: HTTP logs, batch files"
    dialects = ("anthropic",)
    example = "requests.jsonl"


READER = _AnthropicMessages()
