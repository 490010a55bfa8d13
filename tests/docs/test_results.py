"""The page of results follows the saved figures, and is stale as soon as these change."""

from __future__ import annotations

import json
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

from bench.conversations.results import answered

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


class Docs:
    """What makes the pages, from a copy of the saved results that may be changed."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(ROOT / "docs" / "results", folder)
        self.folder = folder
        made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
        self.fill = made["fill"]
        parts = made["PARTS"]
        behind = parts["reached"].__globals__
        behind["_MEASURED"]["RESULTS"] = folder
        for part in (parts["ranked"], behind["saved"]):
            part.__globals__["RESULTS"] = folder

    def change(self, name: str, **figures: Any) -> None:
        path = self.folder / name
        found = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**found, **figures}), encoding="utf-8")

    def page(self) -> str:
        return str(self.fill(PAGE))


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    return Docs(tmp_path / "results")


def goal(page: str, what: str) -> str:
    plain = page.replace("\u00a0", " ")
    return next(line for line in plain.splitlines() if what in line)


def test_the_page_is_what_the_saved_results_make_it(docs: Docs) -> None:
    assert docs.page() == PAGE


@pytest.mark.parametrize("name", ["rank-locomo.json", "rank-longmemeval.json"])
def test_the_page_is_stale_once_a_figure_changes(docs: Docs, name: str) -> None:
    saved = json.loads((docs.folder / name).read_text(encoding="utf-8"))
    docs.change(name, macro_auc={**saved["macro_auc"], "lre": 0.123})
    assert docs.page() != PAGE
    assert ".123" in docs.page()


def test_the_page_is_stale_once_another_command_printed_the_figures(docs: Docs) -> None:
    saved = json.loads((docs.folder / "retain-locomo.json").read_text(encoding="utf-8"))
    docs.change("retain-locomo.json", settings={**saved["settings"], "date": "2001-02-03"})
    assert "2001-02-03" in docs.page()


@pytest.mark.parametrize(("recovery", "outcome"), [(0.95, " met "), (0.949, " **missed** ")])
def test_a_goal_is_met_where_the_figure_reaches_it(
    docs: Docs, recovery: float, outcome: str
) -> None:
    docs.change("rank-locomo.json", recovery=recovery)
    assert goal(docs.page(), "| LoCoMo | recovery by").split("|")[-2] == outcome


def test_answers_are_left_out_until_they_are_saved(docs: Docs) -> None:
    for path in docs.folder.glob("qa-*.json"):
        path.unlink()
    assert "## Answers" not in docs.page()
    found = answered(fifo=["no"] * 3, lre=["Oslo", "her cat", "likely yes"], oracle=["Oslo"] * 3)
    (docs.folder / "qa-locomo.json").write_text(json.dumps(found), encoding="utf-8")
    page = docs.page()
    assert "## Answers" in page
    assert "Reader: tiny" in page
    assert " met " in goal(page, "F1 of `lre` over `fifo` at 20 % of the units")


def test_a_lead_of_another_policy_is_told_as_a_goal_missed(docs: Docs) -> None:
    found = answered(salience=["Oslo", "her cat", "likely yes"], lre=["no"] * 3)
    (docs.folder / "qa-locomo.json").write_text(json.dumps(found), encoding="utf-8")
    line = goal(docs.page(), "F1 of `lre` over `salience` at 20 % of the units")
    assert "−1 (−1 to −1)" in line
    assert "**missed**" in line


def test_every_table_of_a_study_names_its_command_date_and_cores(docs: Docs) -> None:
    page = docs.page()
    for path in docs.folder.glob("r[ae][nt]*-*.json"):
        used = json.loads(path.read_text(encoding="utf-8"))["settings"]
        assert f"`{used['command']}`" in page
        assert f"; {used['date']}, python" in page
        assert f"{used['cores']} cores." in page
