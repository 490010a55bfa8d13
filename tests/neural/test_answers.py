"""The cache of answers: what is written stays, whatever cuts a line or writes beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lre.errors import LogError
from lre.neural.answers import Answer, Answers


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.jsonl"


def test_a_cut_last_line_is_dropped_and_what_follows_stands(file: Path) -> None:
    kept = Answers(file)
    kept.add("a", Answer("one"))
    kept.add("b", Answer("two"))
    whole = file.read_bytes()
    for size in range(len(whole) // 2 + 1, len(whole) - 1):
        file.write_bytes(whole[:size])
        again = Answers(file)
        assert again["a"] == Answer("one")
        assert "b" not in again
        again.add("c", Answer("three"))
        assert Answers(file)["c"] == Answer("three")


def test_a_last_line_that_lacks_only_its_end_counts(file: Path) -> None:
    Answers(file).add("a", Answer("one"))
    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    again = Answers(file)
    again.add("b", Answer("two"))
    assert (Answers(file)["a"], Answers(file)["b"]) == (Answer("one"), Answer("two"))


def test_of_two_answers_the_last_counts(file: Path) -> None:
    Answers(file).add("a", Answer("one"))
    Answers(file).add("a", Answer("two"))
    assert Answers(file)["a"] == Answer("two")


@pytest.mark.parametrize("foreign", ['{"rows": []}', '{\n "rows": 1\n}', "[1]\n", "dear diary"])
def test_a_file_of_something_else_is_refused_and_left_alone(file: Path, foreign: str) -> None:
    file.parent.mkdir()
    file.write_text(foreign)
    with pytest.raises(LogError, match=r"answers\.jsonl:\d"):
        Answers(file)
    assert file.read_text() == foreign


FILL = """
import sys, threading
from pathlib import Path
from lre.neural.answers import Answer, Answers

def fill(name):
    mine = Answers(Path(sys.argv[1]))
    for i in range(50):
        mine.add(f"{name}-{i}", Answer("x" * 5000))

threads = [threading.Thread(target=fill, args=(sys.argv[2] + side,)) for side in "ab"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_and_processes_may_append_at_once(file: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", FILL, str(file), name])  # noqa: S603
        for name in "xy"
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    kept = Answers(file)
    assert all(f"{name}-{i}" in kept for name in ("xa", "xb", "ya", "yb") for i in range(50))
    # Whoever reads half a line of another ends it, so that an empty one may follow.
    assert sum(map(bool, file.read_text().splitlines())) == 200


def test_without_a_file_answers_are_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = Answers()
    kept.add("a", Answer("one"))
    assert "a" in kept
    assert kept.values() == [Answer("one")]
    assert list(tmp_path.iterdir()) == []
