"""`lre bench loop` prints a table for people, or one object for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lre.bench.loop.results import FIGURES
from lre.cli.loop import loop
from lre.errors import BudgetError, LreError, UnknownNameError
from lre.scorer import shipped

FEW = ("--levels", "easy", "--seeds", "2", "--training", "2", "--workers", "1")
FIELDS = {
    *("level", "policy", "granularity", "budget", "tokens", "fewest", "interval", "lre_leads"),
    *FIGURES,
}
SETTINGS = {
    *("policies", "levels", "budgets", "seeds", "training", "recent", "counter", "seed"),
    *("date", "versions", "cores", "command"),
}


def run(*args: str) -> Result:
    return CliRunner().invoke(loop, args, catch_exceptions=False, prog_name="lre bench loop")


def test_json_is_the_object_that_programs_rely_on() -> None:
    done = run(*FEW, "--policies", "fifo,oracle", "--budgets", "50%,4000", "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found) == {"rows", "summaries", "settings"}
    assert set(found["settings"]) == SETTINGS
    assert all(set(row) == FIELDS for row in found["rows"])
    pairs = [(row["policy"], row["budget"]) for row in found["rows"]]
    assert pairs == [("full", None), *((p, b) for p in ("fifo", "oracle") for b in ("50%", 4000))]


def test_the_table_says_what_it_is_of(tmp_path: Path) -> None:
    page = tmp_path / "loop.html"
    done = run(*FEW, "--policies", "fifo", "--budgets", "50%,25%", "--html", str(page))
    table, _, below = done.stdout.partition("\n\n")
    named = [line.split()[:4] for line in table.splitlines()[1:]]
    assert named == [
        ["easy", "–", "full", "unit"],
        ["easy", "50", "%", "fifo"],
        ["easy", "25", "%", "fifo"],
    ]
    assert "a simulation" in below
    assert "$ lre bench loop --policies fifo --levels easy" in below
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_table_says_who_learnt_only_where_somebody_did(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(*FEW, "--policies", "fifo,lre-shipped", "--budgets", "50%").stdout
    assert "2 tasks a level\n" in plain
    monkeypatch.setattr("lre.bench.loop.study.fit", lambda *_: shipped("agent"))
    taught = run(*FEW, "--policies", "fifo,lre", "--budgets", "50%").stdout
    assert "2 tasks a level; lre learnt from 2 others of each\n" in taught


def test_where_no_summary_comes_the_whole_history_is_no_result() -> None:
    with pytest.raises(LreError, match="summaries came: nobody answers @ bench"):
        run(*FEW, "--policies", "fifo,bench.probes:Mute", "--budgets", "50%")


def test_calls_and_failures_of_a_compressor_are_counted() -> None:
    order = (*FEW, "--policies", "bench.probes:Moody", "--budgets", "50%")
    found = json.loads(run(*order, "--json").stdout)
    full, moody = found["rows"]
    told = found["summaries"]["bench.probes:Moody"]
    calls = moody["compressor_calls"] * moody["steps"] * 2
    assert round(calls) == told["asked"] > told["failed"] > 0
    assert round(moody["compressor_failures"] * moody["steps"] * 2) == told["failed"]
    assert full["compressor_calls"] == full["compressor_failures"] == 0
    assert f"{told['failed']} of {told['asked']} summaries failed" in run(*order).stdout


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("--policies", "lru"), UnknownNameError),
        (("--levels", "harder"), UnknownNameError),
        (("--budgets", "none"), BudgetError),
        (("--policies", "fifo,,lre"), LreError),
        (("--counter", "abacus"), LreError),
    ],
)
def test_what_cannot_be_used_is_told_before_anything_is_played(
    args: tuple[str, ...], error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lre.bench.loop.study.study", None)
    with pytest.raises(error):
        run(*args)
