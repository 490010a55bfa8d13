"""Files, folders and standard input; names, problems, and the choice of one session."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lre.errors import LogError, SettingError
from lre.traces import READERS, Skipped, Trace, pick, read

LINE = '{"messages": [{"role": "user", "content": "%s"}]}\n'
PROSE = "# Notes\n\nRead me first.\n" * 200


def said(trace: Trace) -> str:
    return str(trace.messages[0]["content"])


def log(path: Path, *words: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(LINE % word for word in words))
    return path


def test_a_file_is_read_by_path_text_and_stream(tmp_path: Path) -> None:
    path = log(tmp_path / "a.jsonl", "one", "two")
    with path.open("rb") as stream:
        for source in (path, str(path), stream):
            assert [said(trace) for trace in read(source)] == ["one", "two"]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.txt", "a"])
def test_the_ending_of_a_name_means_nothing(tmp_path: Path, name: str) -> None:
    assert len(list(read(log(tmp_path / name, "one", "two")))) == 2
    (tmp_path / name).write_text(json.dumps(json.loads(LINE), indent=2))
    assert len(list(read(tmp_path / name))) == 1


def test_sessions_are_numbered_where_a_file_holds_several(tmp_path: Path) -> None:
    several, single = (
        log(tmp_path / "x" / "a.jsonl", "one", "two"),
        log(tmp_path / "b.jsonl", "one"),
    )
    assert [trace.name for trace in read(several)] == ["a.jsonl#0", "a.jsonl#1"]
    assert [trace.name for trace in read(single)] == ["b.jsonl"]


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.jsonl", "a/.hidden.jsonl", ".git/c.jsonl", "c/d/e.json"):
        log(tmp_path / name, name)
    assert [said(trace) for trace in read(tmp_path)] == ["a/z.jsonl", "b.jsonl", "c/d/e.json"]


def test_what_is_no_log_is_noted_once_in_a_folder(tmp_path: Path) -> None:
    log(tmp_path / "log.jsonl", "one")
    (tmp_path / "README.md").write_text(PROSE)
    (tmp_path / "empty.json").touch()
    (tmp_path / "image.png").write_bytes(bytes(range(256)) * 300)
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "quiet.json").write_text('{"messages": []}')
    for strict in (False, True):
        told: list[Skipped] = []
        assert len(list(read(tmp_path, strict=strict, on_problem=told.append))) == 1
        places = [Path(problem.where.partition(":")[0]).name for problem in told]
        assert places == ["README.md", "empty.json", "image.png", "package.json", "quiet.json"]


def test_a_broken_line_in_a_folder_stops_a_strict_reader_only(tmp_path: Path) -> None:
    log(tmp_path / "a.jsonl", "one").write_text(LINE + "{broken\n")
    told: list[Skipped] = []
    assert len(list(read(tmp_path, on_problem=told.append))) == 1
    assert [problem.where for problem in told] == [f"{tmp_path / 'a.jsonl'}:2"]
    with pytest.raises(LogError, match=r"a\.jsonl:2"):
        list(read(tmp_path, strict=True))


def test_an_explicit_file_that_is_no_log_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(PROSE)
    with pytest.raises(LogError, match="no log"):
        list(read(tmp_path / "README.md"))


def test_a_folder_without_logs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log in this folder"):
        list(read(tmp_path))


@pytest.mark.parametrize("name", ["missing.json", "nul\0.json"])
def test_a_file_that_cannot_be_opened_is_an_error_of_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(LogError, match="cannot be opened") as caught:
        list(read(tmp_path / name))
    assert "\n" not in str(caught.value)


def test_a_closed_folder_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log(tmp_path / "a.jsonl", "one")
    log(tmp_path / "closed" / "b.jsonl", "two")
    scandir = os.scandir

    def closed(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    told: list[Skipped] = []
    assert [said(trace) for trace in read(tmp_path, on_problem=told.append)] == ["one"]
    what = "the folder cannot be read (Permission denied)"
    assert told == [Skipped(str(tmp_path / "closed"), what)]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (LINE % "piped").encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    (trace,) = read("-")
    assert (said(trace), trace.name) == ("piped", "stdin")


def test_a_text_stream_is_refused_with_the_remedy() -> None:
    with pytest.raises(SettingError, match=r"\.buffer"):
        list(read(io.StringIO("[]")))  # type: ignore[arg-type]


def test_problems_go_to_the_log_by_default(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = log(tmp_path / "a.jsonl", "one")
    path.write_text(LINE + "oops\n")
    with caplog.at_level(logging.WARNING, logger="lre.traces"):
        assert len(list(read(path))) == 1
    assert caplog.messages == [f"{path}:2: broken JSON at column 1 (Expecting value)"]


def test_problems_before_the_first_session_are_told_too() -> None:
    told: list[Skipped] = []
    data = ('{"note": 1}\noops\n' + LINE).encode()
    assert len(list(read(io.BytesIO(data), on_problem=told.append))) == 1
    assert sorted(problem.where for problem in told) == ["stream:1", "stream:2"]


def test_pick_gives_one_session_and_their_number(tmp_path: Path) -> None:
    path = log(tmp_path / "a.jsonl", "one", "two", "three")
    trace, count = pick(path)
    assert (said(trace), count) == ("one", 3)
    trace, count = pick(path, 2)
    assert (said(trace), trace.name, count) == ("three", "a.jsonl#2", 3)


@pytest.mark.parametrize("session", [3, -1])
def test_pick_out_of_range_says_how_many_there_are(tmp_path: Path, session: int) -> None:
    path = log(tmp_path / "a.jsonl", "one", "two", "three")
    with pytest.raises(LogError, match="3 sessions: choose 0 to 2"):
        pick(path, session)
    with pytest.raises(LogError, match="1 session: choose 0"):
        pick(log(tmp_path / "b.jsonl", "one"), 1)


def test_readers_are_imported_only_when_a_log_is_read() -> None:
    modules = [target.partition(":")[0] for target in READERS.values()]
    code = f"import sys, lre.traces; assert not set({modules!r}) & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603


def test_each_reader_is_registered_under_its_own_name() -> None:
    from lre.traces import readers

    assert [reader.name for reader in readers()] == list(READERS)
    assert all(reader.describe for reader in readers())
    assert list(READERS)[-1] == "lists"


def test_an_empty_path_is_not_the_current_folder() -> None:
    with pytest.raises(LogError, match="the path is empty"):
        list(read(""))


def test_a_closed_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(LogError, match="standard input is closed"):
        list(read("-"))


def test_sessions_that_begin_without_words_share_no_task_unless_they_begin_alike() -> None:
    def begun(picture: str, reply: str) -> bytes:
        shown = {"type": "image_url", "image_url": {"url": picture}}
        told = {"role": "user", "content": [shown]}, {"role": "assistant", "content": reply}
        return json.dumps({"messages": told}).encode() + b"\n"

    log = begun("a.png", "A cat.") + begun("b.png", "A dog.") + begun("a.png", "A tiger.")
    first, second, third = (trace.task for trace in read(io.BytesIO(log)))
    assert first == third != second
