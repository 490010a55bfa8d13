"""What a reader is shown, and in which order it is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bench.conversations.sheets import ASKED, by_score, sheet
from lre.bench.conversations.prompts import Asking, askings, portion, prompt, shown, whole
from lre.bench.conversations.sheet import Asked, Sheet
from lre.errors import BudgetError, SettingError

EARLY = (5, 4, 3, 2, 1, 0)
EQUAL = (1, 1, 1, 1, 1, 1)


def asked(*ranked: Any, settings: tuple[str, ...] = ("units",), keep: str = "50%") -> list[Asking]:
    sheets = [sheet(ASKED[:2])] * len(ranked[0].scores)
    return askings(sheets, ranked, [list(one.asked) for one in sheets], settings, portion(keep))


def text(one: Asking) -> str:
    return one.prompt[-1]["content"]


def test_what_is_kept_is_shown_in_order_under_the_dates_of_its_sessions() -> None:
    kept = np.array([True, False, True, False, False, True])
    assert shown(sheet(), kept) == "[day 1]\nAnn: turn 0\nAnn: turn 2\n\n[day 2]\nBo: turn 5"


def test_where_there_is_no_name_the_role_speaks_and_without_a_date_the_number_stands() -> None:
    entries = [
        {"role": "user", "content": "Hi", "session": 3, "time": ""},
        {"role": "assistant", "content": "Hello!", "session": 3, "time": ""},
        {"role": "user", "content": "Bye"},
    ]
    base = sheet()
    made = Sheet(replace(base.trace, messages=entries), [(0, 1), (2,)], base.costs[:2], (), 0)
    expected = "[session 3]\nUser: Hi\nAssistant: Hello!\n\nUser: Bye"
    assert shown(made, np.array([True, True])) == expected


def test_the_question_comes_last_with_its_date() -> None:
    first, last = prompt("Ann: Oslo.", Asked("Where?", "Oslo", "", (), asked="1 May"))
    assert (first["role"], last["role"]) == ("system", "user")
    assert last["content"] == "Ann: Oslo.\n\nQuestion (asked on 1 May): Where?\nShort answer:"


def test_the_right_answer_is_never_shown() -> None:
    assert "cat" not in str(asked(by_score("fifo", EARLY))[1].prompt)


def test_questions_of_one_kept_text_follow_each_other() -> None:
    ranked = by_score("a", EARLY, EARLY), by_score("b", EQUAL, EQUAL)
    found = asked(*ranked, settings=("units", "tokens"))
    order = [(one.policy, one.setting, one.asked.text) for one in found]
    one = [(p, s, q.text) for p in "ab" for s in ("units", "tokens") for q in ASKED[:2]]
    assert order == one * 2
    assert text(found[0]).split("Question")[0] == text(found[1]).split("Question")[0]


@pytest.mark.parametrize(("keep", "units"), [("50%", 3), ("40%", 2), ("1%", 1), ("100%", 6)])
def test_by_units_as_many_as_the_rounded_share_are_kept_and_at_least_one(
    keep: str, units: int
) -> None:
    found = asked(by_score("a", EARLY), keep=keep)[0]
    assert found.units == units
    assert all(f"turn {i}" in text(found) for i in range(units))


def test_ties_go_to_the_newer_units() -> None:
    assert "turn 3" in text(asked(by_score("a", EQUAL))[0])
    assert "turn 2" not in text(asked(by_score("a", EQUAL))[0])


def test_by_tokens_the_policy_chooses_within_the_share() -> None:
    (found, _) = asked(by_score("a", EARLY), settings=("tokens",))
    assert (found.units, found.tokens) == (4, 50)  # 10 and 20; not 30; 10; not 20; 10
    assert "turn 3" in text(found)


def test_the_whole_conversation_is_shown_in_every_setting() -> None:
    found = asked(whole([sheet()]), settings=("units", "tokens"))
    assert [(one.policy, one.units, one.tokens) for one in found] == [("full", 6, 100)] * 4


def test_a_conversation_without_questions_is_not_asked_about() -> None:
    assert askings([sheet()], [by_score("a", EARLY)], [[]], ["units"], portion("20%")) == []


@pytest.mark.parametrize("keep", ["20", "120%"])
def test_what_is_no_share_is_refused(keep: str) -> None:
    with pytest.raises(SettingError, match="is no share @ --keep"):
        portion(keep)
    with pytest.raises(BudgetError):
        portion("-1%")
