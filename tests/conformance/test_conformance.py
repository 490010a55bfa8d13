"""The public conformance suite over `lre`: what holds in it, and that the page is up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("compaction_kit")

from compaction_kit.benchmark import run_budget_benchmark
from compaction_kit.compactors import LossyTruncationCompactor
from compaction_kit.generated import build_generated_session
from compaction_kit.report import ConformanceReport
from compaction_kit.runner import run_conformance
from compaction_kit.session import SeededSession, Turn
from compaction_kit.testing import assert_budget_compliant, assert_type_survival, check_compactor

from conformance.compactors import CONTESTANTS, FIFO, Evicting, measured, messages

SAVED = Path(__file__).parents[2] / "docs" / "results" / "conformance.json"
BUDGETS = (0.1, 0.2, 0.3)
VERBATIM = [name for name in CONTESTANTS if name != "lre, spans"]


@pytest.fixture(params=CONTESTANTS)
def compactor(request: pytest.FixtureRequest) -> Evicting:
    """What the kit's own fixture `compaction_report` reports on."""
    return CONTESTANTS[request.param]()


@pytest.mark.compaction(rounds=5, budget_fraction=0.2)
def test_each_round_fits_the_budget(compaction_report: ConformanceReport) -> None:
    assert_budget_compliant(compaction_report)


@pytest.mark.compaction(rounds=5)
def test_later_rounds_lose_nothing(compaction_report: ConformanceReport) -> None:
    assert compaction_report.late_cliff_types == []
    for finding in compaction_report.findings:
        assert {*finding.curve} == {finding.round1_survival}


@pytest.mark.parametrize("name", VERBATIM)
def test_what_is_left_was_there(name: str, seeded_session: SeededSession) -> None:
    there = messages(seeded_session.transcript())
    left = CONTESTANTS[name]().compact(seeded_session.transcript())
    shown, remaining = messages([Turn("system", left.text)]), iter(there)
    assert 0 < len(shown) < len(there)
    assert all(message in remaining for message in shown)  # and in this order


def test_pinned_rules_survive() -> None:
    report = check_compactor(CONTESTANTS["lre, rules pinned"](), budget_fraction=0.2)
    for kind in ("safety_rule", "hard_constraint"):
        assert_type_survival(report, kind, min_round1=1, min_final=1)


def test_more_survives_than_with_the_latest_turns_alone() -> None:
    others = {"fifo": FIFO, "lossy-truncation": LossyTruncationCompactor}
    payload = run_budget_benchmark({"lre": CONTESTANTS["lre"], **others}, seeds=(5, 6, 7))
    kept = {
        (entry["budget_fraction"], entry["compactor"]): entry["randomized"]
        for entry in payload["entries"]
    }
    for budget in BUDGETS:
        ours = kept[budget, "lre"]["overall_final_survival"]
        assert ours > max(kept[budget, name]["overall_final_survival"] for name in others)


@pytest.mark.parametrize("seed", range(4))
def test_generated_sessions_lose_nothing_after_the_first_round(seed: int) -> None:
    session, canaries = build_generated_session(seed)
    run = run_conformance(session, CONTESTANTS["lre"](), canaries=canaries, budget_fraction=0.2)
    first, *later = [result.survived for result in run.rounds]
    assert all(survived == first for survived in later)
    assert all(result.within_budget for result in run.rounds)


def test_the_adapter_reads_back_what_it_wrote(seeded_session: SeededSession) -> None:
    there = seeded_session.transcript()
    whole = Evicting("lre").compact(there, budget_chars=1_000_000)
    assert messages([Turn("system", whole.text)]) == messages(there)


def test_the_saved_result_is_what_the_kit_measures() -> None:
    saved: dict[str, Any] = json.loads(SAVED.read_text(encoding="utf-8"))
    again = json.loads(json.dumps(measured()))
    for part in ("kit", "seeded", "benchmark"):
        assert again[part] == saved[part], f"run {saved['command']} again, and make generate"
