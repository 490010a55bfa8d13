"""`lre bench replay` tells what each policy would have lost on one's own logs."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import Result

import lre
from cli.orders import session
from lre.cli.measured import NOTHING
from lre.scorer import shipped

Run = Callable[..., Result]
Save = Callable[..., str]

SESSIONS = 4
FEW = ("--policies", "fifo,oracle", "--budgets", "60")
FIELDS = {
    *("policy", "granularity", "budget", "identifier_survival", "step_survival"),
    *("trace_survival", "copy_survival", "misses_removed", "tokens_mean", "tokens_peak"),
    *("prefix_reuse", "seconds_per_decision", "interval"),
    *("compressor_calls", "compressor_failures", "invented"),
}
SETTINGS = {
    *("policies", "budgets", "recent", "mode", "low", "counter", "seed", "scorer", "date"),
    *("versions", "cores", "command", "granularity"),
}


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
    for text in says:
        assert text in result.stderr


def measured(run: Run, *args: str) -> dict[str, Any]:
    result = run("bench", "replay", *args, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout, parse_constant=_refuse)
    return found


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is no JSON")


def test_json_is_the_object_that_programs_rely_on(run: Run, logs: str) -> None:
    found = measured(run, logs, "--policies", "full,fifo,lre,oracle", "--budgets", "60,10%")
    fields = {"rows", "traces", "steps", "needed", "summaries", "settings", "skipped"}
    assert (set(found), found["summaries"]) == (fields, {})
    assert (found["traces"], found["steps"], found["skipped"]) == (SESSIONS, SESSIONS * 24, [])
    assert all(set(row) == FIELDS for row in found["rows"])
    pairs = [(row["policy"], row["budget"]) for row in found["rows"]]
    assert pairs == [(p, b) for p in ("full", "fifo", "lre", "oracle") for b in (60, "10%")]
    survival = {pair: row["step_survival"] for pair, row in zip(pairs, found["rows"], strict=True)}
    assert survival["fifo", 60] < survival["lre", 60] <= survival["oracle", 60] <= 1
    assert survival["full", 60] == 1


def test_the_settings_say_all_that_the_figures_depend_on(run: Run, logs: str) -> None:
    args = (logs, *FEW, "--mode", "sticky", "--low", "0.5", "--recent", "2", "--seed", "7")
    settings = measured(run, *args, "--counter", "estimate")["settings"]
    assert set(settings) == SETTINGS
    assert settings["policies"] == ["fifo", "oracle"]
    assert settings["budgets"] == ["60"]
    assert (settings["mode"], settings["low"], settings["recent"]) == ("sticky", 0.5, 2)
    assert (settings["seed"], settings["counter"], settings["scorer"]) == (7, "estimate", None)
    assert settings["date"] == date.today().isoformat()
    assert settings["versions"]["lre"] == lre.__version__
    assert set(settings["versions"]) == {"python", "lre", "numpy", "scikit-learn"}
    assert settings["command"].startswith("lre bench replay --policies fifo,oracle --budgets 60")
    assert settings["command"].endswith(" logs")


def test_the_command_that_is_told_gives_the_same_figures(run: Run, logs: str) -> None:
    found = measured(run, logs, *FEW)
    again = json.loads(run(*shlex.split(found["settings"]["command"])[1:]).stdout)
    for row in (*found["rows"], *again["rows"]):
        del row["seconds_per_decision"], row["interval"]["seconds_per_decision"]
    assert found == again


def test_the_table_says_what_it_is_of(run: Run, logs: str) -> None:
    result = run("bench", "replay", logs, "--policies", "full,fifo,lre", "--budgets", "60,120")
    assert (result.exit_code, result.stderr) == (0, "")
    table, _, below = result.stdout.partition("\n\n")
    head, *rows = table.splitlines()
    assert head.split()[:4] == ["budget", "policy", "pieces", "steps"]
    named = [row.split()[:3] for row in rows]
    assert [row[:1] + row[2:] for row in named[:4]] == [
        ["60", "fifo"],
        ["60", "lre"],
        ["120", "fifo"],
        ["120", "lre"],
    ]
    assert named[4] == ["–", "full", "unit"]
    assert "4 sessions, 96 steps that need something" in below
    assert "lre: fitted on other folds than those measured" in below
    assert "lre: run in units and in spans; " in below
    assert f"lre {lre.__version__}, numpy " in below
    assert below.endswith("$ lre bench replay --policies full,fifo,lre --budgets 60,120 logs\n")


def test_a_granularity_that_is_asked_for_is_what_is_shown(run: Run, logs: str) -> None:
    rows = measured(run, logs, *FEW, "--granularity", "unit,span")["rows"]
    kinds = [(row["policy"], row["granularity"]) for row in rows]
    assert kinds == [("fifo", "unit"), ("oracle", "unit"), ("oracle", "span")]


def test_sticky_evictions_leave_the_prefix_alone(run: Run, logs: str) -> None:
    args = (logs, "--policies", "fifo", "--budgets", "200", "--low", "0.5")
    (fresh,), (sticky,) = (
        measured(run, *args, "--mode", mode)["rows"] for mode in ("fresh", "sticky")
    )
    assert sticky["prefix_reuse"] > fresh["prefix_reuse"]


def test_a_scorer_is_measured_as_it_is_and_needs_no_other_task(run: Run, save: Save) -> None:
    one = save(session("one"))
    scorer = save(shipped("agent").to_json(), "mine.json")
    args = (one, "--policies", "fifo,lre", "--budgets", "60")
    refused(run("bench", "replay", *args), "one task", "@ lre: ", "--scorer")
    found = measured(run, *args, "--scorer", scorer)
    assert found["settings"]["scorer"] == "mine.json"
    text = run("bench", "replay", *args, "--scorer", scorer).stdout
    assert "mine.json: measured as it is" in text
    assert "fitted on other folds" not in text


@pytest.mark.parametrize("policies", ["full,fifo,oracle", "fifo,lre-paper,lre"])
def test_where_nothing_is_needed_it_is_said_plainly(run: Run, save: Save, policies: str) -> None:
    idle = [save(session(f"t{k}", steps=0), f"{k}.json") for k in range(3)]
    result = run("bench", "replay", *idle, "--policies", policies)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(NOTHING)
    assert "policy  pieces" not in result.stdout
    found = measured(run, *idle, "--policies", policies)
    assert (found["steps"], found["needed"]) == (0, 0)
    assert {row["step_survival"] for row in found["rows"]} == {None}


def test_sessions_in_which_nothing_is_needed_stand_beside_others(
    run: Run, save: Save, logs: str
) -> None:
    idle = save(session("idle", steps=0), "idle.json")
    found = measured(run, logs, idle, *FEW, "--workers", "1")
    assert (found["traces"], found["steps"]) == (SESSIONS + 1, SESSIONS * 24)


def test_the_report_shows_one_session_under_fifo_and_lre(run: Run, logs: str) -> None:
    args = ("--policies", "fifo,lre,oracle", "--budgets", "60,120", "--html", "report.html")
    result = run("bench", "replay", logs, *args)
    assert (result.exit_code, result.stderr) == (0, "wrote report.html\n")
    page = Path("report.html").read_text(encoding="utf-8")
    for shown in ("fifo, unit, 60 tokens", "lre, ", "4 traces"):
        assert shown in page
    assert "oracle, unit, 60 tokens" not in page


def test_where_no_summary_comes_a_history_that_stays_whole_is_no_result(
    run: Run, logs: str
) -> None:
    result = run(
        "bench", "replay", logs, "--policies", "fifo,bench.probes:Mute", "--budgets", "400"
    )
    refused(result, "summaries came: nobody answers @ bench.probes:Mute: start its endpoint")


def test_a_dead_endpoint_ends_it_with_its_address(
    run: Run, logs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    args = ("--policies", "fifo,acon@foo", "--budgets", "400", "--workers", "1")
    result = run("bench", "replay", f"{logs}/0.json", *args)
    refused(result, "the endpoint is gone (", ") @ http://127.0.0.1:9/v1 @ acon@foo: ")


def test_summaries_that_failed_are_counted_below_the_table(run: Run, logs: str) -> None:
    order = (logs, "--policies", "fifo,bench.probes:Moody", "--budgets", "400")
    found = measured(run, *order)
    told = found["summaries"]["bench.probes:Moody"]
    assert 0 < told["failed"] < told["asked"]
    assert told["reason"] == "tired"
    text = run("bench", "replay", *order).stdout
    says = (
        f"Moody: {told['failed']} of {told['asked']} summaries failed, and left the history whole"
    )
    assert says in text


def test_only_where_a_compressor_takes_part_the_table_says_what_it_did(run: Run, logs: str) -> None:
    order = ("bench", "replay", logs, "--budgets", "400", "--policies")
    head, *rows = run(*order, "fifo,bench.probes:Writer").stdout.partition("\n\n")[0].splitlines()
    assert head.endswith("calls  failed  made up")
    fifo, writer = (row.split()[-3:] for row in rows)
    assert fifo == ["–"] * 3
    assert float(writer[0]) > 0
    assert writer[1:] == ["0", "0"]
    assert "made up" not in run(*order, "fifo").stdout


def test_the_result_can_go_to_a_file(run: Run, logs: str) -> None:
    result = run("bench", "replay", logs, *FEW, "--json", "-o", "found.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads(Path("found.json").read_text())["traces"] == SESSIONS


def test_logs_that_are_not_here_are_looked_for_among_the_data(
    run: Run, logs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    (data / "agent").mkdir(parents=True)
    Path(logs).rename(data / "agent" / "orders")
    asked = measured(run, "agent/orders", *FEW, "--data", str(data))
    assert asked["settings"]["command"].endswith(" agent/orders")
    assert "--data" not in asked["settings"]["command"]
    monkeypatch.setenv("LRE_DATA", str(data))
    assert measured(run, "agent/orders", *FEW)["steps"] == asked["steps"]
    refused(run("bench", "replay", *FEW), "no logs are given", "such as agent/orders")
    monkeypatch.delenv("LRE_DATA")
    refused(run("bench", "replay", *FEW), "no logs are given", "name files or folders")


def test_a_terminal_sees_a_progress_bar_with_an_end(logs: str) -> None:
    terminal, its_end = pty.openpty()
    args = ("bench", "replay", logs, "--policies", "fifo,lre", "--budgets", "60")
    with (
        os.fdopen(terminal, "rb", buffering=0) as screen,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "lre", *args], stdout=subprocess.DEVNULL, stderr=its_end
        ),
    ):
        os.close(its_end)
        seen = b""
        with suppress(OSError):  # how a terminal tells that nobody writes to it any more
            while more := screen.read(1000):
                seen += more
    assert f"{2 * SESSIONS}/{2 * SESSIONS}".encode() in seen
