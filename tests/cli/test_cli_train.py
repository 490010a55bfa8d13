"""`lre train` learns a scorer from logs and writes it with its card."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from click.testing import Result

from cli.orders import session
from lre.cli.train import train
from lre.learn.recipes import AGENT, RECIPES
from lre.scorer import Scorer

Run = Callable[..., Result]
Save = Callable[..., str]

SESSIONS = 4


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def logs(save: Save) -> str:
    Path("logs").mkdir()
    for number in range(SESSIONS):
        save({"messages": session(f"task{number}")}, f"logs/{number}.json")
    return "logs"


def test_a_scorer_with_its_card_is_written_and_the_card_printed(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--data", "orders of May")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "wrote mine.json\n"
    card = Scorer.load("mine.json").card
    assert card["command"] == "lre train -o mine.json --data 'orders of May' logs"
    assert (card["sessions"], card["data"], card["recipe"]) == (SESSIONS, "orders of May", "agent")
    assert 0.5 < card["held_out"]["auc"] <= 1
    lines = result.stdout.splitlines()
    printed = dict(line.split(maxsplit=1) for line in lines[: lines.index("")])
    assert printed["sessions"] == str(SESSIONS)
    assert printed.keys().isdisjoint({"replay"})
    assert f"auc {card['held_out']['auc']}" in result.stdout


def test_it_ends_with_what_would_have_been_lost_on_these_logs(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--budgets", "60,20%")
    report = result.stdout.partition("\n\n")[2].splitlines()
    head, columns, *rows, fitted, verdict = report
    assert head.startswith("steps with all they need in view")
    assert columns.split() == ["policy", "pieces", "60", "tokens", "20", "%"]
    assert [row.split()[0] for row in rows] == ["full", "fifo", "random", "lre", "oracle"]
    assert fitted == "lre was fitted on other folds for this."
    assert "lre removes" in verdict
    replay = Scorer.load("mine.json").card["replay"]
    assert replay["step_survival"]["60"]["fifo"] < replay["step_survival"]["60"]["lre"]
    assert replay["steps"] == SESSIONS * 24


def test_where_fifo_misses_nothing_it_will_do(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--budgets", "100000")
    assert result.stdout.endswith("On these traces dropping the oldest will do.\n")


def test_the_recipe_of_the_paper_is_measured_by_its_policy(run: Run, logs: str) -> None:
    args = ("--recipe", "agent-paper", "--budgets", "60", "--json")
    rows = json.loads(run("train", logs, "-o", "mine.json", *args).stdout)["rows"]
    assert [row["policy"] for row in rows] == ["full", "fifo", "random", "lre-paper", "oracle"]


def test_the_report_can_be_left_out(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--no-report")
    assert "\n\n" not in result.stdout
    assert "replay" not in Scorer.load("mine.json").card


@pytest.mark.parametrize("budgets", ["5%,none", "5%,,10%", "0"])
def test_budgets_that_cannot_be_used_are_refused_before_anything_is_read(
    run: Run, logs: str, budgets: str
) -> None:
    result = run("train", logs, "-o", "mine.json", "--budgets", budgets)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert not Path("mine.json").exists()


def test_json_has_scorer_card_and_what_was_skipped(run: Run, save: Save, logs: str) -> None:
    save("{broken\n" + json.dumps({"messages": session("x")}), "logs/x.json")
    save([{"role": "wizard", "content": "hm"}], "logs/y.json")
    result = run("train", logs, "-o", "mine.json", "--no-report", "--json")
    data = json.loads(result.stdout)
    assert data["scorer"] == "mine.json"
    assert data["card"] == Scorer.load("mine.json").card
    assert data["card"]["sessions"] == SESSIONS + 1
    assert [one["where"] for one in data["skipped"]] == [
        "logs/x.json:1",
        "y.json: messages[0].role",
    ]
    told = result.stderr.splitlines()
    assert told[0].startswith("skipped: logs/x.json:1: broken JSON")
    assert told[1].startswith("skipped: y.json: messages[0].role: unknown role 'wizard'")


def test_of_much_that_is_skipped_the_first_places_and_the_number_are_told(
    run: Run, save: Save, logs: str
) -> None:
    save("{x\n" * 50 + json.dumps({"messages": session("x")}), "logs/x.json")
    told = run("train", logs, "-o", "mine.json", "--no-report").stderr.splitlines()
    assert [line.split(": ")[1] for line in told[:4]] == [
        "logs/x.json:1",
        "logs/x.json:2",
        "logs/x.json:3",
        "47 more",
    ]


@pytest.mark.parametrize("broken", ["{x\n", '[{"role": "wizard"}]\n'])
def test_strict_stops_at_what_cannot_be_read(run: Run, save: Save, logs: str, broken: str) -> None:
    save(json.dumps({"messages": session("x")}) + "\n" + broken, "logs/x.json")
    result = run("train", logs, "-o", "mine.json", "--no-report", "--strict")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "x.json" in result.stderr
    assert not Path("mine.json").exists()


def test_the_written_scorer_serves_its_policy(run: Run, logs: str) -> None:
    for recipe, name in (("agent", "lre"), ("agent-paper", "lre-paper")):
        assert (
            run("train", logs, "-o", "mine.json", "--no-report", "--recipe", recipe).exit_code == 0
        )
        args = ("--budget", "50%", "--policy", name, "--scorer", "mine.json", "--json")
        data = json.loads(run("trim", "logs/0.json", *args).stdout)
        assert data["policy"] == name
        assert Scorer.load("mine.json").features == tuple(AGENT[recipe].features)


def test_every_recipe_can_be_chosen() -> None:
    (option,) = [param for param in train.params if param.name == "recipe"]
    assert set(getattr(option.type, "choices", ())) == set(RECIPES)


def test_absolute_paths_stay_out_of_the_card(run: Run, logs: str, tmp_path: Path) -> None:
    target = tmp_path / "mine.json"
    run("train", "--no-report", str(tmp_path / logs), "-o", str(target))
    assert Scorer.load(target).card["command"] == "lre train -o mine.json --no-report logs"
    assert str(tmp_path.parent) not in target.read_text()


def test_the_file_stays_within_4_kb_whatever_was_typed(run: Run, save: Save, logs: str) -> None:
    long = [save({"messages": session(f"t{k}")}, f"{k}{'é' * 90}.json") for k in range(30)]
    names = [Path(path).name for path in long]
    result = run("train", logs, *names, "-o", "mine.json", "--no-report", "--data", "ü" * 160)
    assert result.exit_code == 0, result.stderr
    assert Path("mine.json").stat().st_size <= 4096
    assert Scorer.load("mine.json").card["command"].endswith(" …")


def test_a_longer_description_is_refused(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--no-report", "--data", "x" * 161)
    assert result.exit_code == 2
    assert "161 characters; the card takes 160" in result.stderr


def test_too_little_to_learn_from_is_refused(run: Run, save: Save) -> None:
    result = run("train", save(session("one")), "-o", "mine.json", "--no-report")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: too little to learn from: 1 task ")
    assert result.stderr.count("\n") == 1
    assert not Path("mine.json").exists()


def test_copies_of_one_session_are_one_task(run: Run, save: Save) -> None:
    """So that no fold is judged by what another has learnt by heart."""
    copies = [save(session("same"), f"{k}.json") for k in range(SESSIONS)]
    result = run("train", *copies, "-o", "mine.json", "--no-report")
    assert result.exit_code == 2
    assert "too little to learn from: 1 task " in result.stderr


@pytest.mark.parametrize("logs", ["nowhere", "-"])
def test_logs_have_to_be_there(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json")
    assert result.exit_code == 2
    assert f"Path '{logs}' does not exist" in result.stderr


def test_without_scikit_learn_the_install_command_is_told(
    run: Run, logs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lre.cli.train.find_spec", lambda _name: None)
    result = run("train", logs, "-o", "mine.json")
    expected = "lre: scikit-learn is not installed: pip install 'lre[train]'\n"
    assert (result.exit_code, result.stderr) == (2, expected)


def test_a_terminal_sees_how_far_learning_and_measuring_have_come(logs: str) -> None:
    terminal, its_end = pty.openpty()
    command = [sys.executable, "-m", "lre", "train", logs, "-o", "mine.json", "--budgets", "60"]
    with (
        os.fdopen(terminal, "rb", buffering=0) as screen,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its_end) as process,  # noqa: S603
    ):
        os.close(its_end)
        seen = b""
        with suppress(OSError):  # how a terminal tells that nobody writes to it any more
            while more := screen.read(1000):
                seen += more
        assert process.stdout is not None
        assert f"sessions  {SESSIONS}".encode() in process.stdout.read()
    learning, _, measuring = seen.partition(b"measuring")
    assert f"{SESSIONS}/{SESSIONS}".encode() in learning
    assert f"{2 * SESSIONS}/{2 * SESSIONS}".encode() in measuring


def test_a_pipe_is_read(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = "\n".join(json.dumps({"messages": session(f"t{k}")}) for k in range(SESSIONS))
    writer = Thread(target=pipe.write_text, args=(lines,))
    writer.start()
    done = run("train", str(pipe), "-o", "mine.json", "--no-report")
    writer.join()
    assert done.exit_code == 0, done.stderr
    assert Scorer.load("mine.json").card["sessions"] == SESSIONS
