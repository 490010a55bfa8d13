"""The log formats by name. A new one is one file and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from lre.traces.base import Reader

__all__ = ["READERS", "readers"]

READERS: dict[str, str] = {
    "lre": "lre.traces.own:READER",
    "locomo": "lre.traces.locomo:READER",
    "longmemeval": "lre.traces.longmemeval:READER",
    "langfuse": "lre.traces.langfuse:READER",
    "langsmith": "lre.traces.langsmith:READER",
    "otel": "lre.traces.otel:READER",
    "pydantic_ai": "lre.traces.pydantic_ai:READER",
    "letta": "lre.traces.letta:READER",
    "opencode": "lre.traces.opencode:READER",
    "claude_code": "lre.traces.claude_code:READER",
    "codex": "lre.traces.codex:READER",
    "copilot_cli": "lre.traces.copilot_cli:READER",
    "gemini_cli": "lre.traces.gemini_cli:READER",
    "gemini": "lre.traces.gemini:READER",
    "swe_agent": "lre.traces.swe_agent:READER",
    "openhands": "lre.traces.openhands:READER",
    "openhands_chat": "lre.traces.openhands_chat:READER",
    "atif": "lre.traces.atif:READER",
    "inspect": "lre.traces.inspect:READER",
    "tau_bench": "lre.traces.tau_bench:READER",
    "tau2_bench": "lre.traces.tau2_bench:READER",
    "mini_swe_agent": "lre.traces.mini_swe_agent:READER",
    "openai_responses": "lre.traces.openai_responses:READER",
    "anthropic_messages": "lre.traces.anthropic_messages:READER",
    "openai_chat": "lre.traces.openai_chat:READER",
    "lists": "lre.traces.lists:READER",
}
"""Name to ``module:attr``, asked in this order: the general `lists` stays last."""


def readers() -> Iterator[Reader]:
    """Import the readers one by one, as they are asked for.

    >>> [reader.name for reader in readers()][-1]
    'lists'
    """
    for target in READERS.values():
        module, _, attribute = target.partition(":")
        reader: Reader = getattr(importlib.import_module(module), attribute)
        yield reader
