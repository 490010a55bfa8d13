"""Bad input gets one clear line and exit status 2, or a valid result; never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from lre.scorer import shipped

Run = Callable[..., Result]
Save = Callable[..., str]

USER = {"role": "user", "content": "hi"}


def refused(result: Result, *says: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: ")
    assert result.stderr.count("\n") == 1
    for text in says:
        assert text in result.stderr


UNUSABLE: dict[str, tuple[object, str]] = {
    "not JSON": ("hello there", "broken JSON at column 1 (Expecting value) @ LOG:1"),
    "empty": ("", "the file is empty @ LOG: give one of the formats"),
    "blank": (" \n\n", "the file is empty @ LOG"),
    "empty list": ("[]", "the file is empty @ LOG"),
    "no messages": ({"messages": []}, "no session with messages can be read @ LOG"),
    "unknown role": ([USER, {"role": "wizard", "content": "x"}], "log.json: messages[1].role"),
    "number": ("42", "no known log format @ LOG"),
    "null": ("null", "the file is empty @ LOG"),
    "list of numbers": ([1, 2], "no known log format @ LOG"),
    "list with a hole": ([USER, 3], "no message (it has no role): its session is skipped @ LOG"),
    "object": ({"a": 1}, "no known log format @ LOG"),
    "content is a number": ([{"role": "user", "content": 5}], "log.json: messages[0].content"),
    "content is NaN": ('[{"role": "user", "content": NaN}]', "content is nan @ log.json"),
    "calls are text": ([{"role": "assistant", "tool_calls": "f"}], "messages[0].tool_calls"),
    "nested too deeply": (
        '[{"role": "user", "content": ' + "[" * 200_000 + "]" * 200_000 + "}]",
        "nested too deeply",
    ),
    "number of 5,000 digits": (
        '[{"role": "user", "content": "x", "n": ' + "9" * 5000 + "}]",
        "broken JSON",
    ),
    "not UTF-8": ('[{"role": "user", "content": "Grüße"}]'.encode("latin-1"), "invalid UTF-8"),
    "binary": (bytes(range(256)) * 20, "broken JSON at column"),
    "cut gzip": (b"\x1f\x8b\x08\x00abc", "@ LOG:1"),
}


@pytest.mark.parametrize("command", ["trim", "explain", "check"])
@pytest.mark.parametrize("case", UNUSABLE)
def test_unusable_logs_are_refused_with_one_line(
    run: Run, save: Save, command: str, case: str
) -> None:
    content, says = UNUSABLE[case]
    log = save(content)
    before = Path(log).read_bytes()
    budget = () if command == "check" else ("--budget", "100")
    result = run(command, log, *budget)
    if command == "check" and case in _FOUND_LATER:
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("lre: log.json: messages[")
        assert result.stderr.count("\n") == 1
    else:
        refused(result, says.replace("LOG", log))
    assert Path(log).read_bytes() == before


# `check` goes on with the next session, and so puts the place first.
_FOUND_LATER = ("unknown role", "content is a number", "content is NaN", "calls are text")


def test_an_unknown_role_names_the_known_ones(run: Run, save: Save) -> None:
    log = save([USER, {"role": "wizard", "content": "x"}])
    for result in (run("trim", log, "--budget", "9"), run("check", log)):
        assert "unknown role 'wizard'" in result.stderr
        assert "use one of system, developer, user, assistant, tool" in result.stderr


@pytest.mark.parametrize("path", ["no.json", "a\nb.json", "\udcff.json", ""])
def test_a_file_that_is_not_there_is_named(run: Run, tmp_path: Path, path: str) -> None:
    result = run("trim", str(tmp_path / path) if path else "no.json", "--budget", "9")
    refused(result, "the file cannot be opened (No such file or directory) @ ")


def test_a_folder_is_no_log(run: Run, tmp_path: Path) -> None:
    refused(run("trim", str(tmp_path), "--budget", "9"), "is a directory")


def test_empty_standard_input_is_refused(run: Run) -> None:
    refused(run("trim", "-", "--budget", "9", stdin=b""), "the file is empty @ stdin")


@pytest.mark.parametrize(
    "budget", ["0", "-5", "nan", "inf", "-inf", "many", "", "0%", "-3%", "%", "5k", "1e999"]
)
def test_a_budget_that_is_no_positive_number_is_refused(run: Run, budget: str) -> None:
    for option in ("--budget", "--older-budget"):
        says = (f"{budget!r} is not a positive number @ ", "give tokens such as 8000")
        refused(run("trim", "not read yet", option, budget), *says)


@pytest.mark.parametrize("budgets", [(), ("--budget", "9", "--older-budget", "9")])
def test_both_budgets_or_none_are_refused(run: Run, budgets: tuple[str, ...]) -> None:
    for command in ("trim", "explain"):
        says = "Give either --budget or --older-budget"
        refused(run(command, "not read yet", *budgets), says, f"see 'lre {command} --help'")


SCORER = shipped("agent").to_json()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SCORER[: len(SCORER) // 2], "is no JSON, or cut @ "),
        ("[1, 2]", "is no lre scorer @ "),
        ("", "is no JSON, or cut @ "),
        (SCORER.replace('"version": 1', '"version": 99'), "has version 99, this lre reads"),
        (SCORER.replace('"bias": ', '"bias": NaN, "was": '), "is damaged @ "),
    ],
)
def test_a_scorer_that_is_cut_foreign_or_from_the_future_is_refused(
    run: Run, save: Save, text: str, says: str
) -> None:
    scorer = save(text, "scorer.json")
    refused(run("trim", save([USER]), "--budget", "100", "--scorer", scorer), says, scorer)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--policy", "lru", "unknown policy 'lru': choose from acon, decay, dense, fifo"),
        ("--policy", "no.such:Policy", "policy 'no.such:Policy' cannot be loaded"),
        ("--policy", "json:JSONDecoder", "JSONDecoder is no policy"),
        ("--scorer", "no.json", "cannot be read (No such file or directory) @ no.json"),
        ("--counter", "words", "unknown counter 'words': choose from cl100k, estimate, o200k"),
        ("--counter", "no.json", "no such file @ "),
        ("--pin", "(", "'(' is no regular expression"),
        ("--session", "3", "no session 3 @ "),
        ("--session", "-1", "-1 is not in the range x>=0"),
        ("--recent", "few", "'few' is not a valid integer"),
        ("--dialect", "klingon", "'klingon' is not one of 'openai-chat'"),
        ("--segmenter", "words", "'words' is not one of 'auto'"),
        ("--granularity", "word", "'word' is not one of 'unit', 'span'"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    run: Run, save: Save, option: str, value: str, says: str
) -> None:
    refused(run("trim", save([USER]), "--budget", "100", option, value), says)


def test_a_policy_without_a_scorer_takes_none(run: Run, save: Save) -> None:
    scorer = save(SCORER, "scorer.json")
    args = ("--budget", "100", "--policy", "fifo", "--scorer", scorer)
    refused(run("trim", save([USER]), *args), "policy 'fifo'")


def call(name: str) -> dict[str, Any]:
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": name, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answer(name: str, text: str = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": text}


ODD: dict[str, list[dict[str, Any]]] = {
    "a result without a call": [USER, answer("c9"), *[USER] * 9],
    "a call without a result": [USER, call("c1"), *[USER] * 9],
    "duplicate ids": [USER, *[entry for _ in range(9) for entry in (call("c"), answer("c"))]],
    "a message of 50 MB": [USER, {"role": "user", "content": "x" * 50_000_000}, *[USER] * 9],
    "lone surrogates": [{"role": "user", "content": f"\ud800 {k} \udfff"} for k in range(12)],
}


@pytest.mark.parametrize("case", ODD)
def test_odd_sessions_are_trimmed_without_a_new_problem(run: Run, save: Save, case: str) -> None:
    log = save(ODD[case])
    result = run("trim", log, "--budget", "60", "--recent", "2", "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["over_budget"] or data["tokens"]["after"] <= 60
    rest = iter(ODD[case])
    assert all(message in rest for message in data["messages"])
    assert len(data["messages"]) < len(ODD[case])
    after = save(data["messages"], "after.json")
    assert problems(run("check", after, "--json")) <= problems(run("check", log, "--json"))


def problems(result: Result) -> int:
    assert result.exit_code < 2, result.stderr
    return len(json.loads(result.stdout)["sessions"][0]["problems"])


def test_a_log_that_breaks_off_gives_what_is_whole(run: Run, save: Save) -> None:
    log = save(json.dumps([USER, USER])[:-20])
    result = run("trim", log, "--budget", "100")
    assert json.loads(result.stdout) == [USER]
    assert result.stderr.startswith(f"skipped: {log}:1: broken JSON")
