"""Evidence kept, questions whole, and what is gained over FIFO."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.conversations.sheets import ASKED, by_score, sheet
from lre.bench.conversations.retain import retain

# A hundred tokens: 10, 20, 30, 10, 20, 10. The questions need 1, and 1 with 4.
FIFO = (0, 1, 2, 3, 4, 5)  # 50 tokens: 5, 4, 3; neither 2 nor 1 fits; 0
FIRST = (0, 5, 4, 0, 0, 0)  # 50 tokens: 1 and 2; 30 tokens: 1, then 5
BOTH = (0, 5, 0, 0, 4, 1)  # 50 tokens: 1, 4, 5


def rows(*ranked: Any, budgets: tuple[str, ...] = ("50%",)) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = retain("locomo", [sheet()], ranked, budgets)["rows"]
    return found


def test_evidence_kept_is_the_mean_share_over_questions_that_have_evidence() -> None:
    (fifo,) = rows(by_score("fifo", FIFO))
    assert fifo["evidence_kept"] == 0.25  # nothing of the first, half of the second
    assert fifo["questions_whole"] == 0
    assert (fifo["units_mean"], fifo["tokens_mean"]) == (4, 50)


def test_a_question_is_whole_with_all_of_its_evidence() -> None:
    one, both = rows(by_score("one", FIRST), by_score("both", BOTH), budgets=("30%",))
    assert (one["evidence_kept"], one["questions_whole"]) == (0.75, 0.5)
    assert (both["evidence_kept"], both["questions_whole"]) == (0.75, 0.5)
    (both,) = rows(by_score("both", BOTH))
    assert (both["evidence_kept"], both["questions_whole"]) == (1, 1)


def test_misses_removed_are_those_of_fifo_at_the_same_budget() -> None:
    ranked = (by_score("fifo", FIFO), by_score("lre", FIRST), by_score("oracle", BOTH))
    found = {row["policy"]: row for row in rows(*ranked)}
    removed = {name: row["misses_removed"] for name, row in found.items()}
    assert removed == {"fifo": 0, "lre": 0.5, "oracle": 1}
    assert found["oracle"]["interval"]["misses_removed"] == [1, 1]
    assert found["oracle"]["interval"]["questions_whole_over_fifo"] == [1, 1]
    assert found["lre"]["interval"]["evidence_kept_over_fifo"] == [0.5, 0.5]


def test_without_fifo_nothing_is_compared() -> None:
    (row,) = rows(by_score("lre", BOTH))
    assert row["misses_removed"] is None
    assert set(row["interval"]) == {
        *("evidence_kept", "questions_whole", "tokens_mean", "units_mean"),
    }


@pytest.mark.parametrize(("budget", "shown"), [("50%", "50%"), ("50", 50)])
def test_budgets_are_shares_or_tokens(budget: str, shown: object) -> None:
    (row,) = rows(by_score("lre", BOTH), budgets=(budget,))
    assert (row["budget"], row["tokens_mean"]) == (shown, 50)


def test_nothing_is_kept_within_a_budget_that_nothing_fits() -> None:
    (row,) = rows(by_score("lre", BOTH), budgets=("9",))
    assert (row["evidence_kept"], row["units_mean"]) == (0, 0)


def test_questions_without_evidence_do_not_count() -> None:
    found = retain("locomo", [sheet(), sheet(ASKED[2:])], [by_score("x", BOTH, FIFO)], ["50%"])
    assert (found["questions"], found["with_evidence"]) == (4, 2)
    assert found["rows"][0]["evidence_kept"] == 1


def test_where_no_question_has_evidence_there_are_no_figures() -> None:
    ranked = [by_score("fifo", FIFO), by_score("lre", BOTH)]
    found = retain("locomo", [sheet(ASKED[2:])], ranked, ["50%"])
    for row in found["rows"]:
        assert row["evidence_kept"] is row["questions_whole"] is row["misses_removed"] is None
        assert set(row["interval"]) == {"tokens_mean", "units_mean"}


def test_a_conversation_with_more_questions_weighs_more() -> None:
    sheets = [sheet(), sheet(ASKED[:1])]
    found = retain("locomo", sheets, [by_score("lre", BOTH, FIFO)], ["50%"])
    assert found["rows"][0]["evidence_kept"] == pytest.approx(2 / 3)
    assert found["rows"][0]["interval"]["evidence_kept"] == [0, 1]


def test_the_result_is_plain_json() -> None:
    found = retain("locomo", [sheet()], [by_score("lre", BOTH)], ["50%", "20"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found
