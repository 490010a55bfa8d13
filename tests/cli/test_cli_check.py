"""`lre check` lists what the provider would reject: exit 0 nothing, 1 something, 2 unusable."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import lre

Chat = list[dict[str, Any]]
Run = Callable[..., Result]
Save = Callable[..., str]

ORPHAN = [
    {"role": "user", "content": "hi"},
    {"role": "tool", "tool_call_id": "c9", "content": "done"},
]
SOUND = [{"role": "user", "content": "bye"}]


def lines(*sessions: object) -> str:
    return "".join(json.dumps({"messages": session}) + "\n" for session in sessions)


def test_a_sound_session_has_no_line_and_status_0(run: Run, save: Save, chat: Chat) -> None:
    result = run("check", save(chat))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "0 problems in 1 session\n"


def test_a_problem_is_a_line_with_its_place_and_status_1(run: Run, save: Save) -> None:
    result = run("check", save(ORPHAN))
    assert result.exit_code == 1
    assert result.stdout.startswith("messages[1] result-without-call: ")
    assert result.stdout.count("\n") == 1
    assert result.stderr == "1 problem in 1 session\n"


def test_explain_says_under_each_problem_where_the_provider_says_so(run: Run, save: Save) -> None:
    log = save(ORPHAN)
    plain, explained = (run("check", log, *more).stdout for more in ((), ("--explain",)))
    (found,) = lre.problems(ORPHAN)
    assert explained == f"{plain}    a rule of openai-chat, by the {found.source}\n"
    assert "must be a response to a preceeding message with 'tool_calls'" in found.source


@pytest.mark.parametrize(
    ("dialect", "what"), [("gemini", "content instead of parts"), ("bedrock", "content is text")]
)
def test_a_list_in_another_dialect_is_an_error_and_no_problem(
    run: Run, save: Save, dialect: str, what: str
) -> None:
    result = run("check", save(ORPHAN), "--dialect", dialect)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: log.json: messages[0]")
    assert what in result.stderr
    assert result.stderr.count("\n") == 1


def test_messages_for_converse_are_checked_as_such(run: Run, save: Save) -> None:
    use = {"toolUse": {"toolUseId": "a", "name": "look", "input": {}}}
    log = save(
        [
            {"role": "user", "content": [{"text": "Look!"}]},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"text": "Well?"}]},
        ]
    )
    result = run("check", log, "--explain")
    assert result.exit_code == 1
    assert result.stdout.startswith("messages[1] use-without-result: ")
    assert "a rule of bedrock, by the Converse error: Expected toolResult" in result.stdout


def test_all_sessions_are_checked_and_named(run: Run, save: Save, chat: Chat) -> None:
    log = save(lines(chat, ORPHAN, SOUND))
    result = run("check", log)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{log}:2: messages[1] result-without-call: ")
    assert result.stderr == "1 problem in 3 sessions\n"


def test_one_session_can_be_chosen(run: Run, save: Save, chat: Chat) -> None:
    log = save(lines(chat, ORPHAN, SOUND))
    states = [run("check", log, "--session", str(k), "--quiet").exit_code for k in range(4)]
    assert states == [0, 1, 0, 2]


def test_a_folder_is_checked_whole(run: Run, save: Save, chat: Chat, tmp_path: Path) -> None:
    save(chat, "a.json")
    save(ORPHAN, "b.json")
    result = run("check", str(tmp_path))
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{tmp_path / 'b.json'}: messages[1] result-without-call: ")


def test_what_could_not_be_checked_is_told_with_status_2(run: Run, save: Save, chat: Chat) -> None:
    strange = [{"role": "wizard", "content": "x"}]
    log = save(lines(strange, ORPHAN, chat) + "{broken\n")
    result = run("check", log)
    assert result.exit_code == 2
    assert result.stdout.startswith(f"{log}:2: messages[1] result-without-call: ")
    told = result.stderr.splitlines()
    assert told[0].startswith(f"lre: {log}:4: broken JSON") or told[1].startswith(f"lre: {log}:4")
    assert any(line.startswith("lre: log.json#0: messages[0].role: unknown role") for line in told)
    assert told[2] == "1 problem in 2 sessions"


def test_strict_stops_at_once(run: Run, save: Save, chat: Chat) -> None:
    for log in (save(lines([{"role": "wizard"}], chat), "a"), save(lines(chat) + "{x\n", "b")):
        result = run("check", log, "--strict")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1


def test_json_has_every_session_and_problem(run: Run, save: Save, chat: Chat) -> None:
    log = save(lines(chat, ORPHAN))
    result = run("check", log, "--json")
    assert result.exit_code == 1
    sound, orphan = json.loads(result.stdout)["sessions"]
    assert sound == {
        "session": 0,
        "name": "log.json#0",
        "where": f"{log}:1: messages",
        "dialect": "openai-chat",
        "problems": [],
    }
    (found,) = lre.problems(ORPHAN)
    assert orphan["problems"] == [
        {"index": 1, "rule": found.rule, "text": found.text, "source": found.source}
    ]


def test_the_dialect_can_be_given(run: Run, save: Save) -> None:
    log = save([{"role": "assistant", "content": "hi"}, {"role": "user", "content": "hi"}])
    assert run("check", log).exit_code == 0
    assert run("check", log, "--dialect", "anthropic").exit_code == 1


def test_a_system_prompt_given_apart_is_no_problem(run: Run, save: Save) -> None:
    request = {"system": "Be brief.", "messages": [{"role": "user", "content": "hi"}]}
    assert run("check", save(request), "--dialect", "anthropic").exit_code == 0


def test_trimming_and_checking_go_together(run: Run, save: Save, chat: Chat) -> None:
    trimmed = run("trim", save(chat), "--budget", "30%").stdout_bytes
    assert run("check", "-", stdin=trimmed).exit_code == 0
