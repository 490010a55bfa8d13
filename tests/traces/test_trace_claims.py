"""Every real log belongs to one format, whatever else might be read out of it."""

from __future__ import annotations

import pytest

from lre.testing.readers import GENERAL
from lre.traces import readers
from lre.traces.files import records
from realdata import DATA

OWN = {
    "agent/swe_agent": {"swe_agent"},
    "agent/tau_bench": {"tau_bench"},
    "agent/tau2_bench": {"tau2_bench"},
    "agent/mini_swe_agent": {"mini_swe_agent"},
    "formats/openai_http": {"openai_chat", "openai_responses"},
    "formats/anthropic_http": {"anthropic_messages"},
    "formats/openhands_events": {"openhands"},
    "formats/openhands_chat": {"openhands_chat"},
    "formats/atif": {"atif"},
}


@pytest.mark.parametrize("folder", OWN)
def test_a_real_log_is_recognised_by_one_format_and_the_general_ones(folder: str) -> None:
    if DATA is None or not (DATA / folder).is_dir():
        pytest.skip(f"{folder} is not there: set LRE_DATA to the folder of the data")
    known = [one for one in readers() if one.name not in GENERAL]
    seen: set[str] = set()
    for path in sorted((DATA / folder).iterdir()):
        with path.open("rb") as stream:
            values = [record.value for record in records(stream, path.name, print)]
        names = {one.name for one in known if any(map(one.recognises, values))}
        bare = isinstance(values[0], list) and "role" in values[0][0]  # no format's own
        assert len(names) == (0 if bare else 1), path.name
        seen |= names
    assert seen == OWN[folder]
