"""No reader of a coding agent's logs takes the real logs of another format for its own."""

from __future__ import annotations

import itertools
from collections import defaultdict
from pathlib import Path

import pytest

from lre.traces import readers
from lre.traces.files import records
from lre.traces.reports import PATIENCE
from realdata import DATA

HOMES = {
    "claude_code": {"claude_code", "pydantic_ai"},  # the latter are streams of Claude Code's output
    "codex": {"codex"},
    "copilot_cli": {"copilot_cli"},
    "gemini": set(),
    "gemini_cli": {"gemini_cli"},
}


def claims(path: Path) -> set[str]:
    with path.open("rb") as stream:
        found = records(stream, path.name, lambda *_: None)
        values = [record.value for record in itertools.islice(found, PATIENCE)]
    return {one.name for one in readers() if one.name in HOMES and any(map(one.recognises, values))}


def test_each_real_log_is_claimed_by_its_own_reader_alone() -> None:
    if DATA is None:
        pytest.skip("the data are not there: set LRE_DATA to their folder")
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for path in (*DATA.glob("formats/*/*"), *DATA.glob("agent/*/*")):
        for name in claims(path):
            homes[name].add(path.parent.name)
    assert {name: homes[name] for name in HOMES} == HOMES
