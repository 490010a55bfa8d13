"""What the page of frameworks shows was measured, and still is so for what can be run here."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "long_task.py"))


def saved() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        (DOCS / "results" / "long-task.json").read_text(encoding="utf-8")
    )
    return found


def test_every_means_has_a_saved_row(script: dict[str, Any]) -> None:
    means = [(package, name) for package, name, _ in script["MEANS"]]
    assert [(row["package"], row["means"]) for row in saved()] == means


def test_lre_keeps_the_task_and_all_pairs(script: dict[str, Any]) -> None:
    kept = {*script["lre"]()}
    assert {"system", "task"} < kept
    assert all((f"call {i}" in kept) == (f"result {i}" in kept) for i in range(script["CALLS"]))
    [then] = [row for row in saved() if row["package"] == "lre"]
    assert len(kept) == then["messages"]
