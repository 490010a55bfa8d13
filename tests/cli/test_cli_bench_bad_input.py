"""`lre bench replay` says in one line what it cannot use, and measures the rest."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cli.orders import session
from lre.scorer import shipped

Run = Callable[..., Result]
Save = Callable[..., str]

SESSIONS = 4
FEW = ("--policies", "fifo,oracle", "--budgets", "60")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LRE_DATA", raising=False)


@pytest.fixture
def logs(save: Save) -> str:
    Path("logs").mkdir()
    for number in range(SESSIONS):
        save({"messages": session(f"task{number}")}, f"logs/{number}.json")
    return "logs"


def refused(result: Result, *says: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith("lre: ")
    assert "Traceback" not in result.stderr
    for text in says:
        assert text in result.stderr.splitlines()[-1]


def test_a_scorer_that_nobody_uses_is_refused(run: Run, save: Save, logs: str) -> None:
    scorer = save(shipped("agent-paper").to_json(), "paper.json")
    args = ("--policies", "fifo,lre", "--scorer", scorer)
    refused(run("bench", "replay", logs, *args), "no policy uses this scorer", "add lre-paper")


def test_what_cannot_be_read_is_skipped_and_said(run: Run, save: Save, logs: str) -> None:
    save("{broken\n" + json.dumps({"messages": session("x")}), "logs/x.json")
    save([{"role": "wizard", "content": "hm"}], "logs/y.json")
    Path("empty").mkdir()
    result = run("bench", "replay", logs, "empty", *FEW, "--workers", "1", "--json")
    found = json.loads(result.stdout)
    assert found["traces"] == SESSIONS + 1
    assert [one["where"] for one in found["skipped"]] == [
        "logs/x.json:1",
        "y.json: messages[0].role",
        "empty",
    ]
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [
        "logs/x.json:1",
        "y.json",
        "empty",
    ]


@pytest.mark.parametrize("broken", ["{x\n", '[{"role": "wizard"}]\n'])
def test_strict_stops_at_what_cannot_be_read(run: Run, save: Save, logs: str, broken: str) -> None:
    save(json.dumps({"messages": session("x")}) + "\n" + broken, "logs/x.json")
    refused(run("bench", "replay", logs, *FEW, "--strict"), "x.json")


def test_where_nothing_can_be_read_it_is_said_why(run: Run, save: Save) -> None:
    Path("empty").mkdir()
    refused(run("bench", "replay", "empty", *FEW), "no log in this folder @ empty")
    refused(run("bench", "replay", save("{x", "x.json"), *FEW), "broken JSON", "x.json:1")
    odd = save([{"role": "wizard", "content": "hm"}], "odd.json")
    refused(run("bench", "replay", odd, *FEW), "unknown role 'wizard'", "odd.json")
    refused(run("bench", "replay", "nowhere", *FEW), "nowhere")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--policies", "fifo,lru"), "unknown policy 'lru': choose from "),
        (("--policies", "fifo,,lre"), "an empty name in a list @ --policies"),
        (("--budgets", "512,none"), "'none' is not a positive number"),
        (("--budgets", "0%"), "'0%' is not a positive number"),
        (("--mode", "warm"), "'warm' is not one of 'fresh', 'sticky'"),
        (("--low", "0"), "'--low'"),
        (("--granularity", "line"), "unknown granularity 'line': choose from span, unit"),
        (("--counter", "abacus"), "unknown counter 'abacus'"),
        (("--scorer", "nowhere.json"), "nowhere.json"),
        (("--recent", "-1"), "'--recent'"),
        (("--workers", "0"), "'--workers'"),
        (("--html", "nowhere/report.html"), "there is no folder 'nowhere'"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused_before_anything_is_read(
    run: Run, args: tuple[str, ...], says: str
) -> None:
    refused(run("bench", "replay", "not-there-either", *args), says)


def test_too_little_to_train_on_is_said(run: Run, save: Save) -> None:
    few = [save(session(f"t{k}", steps=1), f"{k}.json") for k in range(2)]
    args = ("--policies", "lre-paper,fifo", "--budgets", "20")
    refused(run("bench", "replay", *few, *args), "too little to learn from", "@ lre-paper: ")


@pytest.mark.parametrize(
    ("module", "args", "package", "extra"),
    [
        ("sklearn", ("--policies", "lre"), "scikit-learn", "train"),
        ("matplotlib", (*FEW, "--html", "report.html"), "matplotlib", "plots"),
        ("jinja2", (*FEW, "--html", "report.html"), "jinja2", "plots"),
    ],
)
def test_a_missing_extra_is_named(
    run: Run,
    logs: str,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    args: tuple[str, ...],
    package: str,
    extra: str,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    expected = f"{package} is not installed: pip install 'lre[{extra}]'"
    refused(run("bench", "replay", logs, *args), expected)


@pytest.mark.parametrize(
    ("study", "left"),
    [(("replay", "nowhere"), "lre"), (("loop",), "lre"), (("rank", "nowhere"), "fifo")],
)
def test_all_that_is_missing_is_named_before_anything_is_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, study: tuple[str, ...], left: str
) -> None:
    for module in ("sklearn", "sentence_transformers", "langchain_core.messages"):
        monkeypatch.setitem(sys.modules, module, None)
    result = run("bench", *study, "--policies", f"dense,langchain,{left}")
    refused(
        result,
        "scikit-learn is not installed; sentence-transformers is not installed; ",
        "langchain-core is not installed: pip install 'lre[train,dense,langchain]'",
    )


@pytest.mark.parametrize("study", [("replay", "nowhere"), ("loop",)])
def test_a_missing_model_is_named_beside_a_missing_package(
    run: Run, monkeypatch: pytest.MonkeyPatch, study: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.delenv("LRE_ACON_MODEL", raising=False)
    refused(
        run("bench", *study, "--policies", "fifo,acon,dense"),
        "acon has no model; sentence-transformers is not installed: pip install 'lre[dense]'; ",
        "set LRE_ACON_MODEL to its name, or name it as acon@MODEL",
    )


def test_by_default_what_cannot_be_trained_is_left_out_and_said(run: Run, logs: str) -> None:
    result = run("bench", "replay", f"{logs}/0.json", "--budgets", "60", "--json")
    assert result.exit_code == 0
    assert "left out: " in result.stderr
    policies = {row["policy"] for row in json.loads(result.stdout)["rows"]}
    assert policies == {"full", "fifo", "random", "oracle"}


def test_what_was_asked_for_by_name_and_cannot_be_trained_is_refused(run: Run, logs: str) -> None:
    refused(run("bench", "replay", f"{logs}/0.json", "--policies", "fifo,lre"), "@ lre: ")


def test_the_shipped_scorers_can_be_measured(run: Run, logs: str) -> None:
    order = ("bench", "replay", f"{logs}/0.json", "--scorer", "shipped", "--budgets", "60")
    rows = json.loads(run(*order, "--json").stdout)["rows"]
    assert {"lre", "lre-paper"} <= {row["policy"] for row in rows}
