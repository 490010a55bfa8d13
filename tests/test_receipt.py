"""The receipt: a table that stays in line, and plain data for programs."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lre import History, Receipt, evict, explain
from lre.testing.samples import LISTS, SAMPLES
from lre.testing.strategies import texts

HEAD = ("unit", "messages", "tokens", "score", "verdict", "reason", "says")


def chat(*said: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text} for text in said]


def receipt(messages: list[Any], **more: Any) -> Receipt:
    settings: dict[str, Any] = {"budget": 60, "recent": 1, "policy": "fifo", **more}
    return evict(messages, **settings).receipt


def width(text: str) -> int:
    """Count columns of a terminal: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def test_the_whole_table() -> None:
    said = chat("Find HAT021.", "It is " + "long, " * 9, "No.", "Yes,\nHAT021.")
    assert str(receipt(said, budget=40)).splitlines() == [
        "unit  messages  tokens   score  verdict  reason         says",
        "   0         0      10  0.0000  kept     pinned (task)  Find HAT021.",
        "   1         1      26  1.0000  evicted  no room        It is " + "long, " * 6 + "long,…",
        "   2         2       7  2.0000  kept     selected       No.",
        "   3         3      11  3.0000  kept     recent         Yes, HAT021.",
        "fifo: 57 → 31 tokens (budget 40), 3 units kept, 1 evicted",
    ]


@pytest.mark.parametrize("dialect", SAMPLES)
@pytest.mark.parametrize("budget", [5, 250, 9000])
def test_columns_begin_where_their_heads_do(dialect: str, budget: int) -> None:
    head, *lines, _ = str(receipt(SAMPLES[dialect], budget=budget)).splitlines()
    assert tuple(head.split()) == HEAD
    verdict, reason, says = (head.index(name) for name in HEAD[4:])
    numbers = [match.end() for match in re.finditer(r"\S+", head)][:4]
    for line in lines:
        assert re.fullmatch(r"kept|evicted", line[verdict:reason].strip())
        assert re.match(r"pinned \((task|latest)\)|selected|recent|no room|under", line[reason:])
        assert line[says - 2 : says] == "  "
        assert all(line[end : end + 2] == "  " for end in numbers)
        assert line[numbers[1] - 1].isdigit()
        assert line[numbers[2] - 1].isdigit()


@settings(max_examples=60)
@given(st.lists(texts(), min_size=1, max_size=5))
def test_no_text_breaks_the_table(said: list[str]) -> None:
    table = str(receipt(chat(*said), budget=20))
    lines = table.split("\n")
    assert len(lines) == len(said) + 2
    assert table.isprintable() or all(line.isprintable() for line in lines)
    says = lines[0].index("says")
    for line in lines[1:-1]:
        assert len(line[says:]) <= 48
        assert re.fullmatch(r"kept|evicted", line[lines[0].index("verdict") :].split()[0])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\n\tc", "a b c"),
        ("red \x1b[31malert\x1b[0m\x07", "red ?[31malert?[0m?"),
        ("a\x00b\u202ec", "a?b?c"),
        ("lone \ud800", "lone ?"),
        ("\u2028x\u00a0y", "x y"),
        ("x" * 48, "x" * 48),
        ("x" * 49, "x" * 47 + "…"),
        ("", ""),
    ],
    ids=ascii,
)
def test_what_a_terminal_would_act_upon_is_not_printed(text: str, shown: str) -> None:
    lines = str(receipt(chat("task", text, "last"), budget=9000)).split("\n")
    assert lines[2][lines[0].index("says") :] == shown


def test_wide_characters_stay_in_the_last_column() -> None:
    lines = str(receipt(chat("task", "请把航班改到明天", "ok"), budget=9000)).split("\n")
    ahead = {width(line[: lines[0].index("says")]) for line in lines[:-1]}
    assert len(ahead) == 1


def test_a_unit_of_several_messages_shows_first_and_last() -> None:
    assert "1–2" in str(receipt(SAMPLES["anthropic"])).splitlines()[2]


def test_the_summary_says_when_it_is_over_budget() -> None:
    assert receipt(chat("task", "x", "y"), budget=5).summary() == (
        "fifo: 21 → 15 tokens (budget 5), 2 units kept, 1 evicted"
        "; OVER BUDGET: pins and recent window take more"
    )
    assert "(budget for older units 9)" in receipt(chat("x"), budget=None, older_budget=9).summary()


@pytest.mark.parametrize("budget", [5, 250, 9000])
def test_plain_data_is_json(budget: int) -> None:
    plain = receipt(SAMPLES["anthropic"], budget=budget).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["limit"] == {"tokens": budget, "scope": "total"}
    assert plain["over_budget"] == (budget == 5)
    assert [d["unit"] for d in plain["decisions"]] == [*range(9)]
    for decision in plain["decisions"]:
        assert set(decision) == {
            "unit", "messages", "verdict", "reason", "note", "score", "tokens", "left"
        }  # fmt: skip
        assert (decision["score"] is None) == (budget == 9000)
        assert decision["left"] == decision["tokens"] * (decision["verdict"] == "kept")
    gone = [d["tokens"] - d["left"] for d in plain["decisions"]]
    assert plain["tokens"]["before"] - plain["tokens"]["after"] == sum(gone)


def test_a_unit_that_was_cut_says_what_is_left() -> None:
    result = receipt(LISTS["anthropic"], budget=600, policy="lre", granularity="span")
    cut = [d for d in result.selection.decisions if d.verdict == "cut"]
    assert cut
    assert all(0 < d.left < d.tokens for d in cut)
    gone = sum(d.tokens - d.left for d in result.selection.decisions)
    assert result.before - result.after == gone
    line = str(result).splitlines()[1 + cut[0].unit]
    assert f" {cut[0].left:,}/{cut[0].tokens:,} " in line
    assert f", {len(cut)} cut, " in result.summary()


def test_what_went_before_is_told_apart() -> None:
    history = History(60, low=0.5, recent=1, policy="fifo")
    history.extend(chat("task", "some words " * 9, "some words " * 9, "ok"))
    assert [d.reason for d in history.eviction.selection.decisions][1:3] == ["no room"] * 2
    history.append({"role": "user", "content": "next"})
    decisions = history.eviction.selection.decisions
    assert [d.reason for d in decisions] == [
        "under budget", "gone before", "gone before", "under budget", "under budget"
    ]  # fmt: skip
    assert [d.left for d in decisions][1:3] == [0, 0]


@pytest.mark.parametrize("policy", ["lre", "lre-paper"])
def test_explain_shows_up_to_three_weights_in_the_last_column(policy: str) -> None:
    explained = explain(SAMPLES["anthropic"], budget=250, recent=1, policy=policy)
    head, *lines, summary = str(explained).splitlines()
    assert head.endswith("  weighed most")
    assert summary == explained.eviction.receipt.summary()
    for line, weights in zip(lines, explained.weights, strict=True):
        shown = re.findall(r"\S+ [+-]\d+\.\d\d", line[head.index("weighed") :])
        assert len(shown) == len(weights) <= 3
    assert max(map(len, explained.weights)) == 3


@pytest.mark.parametrize("policy", ["lre", "lre-paper"])
def test_explained_data_is_json_with_score_and_weights_for_every_unit(policy: str) -> None:
    for budget in (250, 9000):
        explained = explain(SAMPLES["anthropic"], budget=budget, policy=policy)
        plain = explained.to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain
        for decision, weights in zip(plain["decisions"], explained.weights, strict=True):
            assert decision["score"] >= 0
            assert decision["features"] == [{"name": n, "weight": w} for n, w in weights]


def test_nothing_has_a_receipt_too() -> None:
    assert str(receipt([], budget=9)).splitlines() == [
        "unit  messages  tokens  score  verdict  reason  says",
        "fifo: 3 → 3 tokens (budget 9), 0 units kept, 0 evicted",
    ]
