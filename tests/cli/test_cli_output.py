"""`-o` writes a file all at once or not at all."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import lre
from lre.cli.output import strays_to_stderr

Chat = list[dict[str, Any]]
Run = Callable[..., Result]
Save = Callable[..., str]


def test_output_goes_to_a_file(run: Run, save: Save, chat: Chat, tmp_path: Path) -> None:
    target = tmp_path / "short.json"
    target.write_text("old")
    target.chmod(0o640)
    result = run("trim", save(chat), "--budget", "50%", "-o", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads(target.read_text()) == lre.evict(chat, budget="50%").messages
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.json", "short.json"]


def test_a_log_can_be_trimmed_in_place(run: Run, save: Save, chat: Chat) -> None:
    log = save(chat)
    run("trim", log, "--budget", "50%", "-o", log)
    assert json.loads(Path(log).read_text()) == lre.evict(chat, budget="50%").messages


def test_output_through_a_link_leaves_the_link(
    run: Run, save: Save, chat: Chat, tmp_path: Path
) -> None:
    link, real = tmp_path / "link.json", tmp_path / "real.json"
    link.symlink_to(real)
    run("trim", save(chat), "--budget", "50%", "-o", str(link))
    assert link.is_symlink()
    assert len(json.loads(real.read_text())) < len(chat)


def test_output_into_a_pipe_leaves_the_pipe(
    run: Run, save: Save, chat: Chat, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        run("trim", save(chat), "--budget", "100000", "-o", str(pipe))
        assert json.loads(os.read(reader, 65_536)) == chat
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("target", "says"), [(".", "is a directory"), ("no/such/x.json", "there is no folder")]
)
def test_an_output_that_cannot_be_written_is_refused_before_work(
    run: Run, tmp_path: Path, target: str, says: str
) -> None:
    result = run("trim", "nowhere.json", "--budget", "9", "-o", str(tmp_path / target))
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_failed_write_leaves_the_old_file(
    run: Run, save: Save, chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: Path, _data: bytes) -> int:
        raise OSError(28, "No space left on device", "x")

    target, log = save("old", "short.json"), save(chat)
    monkeypatch.setattr(Path, "write_bytes", full)
    result = run("trim", log, "--budget", "50%", "-o", target)
    assert (result.exit_code, result.stderr) == (2, "lre: No space left on device @ x\n")
    assert Path(target).read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_what_compiled_code_prints_does_not_mix_with_results(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with strays_to_stderr():
        os.write(1, b"a solver says hello\n")
    os.write(1, b"the result\n")
    assert capfd.readouterr() == ("the result\n", "a solver says hello\n")
