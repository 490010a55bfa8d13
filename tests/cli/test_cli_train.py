"""`lre train` learns a scorer from logs and writes it with its card."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from lre.cli.train import train
from lre.learn.train import RECIPES
from lre.scorer import Scorer

Run = Callable[..., Result]
Save = Callable[..., str]
Chat = list[dict[str, Any]]

SESSIONS = 5


def session(task: str) -> Chat:
    """Thirty steps: five orders come up again and again, in between there is small talk."""
    return [{"role": "user", "content": f"Handle {task}."}, *_steps(task)]


def _steps(task: str) -> Iterator[dict[str, Any]]:
    for step in range(30):
        yield {"role": "assistant", "content": f"Now I look at W{step % 5:03}{task} again."}
        yield {"role": "user", "content": "Thank you, please go on." if step % 3 else "Why?"}


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
    printed = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert printed["sessions"] == str(SESSIONS)
    assert f"auc {card['held_out']['auc']}, auc_fifo {card['held_out']['auc_fifo']}" in (
        result.stdout
    )


def test_json_has_scorer_card_and_what_was_skipped(run: Run, save: Save, logs: str) -> None:
    save("{broken\n" + json.dumps({"messages": session("x")}), "logs/x.json")
    save([{"role": "wizard", "content": "hm"}], "logs/y.json")
    result = run("train", logs, "-o", "mine.json", "--json")
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
    told = run("train", logs, "-o", "mine.json").stderr.splitlines()
    assert [line.split(": ")[1] for line in told[:4]] == [
        "logs/x.json:1",
        "logs/x.json:2",
        "logs/x.json:3",
        "47 more",
    ]


@pytest.mark.parametrize("broken", ["{x\n", '[{"role": "wizard"}]\n'])
def test_strict_stops_at_what_cannot_be_read(run: Run, save: Save, logs: str, broken: str) -> None:
    save(json.dumps({"messages": session("x")}) + "\n" + broken, "logs/x.json")
    result = run("train", logs, "-o", "mine.json", "--strict")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "x.json" in result.stderr
    assert not Path("mine.json").exists()


def test_the_written_scorer_serves_its_policy(run: Run, logs: str) -> None:
    for recipe, name in (("agent", "lre"), ("agent-paper", "lre-paper")):
        assert run("train", logs, "-o", "mine.json", "--recipe", recipe).exit_code == 0
        args = ("--budget", "50%", "--policy", name, "--scorer", "mine.json", "--json")
        data = json.loads(run("trim", "logs/0.json", *args).stdout)
        assert data["policy"] == name
        assert Scorer.load("mine.json").features == tuple(RECIPES[recipe].features)


def test_every_recipe_can_be_chosen() -> None:
    (option,) = [param for param in train.params if param.name == "recipe"]
    assert set(getattr(option.type, "choices", ())) == set(RECIPES)


def test_absolute_paths_stay_out_of_the_card(run: Run, logs: str, tmp_path: Path) -> None:
    target = tmp_path / "mine.json"
    run("train", str(tmp_path / logs), "-o", str(target))
    assert Scorer.load(target).card["command"] == "lre train -o mine.json logs"
    assert str(tmp_path.parent) not in target.read_text()


def test_the_file_stays_within_4_kb_whatever_was_typed(run: Run, save: Save, logs: str) -> None:
    long = [save({"messages": session(f"t{k}")}, f"{k}{'é' * 90}.json") for k in range(30)]
    names = [Path(path).name for path in long]
    result = run("train", logs, *names, "-o", "mine.json", "--data", "ü" * 160)
    assert result.exit_code == 0, result.stderr
    assert Path("mine.json").stat().st_size <= 4096
    assert Scorer.load("mine.json").card["command"].endswith(" …")


def test_a_longer_description_is_refused(run: Run, logs: str) -> None:
    result = run("train", logs, "-o", "mine.json", "--data", "x" * 161)
    assert result.exit_code == 2
    assert "161 characters; the card takes 160" in result.stderr


def test_too_little_to_learn_from_is_refused(run: Run, save: Save) -> None:
    result = run("train", save(session("one")), "-o", "mine.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: too little to learn from: 1 tasks")
    assert result.stderr.count("\n") == 1
    assert not Path("mine.json").exists()


def test_copies_of_one_session_are_one_task(run: Run, save: Save) -> None:
    """So that no fold is judged by what another has learnt by heart."""
    copies = [save(session("same"), f"{k}.json") for k in range(SESSIONS)]
    result = run("train", *copies, "-o", "mine.json")
    assert result.exit_code == 2
    assert "too little to learn from: 1 tasks" in result.stderr


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


def test_a_terminal_sees_a_progress_bar(logs: str) -> None:
    terminal, its_end = pty.openpty()
    with os.fdopen(terminal, "rb", buffering=0) as screen:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "lre", "train", logs, "-o", "mine.json"],
            stdout=subprocess.PIPE,
            stderr=its_end,
            check=True,
        )
        os.close(its_end)
        assert f"{SESSIONS}/{SESSIONS}".encode() in screen.read(100_000)
    assert f"sessions  {SESSIONS}".encode() in done.stdout


def test_a_pipe_is_refused_for_it_is_read_twice(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run("train", str(pipe), "-o", str(tmp_path / "mine.json"))
    assert done.exit_code == 2
    assert "a pipe cannot be read twice" in done.stderr
