"""`lre formats` lists every reader, one line each."""

from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import Result

from lre.traces import READERS

Run = Callable[..., Result]


def test_every_reader_has_a_line_in_the_order_in_which_they_are_asked(run: Run) -> None:
    result = run("formats")
    head, *lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert head.split()[:3] == ["format", "dialects", "example"]
    assert [line.split()[0] for line in lines] == [*READERS]


def test_json_says_what_each_is_and_what_comes_out(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("formats", "--json").stdout)["formats"]}
    assert [*rows] == [*READERS]
    assert rows["letta"] == {
        "name": "letta",
        "about": "Letta agent files",
        "dialects": ["openai-chat"],
        "example": "agent.af",
    }
    assert all(row["about"] for row in rows.values())
