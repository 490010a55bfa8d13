"""The command as a whole: help, version, completion, exit states, the page of its help."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import lre
from lre.cli.bench import bench
from lre.cli.helppages import pages
from lre.cli.main import cli

Chat = list[dict[str, Any]]
Run = Callable[..., Result]
Save = Callable[..., str]

SCRIPT = str(Path(sys.executable).with_name("lre"))
MODULE = (sys.executable, "-m", "lre")
COMMANDS = {**cli.commands, **{f"bench {name}": one for name, one in bench.commands.items()}}
PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def shell(
    *command: str, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603
        command, input=stdin, env=environment, capture_output=True, check=True
    )


def test_alone_it_prints_its_help(run: Run) -> None:
    alone = run()
    assert (alone.exit_code, alone.stderr) == (0, "")
    assert alone.stdout == run("--help").stdout
    assert all(name in alone.stdout for name in cli.commands)


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").stdout == f"lre {lre.__version__}\n"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_and_option_explains_itself(run: Run, command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout or command == "policies"
    for param in COMMANDS[command].params:
        assert param.param_type_name == "argument" or getattr(param, "help", None)


def test_a_group_alone_prints_its_help(run: Run) -> None:
    alone = run("bench")
    assert (alone.exit_code, alone.stderr) == (0, "")
    assert alone.stdout == run("bench", "--help").stdout


def test_the_page_has_a_section_for_every_command() -> None:
    page = pages()
    assert [name for name in COMMANDS if f"\n## `lre {name}`\n" not in page] == []


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["bench", "x"], "No such command 'x': see 'lre bench --help'"),
        (["trim"], "Missing argument 'FILE': see 'lre trim --help'"),
        (["shrink"], "No such command 'shrink': see 'lre --help'"),
        (["trim", "x", "--bugdet", "5"], "'--bugdet'"),
        (["trim", "x", "--budget"], "'--budget' requires an argument"),
        (["check", "a", "b"], "see 'lre check --help'"),
        (["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
    ],
)
def test_a_wrong_call_gets_one_line_and_status_2(run: Run, args: list[str], says: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lre: ")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_a_shell(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_LRE_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("lre tr", {"train", "trim"}),
        ("lre trim x --policy lre-", {"lre-additive", "lre-chat", "lre-exact", "lre-paper"}),
    ],
)
def test_the_shell_is_offered_what_fits(words: str, offered: set[str]) -> None:
    last = str(len(words.split()) - 1)
    done = shell(SCRIPT, _LRE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=last)
    assert {line.partition(",")[2] for line in done.stdout.decode().splitlines()} == offered


def test_an_interrupt_ends_with_status_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lre.cli.trim.open_session", interrupt)
    result = run("trim", "x", "--budget", "9")
    assert (result.exit_code, result.stdout, result.stderr.strip()) == (130, "", "")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PermissionError(13, "Permission denied", "a.json"), "Permission denied @ a.json"),
        (RecursionError("maximum depth"), "the messages are nested too deeply"),
        (lre.LreError("is\nodd", where="here"), "is odd @ here"),
    ],
)
def test_every_failure_becomes_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lre.cli.trim.open_session", fail)
    result = run("trim", "x", "--budget", "9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"lre: {says}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [(SCRIPT,), MODULE])
def test_it_runs_from_the_shell(command: tuple[str, ...], chat: Chat) -> None:
    done = shell(*command, "trim", "-", "--budget", "50%", stdin=json.dumps(chat).encode())
    assert json.loads(done.stdout) == lre.evict(chat, budget="50%").messages
    assert done.stderr.startswith(b"lre: ")


def test_a_terminal_that_lacks_a_letter_gets_an_escape(save: Save, chat: Chat) -> None:
    args = ("explain", save(chat), "--budget", "50%")
    done = shell(SCRIPT, *args, PYTHONIOENCODING="latin-1")
    assert b"\\u2192" in done.stdout


def test_a_closed_pipe_ends_quietly(save: Save, chat: Chat) -> None:
    with subprocess.Popen(  # noqa: S603
        [SCRIPT, "trim", save(chat), "--budget", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_a_closed_standard_output_is_named(save: Save, chat: Chat) -> None:
    command = f"{shlex.quote(SCRIPT)} trim {shlex.quote(save(chat))} --budget 900 >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True)  # noqa: S603, S607
    assert done.returncode == 2
    assert done.stderr.startswith(b"lre: standard output is closed")


def test_nothing_heavy_is_imported_for_nothing() -> None:
    """`import lre` needs no click, and the command no SciPy or scikit-learn, to print its help."""
    code = "import {}, sys; print(*(name.partition('.')[0] for name in sys.modules))"
    for module, unwanted in (
        ("lre", {"click", "scipy", "sklearn", "numba"}),
        ("lre.cli.main", {"scipy", "sklearn", "numba"}),
    ):
        done = shell(sys.executable, "-c", code.format(module))
        assert unwanted.isdisjoint(done.stdout.decode().split())


def test_learning_is_not_imported_for_trimming() -> None:
    heavy = ("lre.learn", "lre.bench.replay", "lre.bench.report", "matplotlib", "jinja2")
    code = f"import lre.cli.main, sys; print([n for n in sys.modules if n.startswith({heavy})])"
    assert shell(sys.executable, "-c", code).stdout == b"[]\n"


def test_the_page_of_the_help_is_up_to_date() -> None:
    remedy = "write it anew: python -m lre.cli.helppages > docs/cli.md"
    assert PAGE.read_text(encoding="utf-8") == pages(), remedy
