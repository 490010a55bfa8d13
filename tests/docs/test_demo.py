"""The demonstration shows what it promises."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from lre import problems

EXAMPLES = Path(__file__).parents[2] / "examples"
TOKEN = "nvk_at_R7hq2Zt9Lw4XmKc8VbD3"  # noqa: S105 - invented


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / "demo.py"), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def verdicts(printed: list[str]) -> dict[str, list[str]]:
    """Read the last table: identifier → what lre and fifo made of it."""
    start = next(i for i, line in enumerate(printed) if line.startswith("identifier"))
    assert printed[start].split()[1:3] == ["lre", "fifo"]
    return {line.split()[0]: line.split()[1:3] for line in printed[start + 1 : -1]}


def test_lre_keeps_all_that_later_steps_need(printed: list[str]) -> None:
    found = verdicts(printed)
    assert TOKEN in found
    assert {lre for lre, _ in found.values()} == {"kept"}


def test_dropping_the_oldest_loses_the_access_token(printed: list[str]) -> None:
    assert verdicts(printed)[TOKEN] == ["kept", "LOST"]


def test_the_receipt_says_of_each_unit_whether_it_stayed_and_why(printed: list[str]) -> None:
    head = next(i for i, line in enumerate(printed) if line.split()[:1] == ["unit"])
    end = next(i for i, line in enumerate(printed) if line.startswith("lre: "))
    rows = printed[head + 1 : end]
    reasons = " (kept|cut|evicted) +(pinned|recent|selected|no room)"
    assert len(rows) > 30
    assert [row for row in rows if not re.search(reasons, row)] == []
    assert re.match(r"lre: [\d,]+ → [\d,]+ tokens", printed[end])


def test_of_a_cut_unit_the_receipt_says_what_is_left(printed: list[str]) -> None:
    cut = [re.search(r" ([\d,]+)/([\d,]+) .* cut +selected", line) for line in printed]
    left = [[int(number.replace(",", "")) for number in row.groups()] for row in cut if row]
    assert left
    assert all(some < whole for some, whole in left)


def test_a_text_that_was_cut_is_shown_with_its_gaps(printed: list[str]) -> None:
    start = next(i for i, line in enumerate(printed) if line.startswith("What is left of unit"))
    end = next(i for i, line in enumerate(printed) if "the provider would reject" in line)
    text = printed[start + 2 : end - 1]
    assert any(re.fullmatch(r"\[[\d,]+ tokens cut\]", line) for line in text)
    said = json.dumps(json.loads((EXAMPLES / "session.json").read_text(encoding="utf-8")))
    kept = [line for line in text if "tokens cut]" not in line]
    assert kept
    assert all(json.dumps(line)[1:-1] in said for line in kept)


def test_the_needs_are_read_off_the_calls_and_not_made_up() -> None:
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    session = json.loads((EXAMPLES / "session.json").read_text(encoding="utf-8"))
    history, later = session[: -demo["LAST"]], session[-demo["LAST"] :]
    needs = demo["needed"](history, later)
    said, called = json.dumps(history[2:]), json.dumps(later)
    assert all(word in said and word in called for word in needs)
    assert demo["needed"](history[:2], later) == {}


def test_neither_the_session_nor_what_is_left_of_it_has_a_problem(printed: list[str]) -> None:
    session = json.loads((EXAMPLES / "session.json").read_text(encoding="utf-8"))
    assert problems(session) == []
    assert any(line.endswith("that the provider would reject: 0.") for line in printed)
