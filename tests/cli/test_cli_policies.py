"""`lre policies` lists what can decide, and says what is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest
from click.testing import Result

from lre.policies import names

Run = Callable[..., Result]


def test_every_policy_has_a_line_with_what_it_does(run: Run) -> None:
    result = run("policies")
    assert (result.exit_code, result.stderr) == (0, "")
    listed = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    assert [name for name, _ in listed] == sorted(names())
    assert all(len(about) > 20 for _, about in listed)


def test_waived_laws_are_named(run: Run) -> None:
    (full,) = [line for line in run("policies").stdout.splitlines() if line.startswith("full ")]
    assert full.endswith("[waives law 3 (within budget)]")


def test_json_says_the_same(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("policies", "--json").stdout)["policies"]}
    assert rows["full"]["waives"] == [3]
    assert rows["lre"]["place"] == "lre.policies.lre:Lre"
    assert {row["problem"] for row in rows.values()} == {None}


def test_a_missing_extra_is_shown_with_its_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    lines = {line.split()[0]: line for line in run("policies").stdout.splitlines()}
    missing = "[cannot be used: SciPy is not installed: pip install 'lre[train]']"
    assert lines["lre-exact"].endswith(missing)
    assert "cannot be used" not in lines["lre"]
