"""Macro-AUC, what it leads by, and what self-supervision recovers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.conversations.sheets import ASKED, by_score, sheet
from lre.bench.conversations.rank import auc, rank
from lre.bench.conversations.sheet import Asked
from lre.errors import LogError

# Evidence is 1 and 4, against 0, 2, 3 and 5: eight pairs.
OLDEST_LAST = (0, 1, 2, 3, 4, 5)  # 1 beats one, 4 beats three: 4 of 8
PERFECT = (0.1, 0.9, 0.2, 0.1, 0.8, 0.3)  # 8 of 8
NEARLY = (0, 0.5, 0.5, 0, 1, 0)  # 1 beats three and ties with one, 4 beats four: 7.5 of 8
WRONG = (1, 0, 1, 1, 0, 1)  # 0 of 8


@pytest.mark.parametrize(
    ("scores", "expected"),
    [(OLDEST_LAST, 0.5), (PERFECT, 1), (NEARLY, 7.5 / 8), (WRONG, 0), ([7] * 6, 0.5)],
)
def test_auc_is_the_share_of_pairs_in_order_with_ties_counted_half(
    scores: list[float], expected: float
) -> None:
    assert auc(sheet().gold, np.array(scores, dtype=np.float64)) == expected


def test_macro_auc_is_the_mean_over_conversations() -> None:
    found = rank("locomo", [sheet(), sheet()], [by_score("lre", PERFECT, OLDEST_LAST)])
    assert found["macro_auc"] == {"lre": 0.75}
    assert found["per_conversation"] == {"lre": [1, 0.5]}
    assert found["interval"]["macro_auc"]["lre"] == [0.5, 1]


def test_a_conversation_of_one_class_is_left_out_and_counted() -> None:
    bare = sheet(ASKED[2:])
    full = sheet([Asked("Who?", "both", "", (0, 1, 2, 3, 4, 5))])
    found = rank("locomo", [bare, sheet(), full], [by_score("lre", WRONG, PERFECT, WRONG)])
    assert found["macro_auc"] == {"lre": 1}
    assert (found["conversations"], found["left_out"]) == (3, 2)
    assert (found["units"], found["positives"], found["questions"]) == (18, 8, 5)


def test_where_no_conversation_has_evidence_that_is_said() -> None:
    with pytest.raises(LogError, match="no conversation has evidence @ locomo"):
        rank("locomo", [sheet(ASKED[2:])], [by_score("lre", PERFECT)])


def test_folds_are_means_in_the_order_of_their_numbers() -> None:
    sheets = [sheet(fold=2), sheet(fold=0), sheet(fold=2)]
    found = rank("locomo", sheets, [by_score("lre", PERFECT, OLDEST_LAST, OLDEST_LAST)])
    assert found["folds"] == {"lre": [0.5, 0.75]}


def test_recovery_is_the_lead_over_chance_that_needs_no_annotation() -> None:
    ranked = [
        by_score("lre", PERFECT),
        by_score("lre-self", NEARLY),
        by_score("lre-paper", NEARLY),
        by_score("lre-paper-self", OLDEST_LAST),
    ]
    found = rank("locomo", [sheet()], ranked)
    assert found["recovery"] == 0.875
    assert found["recoveries"] == {"lre-self": 0.875, "lre-paper-self": 0}
    assert found["interval"]["recovery"] == [0.875, 0.875]


def test_nothing_is_recovered_where_gold_is_worth_no_more_than_chance() -> None:
    ranked = [by_score("lre", OLDEST_LAST), by_score("lre-self", NEARLY)]
    found = rank("locomo", [sheet()], ranked)
    assert found["recovery"] is None
    assert found["interval"]["recovery"] is None


def test_recovery_is_none_where_a_policy_is_missing() -> None:
    found = rank("locomo", [sheet()], [by_score("lre-self", NEARLY)])
    assert (found["recovery"], found["recoveries"]) == (None, {})


def test_leads_are_paired() -> None:
    """Conversations differ, the lead does not: its interval is a point."""
    ranked = [by_score("fifo", WRONG, OLDEST_LAST), by_score("lre", OLDEST_LAST, PERFECT)]
    found = rank("locomo", [sheet(), sheet()], ranked)
    assert found["lead"] == {"fifo": {"lre": {"value": 0.5, "interval": [0.5, 0.5]}}}
    assert found["interval"]["macro_auc"]["lre"] == [0.5, 1]


def test_faults_are_summed_and_notes_told() -> None:
    faults = [{"joined evidence": 2}, {"joined evidence": 1, "empty turns": 1}, {}]
    sheets = [sheet(meta={"faults": one}) for one in faults]
    ranked = [by_score("lre", PERFECT, PERFECT, PERFECT, note="fitted on gold")]
    found = rank("locomo", sheets, ranked)
    assert found["faults"] == {"joined evidence": 3, "empty turns": 1}
    assert found["notes"] == {"lre": "fitted on gold"}


def test_the_result_is_plain_json_and_the_same_again() -> None:
    ranked = [by_score("fifo", OLDEST_LAST, WRONG), by_score("lre", PERFECT, NEARLY)]
    results = [rank("locomo", [sheet(), sheet()], ranked, seed=3) for _ in range(2)]
    assert json.dumps(results[0], allow_nan=False) == json.dumps(results[1])
