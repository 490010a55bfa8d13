"""Real logs are read without an error in the dialect they are recognised in."""

from __future__ import annotations

from collections import Counter

import pytest

from lre.dialects import parse
from lre.dialects.pairing import pairs
from lre.messages import ToolResult
from realdata import sessions

COLLECTIONS = {
    "agent/tau2_bench": {"openai-chat": 1075},
    "agent/tau_bench": {"openai-chat": 115},
    "agent/mini_swe_agent": {"openai-chat": 128},
    "formats/openai_http": {"openai-chat": 2, "openai-responses": 6},
    "formats/anthropic_http": {"openai-chat": 49, "anthropic": 15},
}


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_session_is_read_in_its_dialect(collection: str) -> None:
    """Requests to Anthropic that hold nothing but plain text are read as Chat, to no harm."""
    names: Counter[str] = Counter()
    for name, entries in sessions(collection):
        dialect, messages = parse(entries)
        assert all(m.raw is e for m, e in zip(messages, entries, strict=True)), name
        names[dialect.name] += 1
    assert names == COLLECTIONS[collection]


def test_every_result_of_tau2_bench_finds_its_call() -> None:
    orphans = 0
    for _, entries in sessions("agent/tau2_bench"):
        orphans += sum(partner is None for _, _, partner in pairs(parse(entries)[1]))
    assert orphans == 0


def test_failed_commands_of_mini_swe_agent_are_marked() -> None:
    failed = 0
    for _, entries in sessions("agent/mini_swe_agent"):
        parts = (part for message in parse(entries)[1] for part in message.parts)
        failed += sum(isinstance(part, ToolResult) and part.is_error for part in parts)
    assert failed == 999


@pytest.mark.parametrize("collection", ["agent/tau_bench", "formats/anthropic_http"])
def test_what_a_provider_took_has_no_problem(collection: str) -> None:
    for name, entries in sessions(collection):
        dialect, messages = parse(entries)
        assert dialect.problems(messages) == [], name
