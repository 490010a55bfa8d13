"""`lre convert` writes any logs as JSON Lines of our own, which every command reads again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from lre.traces import read

Run = Callable[..., Result]
Save = Callable[..., str]
Entry = dict[str, Any]

AGENT = {
    "agent_type": "letta_v1_agent",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Hello!"}]},
    ],
}


def records(text: str) -> list[Entry]:
    return [json.loads(line) for line in text.splitlines()]


def test_sessions_of_all_formats_go_to_one_file(
    run: Run, save: Save, chat: list[Entry], tmp_path: Path
) -> None:
    output = str(tmp_path / "out.jsonl")
    logs = save([{"messages": chat}] * 2, "chat.json"), save({"agents": [AGENT]}, "clerk.af")
    result = run("convert", *logs, "-o", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"wrote {output}: 3 sessions (2 openai_chat, 1 letta)\n"
    found = list(read(output))
    assert [len(trace.messages) for trace in found] == [34, 34, 2]
    assert found[0].messages == chat
    assert [trace.meta["reader"] for trace in found] == ["openai_chat", "openai_chat", "letta"]


def test_a_folder_and_standard_input_are_read_and_lines_go_to_standard_output(
    run: Run, save: Save, chat: list[Entry], tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    save(chat, "logs/a.json")
    result = run("convert", str(folder), "-", stdin=json.dumps({"agents": [AGENT]}).encode())
    assert [len(one["messages"]) for one in records(result.stdout)] == [34, 2]
    assert {(one["format"], one["version"]) for one in records(result.stdout)} == {("lre-trace", 1)}
    assert [one["name"] for one in records(result.stdout)] == ["a.json", "stdin"]
    assert result.stderr.startswith("2 sessions (")


def test_converting_again_changes_nothing_but_the_names(
    run: Run, save: Save, chat: list[Entry]
) -> None:
    first = run("convert", save(chat)).stdout
    second = run("convert", save(first, "first.jsonl")).stdout
    nameless = [{**one, "name": ""} for one in records(second)]
    assert nameless == [{**one, "name": ""} for one in records(first)]


def test_other_commands_read_what_was_written(
    run: Run, save: Save, chat: list[Entry], tmp_path: Path
) -> None:
    output = str(tmp_path / "out.jsonl")
    run("convert", save(chat), "-o", output)
    assert run("check", output).exit_code == 0
    trimmed = run("trim", output, "--budget", "500", "--json")
    assert len(json.loads(trimmed.stdout)["messages"]) < len(chat)


def test_what_cannot_be_read_is_told_and_left_out(run: Run, save: Save, chat: list[Entry]) -> None:
    broken = json.dumps({"messages": chat}) + '\n{"messages": [\n' + json.dumps({"messages": chat})
    result = run("convert", path := save(broken, "log.jsonl"))
    assert (result.exit_code, len(records(result.stdout))) == (0, 2)
    assert result.stderr.splitlines()[0].startswith(f"skipped: {path}:2: broken JSON")


def test_strict_stops_at_the_first_problem_and_writes_nothing(
    run: Run, save: Save, chat: list[Entry], tmp_path: Path
) -> None:
    output = tmp_path / "out.jsonl"
    log = save(json.dumps({"messages": chat}) + "\n{broken\n", "log.jsonl")
    result = run("convert", log, "--strict", "-o", str(output))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: broken JSON at column")
    assert not output.exists()


def test_json_sums_up_what_was_written(
    run: Run, save: Save, chat: list[Entry], tmp_path: Path
) -> None:
    output = str(tmp_path / "out.jsonl")
    log = save(json.dumps({"messages": chat}) + "\n{broken\n", "log.jsonl")
    summary = json.loads(run("convert", log, "-o", output, "--json").stdout)
    skipped = summary.pop("skipped")
    assert summary == {
        "output": output,
        "sessions": 1,
        "messages": 34,
        "formats": {"openai_chat": 1},
    }
    assert [one["where"] for one in skipped] == [f"{log}:2"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--json"], "two results for standard output @ --json: give -o FILE"),
        (["-o", "{folder}/out.jsonl"], "the output lies among the sources @ {folder}/out.jsonl"),
        (["{folder}/no.json"], "Path '{folder}/no.json' does not exist"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_read(
    run: Run, save: Save, tmp_path: Path, more: list[str], says: str
) -> None:
    save("no log at all", "notes.txt")
    folder = str(tmp_path)
    result = run("convert", folder, *(one.format(folder=folder) for one in more))
    assert (result.exit_code, result.stdout) == (2, "")
    assert says.format(folder=folder) in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_folder_without_logs_is_refused(run: Run, save: Save, tmp_path: Path) -> None:
    save("no log at all", "notes.txt")
    result = run("convert", str(tmp_path))
    assert result.exit_code == 2
    assert "no log in this folder" in result.stderr
