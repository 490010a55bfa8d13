"""No reader claims what is another's: over all real logs, where they are."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest

from lre.traces import readers
from lre.traces.files import records
from realdata import DATA

FOLDERS: dict[str, set[str]] = {
    "lre": set(),
    "langfuse": {"formats/langfuse"},
    "langsmith": {"formats/langsmith"},
    "otel": set(),
    "pydantic_ai": set(),
    "letta": {"formats/letta"},
    "opencode": {"formats/langsmith"},
}
"""Where each may find its own; events of OpenCode were recorded by a plugin of LangSmith's."""

_RECORDS = 50  # of each file


@cache
def values() -> list[tuple[str, list[Any]]]:
    """The first values of every file, with its folder."""
    if DATA is None:
        pytest.skip("the data are not there: set LRE_DATA to their folder")
    found: list[tuple[str, list[Any]]] = []
    for path in sorted([*DATA.glob("formats/*/*"), *DATA.glob("agent/*/*")]):
        with path.open("rb") as stream:
            head = itertools.islice(records(stream, path.name, lambda *_: None), _RECORDS)
            found.append((str(path.parent.relative_to(DATA)), [one.value for one in head]))
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_a_reader_claims_only_files_of_its_format(name: str) -> None:
    (reader,) = (one for one in readers() if one.name == name)
    claimed = {folder for folder, found in values() if any(map(reader.recognises, found))}
    assert claimed == FOLDERS[name]
