"""`lre bench qa` asks a reader, keeps what it answers, and says what could not be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.contests import locomo, stand_in
from openai_server import Request, Server, answers, dies, fails, serving

Run = Callable[..., Result]
Save = Callable[..., str]

QUESTIONS = 15  # that have an answer: five in each of three conversations
FEW = ("--policies", "fifo,lre", "--keep", "25%")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LRE_DATA", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    stand_in(monkeypatch)


@pytest.fixture
def dataset(save: Save) -> str:
    save(locomo(sessions=2), "mine.json")
    return "mine.json"


def knows(city: str) -> Callable[[Request], None]:
    """Answer with a city if it was shown."""

    def answer(request: Request) -> None:
        text = request.body["messages"][-1]["content"].split("Question")[0]
        request.answer(city if city in text else "no idea")

    return answer


def at(server: Server, *more: str) -> tuple[str, ...]:
    return ("--model", "tiny", "--base-url", server.url, *more)


def measured(run: Run, *args: str) -> dict[str, Any]:
    result = run("bench", "qa", *args, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_is_the_object_that_programs_rely_on(run: Run, dataset: str) -> None:
    with serving(knows("Oslo")) as server:
        found = measured(run, dataset, *FEW, *at(server))
    assert set(found) == {
        *("rows", "leads", "asked", "left_out", "too_long", "dataset", "conversations", "units"),
        *("tokens", "positives", "questions", "faults", "notes", "settings", "skipped"),
    }
    assert set(found["rows"][0]) == {
        *("policy", "setting", "f1", "questions", "too_long", "prompt_tokens_mean"),
        *("tokens_mean", "units_mean", "by_category", "interval"),
    }
    assert [(row["policy"], row["setting"]) for row in found["rows"]] == [
        *(("fifo", "units"), ("lre", "units"), ("fifo", "tokens"), ("lre", "tokens")),
    ]
    assert found["left_out"] == {"adversarial": 3}
    assert found["asked"] == 4 * QUESTIONS
    used = found["settings"]
    assert (used["model"], used["keep"], used["settings"]) == ("tiny", "25%", ["units", "tokens"])
    assert set(found["rows"][0]["by_category"]) == {"single-hop", "multi-hop", "open-domain"}


def test_who_keeps_what_answers_leads(run: Run, dataset: str) -> None:
    with serving(knows("Bergen")) as server:
        found = measured(run, dataset, *FEW, *at(server), "--settings", "units")
    fifo, lre = (row["f1"] for row in found["rows"])
    assert fifo < lre
    assert (found["leads"][0]["policy"], found["leads"][0]["over"]) == ("lre", "fifo")
    assert found["leads"][0]["value"] == pytest.approx(lre - fifo)


def test_what_both_settings_keep_alike_is_asked_once(run: Run, dataset: str) -> None:
    args = (dataset, "--policies", "full")
    with serving() as server:
        found = measured(run, *args, *at(server))
    assert (found["asked"], len(server.asked)) == (2 * QUESTIONS, QUESTIONS)


def test_repeated_it_asks_nothing_again(run: Run, dataset: str) -> None:
    with serving(answers("Oslo")) as server:
        first = measured(run, dataset, *FEW, *at(server))
        before = len(server.asked)
        again = measured(run, dataset, *FEW, *at(server))
    assert first == again
    assert len(server.asked) == before


def test_a_gone_endpoint_ends_it_in_one_line_and_it_can_be_resumed(run: Run, dataset: str) -> None:
    ask = ("bench", "qa", dataset, *FEW, "--settings", "units", "--in-flight", "1", "--json")
    with serving(*[answers("Oslo")] * 10, dies()) as server:
        result = run(*ask, *at(server, "--retries", "0"))
    assert (result.exit_code, result.stdout) == (2, "")
    last = result.stderr.splitlines()[-1]
    assert last.startswith("lre: the endpoint is gone (")
    assert "start it again and repeat the command: 10 of 30 answers are kept" in last
    with serving(answers("Oslo")) as server:
        assert run(*ask, *at(server)).exit_code == 0
    assert len(server.asked) == 20


def test_without_a_question_that_has_an_answer_nothing_is_told(run: Run, save: Save) -> None:
    silent = [{**one, "qa": []} for one in locomo(sessions=2)]
    path = save(silent, "silent.json")
    with serving(knows("Oslo")) as server:
        result = run("bench", "qa", path, *at(server), *FEW)
    assert result.exit_code == 2
    assert "no question has an answer" in result.stderr
    assert not server.asked


def test_what_does_not_fit_the_reader_is_left_out_for_all_and_counted(
    run: Run, dataset: str
) -> None:
    args = ("--policies", "full,fifo", "--settings", "tokens", "--questions", "6")
    with serving(answers("Oslo"), context=120) as server:
        result = run("bench", "qa", dataset, *args, *at(server))
        found = measured(run, dataset, *args, *at(server))
    full, fifo = found["rows"]
    assert (full["too_long"], fifo["too_long"]) == (6, 0)
    assert full["f1"] is fifo["f1"] is None
    assert found["too_long"] == {"tokens": 6}
    assert "tokens: 0 questions compared, 6 too long for a policy or more" in result.stdout


def test_as_many_questions_of_each_conversation_are_asked(run: Run, dataset: str) -> None:
    with serving(answers("Oslo")) as server:
        found = measured(run, dataset, *FEW, *at(server), "--questions", "9")
    assert [row["questions"] for row in found["rows"]] == [9] * 4
    assert found["left_out"] == {"adversarial": 3, "not drawn": 6}
    assert found["asked"] == 36


def test_the_kept_text_comes_first_so_that_it_is_read_once(run: Run, dataset: str) -> None:
    with serving(answers("Oslo")) as server:
        measured(run, dataset, *FEW, *at(server, "--in-flight", "1"))
    texts = [question.split("Question:")[0] for question in server.questions]
    assert sum(a != b for a, b in pairwise(texts)) <= 3 * 4 - 1
    assert texts[0].startswith("[")


def test_no_key_and_no_credentials_are_told(run: Run, dataset: str) -> None:
    with serving(answers("Oslo")) as server:
        url = server.url.replace("http://", "http://me:hidden@")
        args = ("--model", "tiny", "--base-url", url, "--api-key", "sk-secret", *FEW)
        result = run("bench", "qa", dataset, *args, "--questions", "3")
    assert result.exit_code == 0, result.stderr
    assert server.url in result.stdout
    for secret in ("sk-secret", "hidden"):
        assert secret not in result.stdout + result.stderr
        assert secret not in Path("lre-answers-locomo-tiny.jsonl").read_text()


def test_a_refused_key_is_said(run: Run, dataset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    with serving(key="sk-right") as server:
        result = run("bench", "qa", dataset, *FEW, *at(server))
    assert result.exit_code == 2
    assert "the key is refused" in result.stderr.splitlines()[-1]
    assert "sk-wrong" not in result.stderr


def test_answers_are_kept_where_it_is_said(run: Run, dataset: str) -> None:
    with serving(answers("Oslo")) as server:
        args = ("bench", "qa", dataset, *FEW, *at(server), "--settings", "units")
        assert "answers are kept in lre-answers-locomo-tiny.jsonl\n" in run(*args).stderr
        assert "answers are kept in here.jsonl\n" in run(*args, "--answers", "here.jsonl").stderr
    assert len(Path("here.jsonl").read_text().splitlines()) == 2 * QUESTIONS


def test_the_table_says_what_it_is_of(run: Run, dataset: str) -> None:
    with serving(fails(500), knows("Oslo")) as server:
        result = run("bench", "qa", dataset, *FEW, *at(server), "--questions", "6")
    head, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert head.split()[:3] == ["setting", "policy", "F1"]
    assert [row.split()[:2] for row in rows] == [
        *(["units", "fifo"], ["units", "lre"], ["tokens", "fifo"], ["tokens", "lre"]),
    ]
    assert "units: 6 questions compared, 0 too long for a policy or more" in result.stdout
    assert "left out: adversarial 3, not drawn 9" in result.stdout
    assert "25% kept; reader tiny, 32 tokens an answer" in result.stdout
