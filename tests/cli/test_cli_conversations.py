"""`lre bench rank` and `retain`: the data set is found, measured, and told as text or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cli.contests import locomo, stand_in

Run = Callable[..., Result]
Save = Callable[..., str]

ABOUT = {
    *("dataset", "conversations", "units", "tokens", "positives", "questions", "faults", "notes"),
    *("settings", "skipped"),
}
SETTINGS = {"policies", "counter", "seed", "date", "versions", "cores", "command"}
STUDIES = ("rank", "retain", "qa")
READER = ("--model", "tiny", "--base-url", "http://127.0.0.1:9/v1")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LRE_DATA", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    stand_in(monkeypatch)


@pytest.fixture
def data(tmp_path: Path, save: Save) -> str:
    Path("data/locomo").mkdir(parents=True)
    save(locomo(), "data/locomo/locomo10.json")
    return str(tmp_path / "data")


def ordered(study: str, *args: str) -> tuple[str, ...]:
    return ("bench", study, *args, *(READER if study == "qa" else ()))


def refused(result: Result, *says: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    for text in says:
        assert text in result.stderr.splitlines()[-1]


def measured(run: Run, *args: str) -> dict[str, Any]:
    result = run("bench", *args, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_rank_gives_the_object_that_programs_rely_on(run: Run, data: str) -> None:
    found = measured(run, "rank", "locomo", "--data", data, "--policies", "fifo,lre-self,lre")
    assert set(found) == ABOUT | {
        *("macro_auc", "recovery", "recoveries", "lead", "folds", "per_conversation", "interval"),
        "left_out",
    }
    assert found["dataset"] == "locomo"
    assert found["macro_auc"]["lre"] == 1
    assert found["macro_auc"]["fifo"] < found["macro_auc"]["lre-self"] < 1
    assert 0 < found["recovery"] < 1
    assert set(found["settings"]) == SETTINGS
    assert found["settings"]["policies"] == ["fifo", "lre-self", "lre"]
    assert found["faults"]["unresolved evidence"] == 3
    assert [len(found["folds"]["lre"]), len(found["per_conversation"]["lre"])] == [3, 3]


def test_retain_gives_the_object_that_programs_rely_on(run: Run, data: str) -> None:
    args = ("--policies", "fifo,oracle", "--budgets", "5%,200")
    found = measured(run, "retain", "locomo", "--data", data, *args)
    assert set(found) == ABOUT | {"rows", "with_evidence"}
    assert [(row["policy"], row["budget"]) for row in found["rows"]] == [
        *(("fifo", "5%"), ("fifo", 200), ("oracle", "5%"), ("oracle", 200)),
    ]
    assert set(found["rows"][0]) == {
        *("policy", "budget", "evidence_kept", "questions_whole", "misses_removed"),
        *("tokens_mean", "units_mean", "interval"),
    }
    assert found["settings"]["budgets"] == ["5%", "200"]


@pytest.mark.parametrize("study", ["rank", "retain"])
def test_the_command_that_is_told_gives_the_same_again(run: Run, save: Save, study: str) -> None:
    save(locomo(), "mine.json")
    args = (study, "mine.json", "--policies", "fifo,lre", "--seed", "3")
    found = measured(run, *args)
    again = json.loads(run(*found["settings"]["command"].split()[1:]).stdout)
    assert again == found


def test_the_folder_of_the_data_stays_untold(run: Run, data: str) -> None:
    found = measured(run, "rank", "locomo", "--data", data, "--policies", "lre")
    assert found["settings"]["command"] == "lre bench rank --policies lre --json locomo"
    assert data not in json.dumps(found)


def test_the_ranking_table_says_what_it_is_of(run: Run, data: str) -> None:
    args = ("--data", data, "--policies", "fifo,lre-self,lre")
    result = run("bench", "rank", "locomo", *args)
    assert (result.exit_code, result.stderr) == (0, "")
    head, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert head.split() == ["policy", "macro-AUC", "95", "%", "over", "fifo", "95", "%"]
    assert [row.split()[0] for row in rows] == ["fifo", "lre-self", "lre"]
    assert "lre-self recovers" in result.stdout
    assert "locomo: 3 conversations, 96 units, 24 of them evidence; 30 questions" in result.stdout
    assert "known faults of the data: integer answers 3, " in result.stdout
    assert result.stdout.endswith("$ lre bench rank --policies fifo,lre-self,lre locomo\n")


def test_the_retention_table_puts_a_budget_together(run: Run, data: str) -> None:
    args = ("--data", data, "--policies", "fifo,lre", "--budgets", "10%,20%")
    result = run("bench", "retain", "locomo", *args)
    _, *rows = result.stdout.partition("\n\n")[0].splitlines()
    assert [row.split()[:3] for row in rows] == [
        *(["10", "%", "fifo"], ["10", "%", "lre"], ["20", "%", "fifo"], ["20", "%", "lre"]),
    ]
    assert "over 27 questions that have evidence" in result.stdout


def test_a_file_is_measured_as_what_it_is(run: Run, save: Save) -> None:
    path = save(locomo(2), "mine.json")
    found = measured(run, "rank", path, "--policies", "lre")
    assert (found["dataset"], found["conversations"]) == ("locomo", 2)
    assert found["settings"]["command"].endswith(" mine.json")


def test_either_form_of_longmemeval_is_found(run: Run) -> None:
    Path("data/longmemeval").mkdir(parents=True)
    turns = [{"role": "user", "content": "I live in Oslo."}]
    question = {"question_id": "q1", "question": "Where?", "answer": "Oslo", "question_type": "x"}
    names = {"haystack_session_ids": ["s1", "s2"], "answer_session_ids": ["s1"]}
    apart = {"sessions": {"s1": turns, "s2": turns}, "questions": [{**question, **names}]}
    whole = [{**question, **names, "haystack_sessions": [turns, turns]}] * 2
    place = Path("data/longmemeval/longmemeval_s_cleaned.499of500.dedup.json")
    place.write_text(json.dumps(apart))
    args = ("rank", "longmemeval", "--data", "data", "--policies", "lre")
    assert measured(run, *args)["conversations"] == 1
    place.with_name("longmemeval_s_cleaned.json").write_text(json.dumps(whole))
    assert measured(run, *args)["conversations"] == 2  # the original, where both are there


def test_what_was_skipped_is_told(run: Run, save: Save) -> None:
    path = save([*locomo(2), {"conversation": {"session_1": "lost"}}], "mine.json")
    result = run("bench", "rank", path, "--policies", "lre", "--json")
    skipped = json.loads(result.stdout)["skipped"]
    assert skipped
    assert result.stderr.startswith("skipped: ")
    refused(run("bench", "rank", path, "--policies", "lre", "--strict"), "mine.json")


@pytest.mark.parametrize("study", STUDIES)
def test_where_the_data_are_not_there_it_is_said_where_to_get_them(run: Run, study: str) -> None:
    refused(run(*ordered(study, "locomo")), "--data DIR or set LRE_DATA", "docs/data.md")
    result = run(*ordered(study, "longmemeval", "--data", "nowhere"))
    refused(result, "longmemeval is not there @ nowhere", "https://huggingface.co/", "docs/data.md")
    refused(run(*ordered(study, "lokomo")), "no data set 'lokomo', and no file", "give locomo")


def test_a_log_without_questions_is_refused(run: Run, save: Save) -> None:
    path = save([{"role": "user", "content": "Hi"}], "chat.json")
    refused(run("bench", "rank", path), "no conversations with questions", "chat.json")


@pytest.mark.parametrize(
    ("study", "args", "says"),
    [
        ("retain", ("--budgets", "20%,none"), "'none' is not a positive number"),
        ("retain", ("--budgets", "0%"), "'0%' is not a positive number"),
        ("rank", ("--policies", "fifo,,lre"), "an empty name in a list @ --policies"),
        ("rank", ("--counter", "abacus"), "unknown counter 'abacus'"),
        ("rank", ("--seed", "-1"), "'--seed'"),
        ("qa", ("--settings", "words"), "unknown setting 'words': choose from tokens, units"),
        ("qa", ("--keep", "20"), "'20' is no share @ --keep"),
        ("qa", ("--questions", "0"), "'--questions'"),
        ("qa", ("--base-url", "ftp://example.org"), "is no HTTP address"),
        ("qa", ("--answers", "nowhere/answers.jsonl"), "there is no folder 'nowhere'"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_before_anything_is_read(
    run: Run, study: str, args: tuple[str, ...], says: str
) -> None:
    order = ("bench", study, "locomo", *(READER if study == "qa" else ()), *args)
    refused(run(*order), says)


@pytest.mark.parametrize(
    ("study", "module", "package"),
    [("rank", "sklearn", "scikit-learn"), ("retain", "scipy", "SciPy"), ("qa", "openai", "openai")],
)
def test_a_missing_extra_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, study: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    extra = "qa" if study == "qa" else "train"
    expected = f"{package} is not installed: pip install 'lre[{extra}]'"
    refused(run(*ordered(study, "locomo")), expected)
