"""The studies of conversations from a file to figures, with policies that are really fitted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.contests import locomo
from openai_server import answers, serving

Run = Callable[..., Result]
Save = Callable[..., str]


@pytest.fixture
def dataset(tmp_path: Path, save: Save, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    save(locomo(6), "mine.json")
    return "mine.json"


def measured(run: Run, *args: str) -> dict[str, Any]:
    result = run("bench", *args, "--workers", "1", "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_what_is_learnt_ranks_better_than_recency(run: Run, dataset: str) -> None:
    auc = measured(run, "rank", dataset, "--policies", "fifo,salience,lre-self,lre")["macro_auc"]
    assert list(auc) == ["fifo", "salience", "lre-self", "lre"]
    assert auc["lre"] > auc["fifo"]


def test_the_oracle_keeps_most(run: Run, dataset: str) -> None:
    args = ("--policies", "fifo,lre,oracle", "--budgets", "20%")
    rows = measured(run, "retain", dataset, *args)["rows"]
    kept = {row["policy"]: row["evidence_kept"] for row in rows}
    assert kept["oracle"] == max(kept.values()) > kept["fifo"]


def test_a_reader_is_asked_about_what_is_kept(run: Run, dataset: str) -> None:
    args = ("--policies", "fifo,lre", "--questions", "6", "--model", "tiny")
    with serving(answers("Oslo")) as server:
        found = measured(run, "qa", dataset, *args, "--base-url", server.url)
    assert [row["questions"] for row in found["rows"]] == [6] * 4


@pytest.mark.parametrize("study", ["rank", "retain"])
@pytest.mark.parametrize("name", ["headroom", "acon@foo", "bench.probes:Writer"])
def test_who_rewrites_texts_is_refused_and_not_measured_as_fifo(
    run: Run, dataset: str, study: str, name: str
) -> None:
    Path(dataset).write_text("{", encoding="utf-8")
    result = run("bench", study, dataset, "--policies", f"fifo,{name}")
    assert (result.exit_code, result.stdout) == (2, "")
    expected = f"lre: {name} rewrites texts and ranks no units: measure it by lre bench replay\n"
    assert result.stderr == expected


def test_an_unknown_policy_is_refused_before_anything_is_read(run: Run, dataset: str) -> None:
    Path(dataset).write_text("{", encoding="utf-8")
    result = run("bench", "rank", dataset, "--policies", "fifo,lru")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "unknown policy 'lru': choose from " in result.stderr.splitlines()[-1]
