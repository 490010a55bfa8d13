"""`lre explain` says why each unit would stay or go."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

import lre

Chat = list[dict[str, Any]]
Run = Callable[..., Result]
Save = Callable[..., str]


def test_the_table_has_a_line_for_each_unit(run: Run, save: Save, chat: Chat) -> None:
    result = run("explain", save(chat), "--budget", "50%")
    assert (result.exit_code, result.stderr) == (0, "")
    head, *units, summary = result.stdout.splitlines()
    assert head.split()[:6] == ["unit", "messages", "tokens", "score", "verdict", "reason"]
    assert len(units) == 18
    assert summary == lre.evict(chat, budget="50%").receipt.summary()
    assert "R002XQ +0." in units[4]


def test_json_has_every_score_and_up_to_three_identifiers(run: Run, save: Save, chat: Chat) -> None:
    result = run("explain", save(chat), "--budget", "50%", "--json")
    data = json.loads(result.stdout)
    assert data == lre.explain(chat, budget="50%").to_dict()
    assert "messages" not in data
    for decision in data["decisions"]:
        assert decision["score"] >= 0
        assert len(decision["features"]) <= 3
        assert all(0 <= feature["weight"] <= 1 for feature in decision["features"])
    assert "R002XQ" in [feature["name"] for feature in data["decisions"][4]["features"]]


def test_the_policy_of_the_paper_shows_three_features(run: Run, save: Save, chat: Chat) -> None:
    args = ("--budget", "50%", "--policy", "lre-paper", "--json")
    data = json.loads(run("explain", save(chat), *args).stdout)
    for decision in data["decisions"]:
        assert 0 <= decision["score"] <= 1
        assert [set(feature) for feature in decision["features"]] == [{"name", "weight"}] * 3


def test_spans_are_explained_too(run: Run, save: Save, chat: Chat) -> None:
    args = ("--older-budget", "300", "--granularity", "span", "--json")
    data = json.loads(run("explain", save(chat), *args).stdout)
    assert "cut" in {decision["verdict"] for decision in data["decisions"]}


def test_a_policy_without_features_shows_none(run: Run, save: Save, chat: Chat) -> None:
    data = json.loads(
        run("explain", save(chat), "--budget", "50%", "--policy", "fifo", "--json").stdout
    )
    assert {len(decision["features"]) for decision in data["decisions"]} == {0}
