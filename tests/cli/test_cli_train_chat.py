"""`lre train --recipe chat` learns from conversations, with the label that the logs can give."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.contests import locomo
from lre.scorer import Scorer

Run = Callable[..., Result]
Save = Callable[..., str]

CHAT = ("train", "chats", "-o", "mine.json", "--recipe", "chat")

QUESTIONS = [
    {"question": "Where did you move in spring?", "answer": city}
    for city in ("Oslo", "Bergen", "Tromsø", "Narvik")
] + [{"question": "Which animal?", "answer": pet} for pet in ("cat", "dog", "horse", "parrot")]


@pytest.fixture
def chats(tmp_path: Path, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chats").mkdir()
    save(locomo(6), "chats/all.json")


def plain(save: Save, **beside: Any) -> None:
    """The same conversations as message lists, a file each."""
    for number, one in enumerate(locomo(6)):
        turns = [t for key, said in one["conversation"].items() if key[-1].isdigit() for t in said]
        said = [{"role": "user", "content": turn["text"]} for turn in turns]
        greeted = [{"role": "user", "content": f"This is conversation {number}."}, *said]
        save({"messages": greeted, "task_id": number, **beside}, f"chats/{number}.json")
    Path("chats/all.json").unlink()


@pytest.mark.usefixtures("chats")
def test_gold_evidence_is_learnt_where_the_log_has_it(run: Run) -> None:
    assert run(*CHAT).exit_code == 0
    scorer = Scorer.load("mine.json")
    assert scorer.card["label"] == "gold"
    assert scorer.card["terms"] == f"{len(scorer.terms)}, each in 5 sessions or more"
    assert "spring" in scorer.terms.words
    assert 0.5 < scorer.card["held_out"]["auc"] <= 1


@pytest.mark.usefixtures("chats")
def test_no_terms_leaves_every_word_out_and_the_card_says_so(run: Run) -> None:
    assert run(*CHAT, "--no-terms").exit_code == 0
    text = Path("mine.json").read_text(encoding="utf-8")
    assert "spring" not in text
    assert "likes" not in text
    assert Scorer.load("mine.json").card["terms"] == "none"


@pytest.mark.usefixtures("chats")
def test_logged_questions_with_answers_are_learnt_from(run: Run, save: Save) -> None:
    plain(save, questions=QUESTIONS)
    result = run(*CHAT)
    assert (result.exit_code, result.stderr) == (0, "wrote mine.json\n")
    assert Scorer.load("mine.json").card["label"] == "asked"


@pytest.mark.usefixtures("chats")
def test_of_plain_chats_it_is_said_how_little_they_teach(run: Run, save: Save) -> None:
    plain(save)
    result = run(*CHAT)
    assert result.exit_code == 0
    assert Scorer.load("mine.json").card["label"] == "replied"
    assert "replies alone teach little" in result.stderr


@pytest.mark.usefixtures("chats")
def test_the_written_scorer_serves_lre_chat_and_no_other_policy(run: Run, save: Save) -> None:
    run(*CHAT)
    plain(save)
    trim = ("trim", "chats/0.json", "--budget", "50%", "--scorer", "mine.json", "--json")
    assert json.loads(run(*trim, "--policy", "lre-chat").stdout)["policy"] == "lre-chat"
    refused = run(*trim)
    assert refused.exit_code == 2
    assert "made by the recipe 'chat'" in refused.stderr
