"""What the pages say is so: their examples run, their links lead somewhere, nothing is stale."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.example import SybilFailure
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

from lre.dialects import DIALECTS

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
RUN = [page for page in PAGES if page.name != "cli.md"]  # its examples name files of the reader's
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
RULE = re.compile(r'"([a-z]+(?:-[a-z]+)+)"')
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_console(example: Example) -> str | None:
    """Run what stands behind `$`, and compare what it prints with what stands below."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for step in re.split(r"^\$ ", str(example.parsed), flags=re.MULTILINE)[1:]:
        command, _, want = step.partition("\n")
        done = subprocess.run(  # noqa: S602 - our own pages
            command,
            shell=True,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        if done.returncode or not doctest.OutputChecker().check_output(want, done.stdout, FLAGS):
            return f"$ {command}\nstatus {done.returncode}\n{done.stdout}instead of\n{want}"
    return None


EXAMPLES = Sybil(
    [PythonCodeBlockParser(doctest_optionflags=FLAGS), CodeBlockParser("console", run_console)]
)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", RUN, ids=name)
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES.parse(page).examples():
        example.evaluate()


def test_an_example_that_does_not_run_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for block in ("python\nassert 1 == 2", "python\n>>> 1\n2", "console\n$ echo one\ntwo"):
        page.write_text(f"```{block}\n```\n", encoding="utf-8")
        [example] = EXAMPLES.parse(page).examples()
        with pytest.raises((AssertionError, SybilFailure)):
            example.evaluate()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    words = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = [link.partition("#")[0] for link in LINK.findall(words)]
    inside = [target for target in targets if target and "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []


def test_generated_parts_are_fresh() -> None:
    pages = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]
    stale = [name(page) for page, text in pages() if page.read_text(encoding="utf-8") != text]
    assert stale == [], "run `make generate`"


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("0*.md")), ids=name)
def test_the_tests_that_guard_a_decision_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", text)
    assert files
    assert [file for file in files if not (ROOT / file).is_file()] == []
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("*.py"))
    guards = re.findall(r"`(test_\w+)`", text)
    assert [guard for guard in guards if f"def {guard}(" not in tests] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_page_of_dialects_lists_every_rule(dialect: str) -> None:
    page = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
    section = page.partition(f"\n### `{dialect}`\n")[2].partition("\n### ")[0]
    rules = ROOT / "src" / "lre" / "dialects" / "rules" / f"{dialect.replace('-', '_')}.py"
    known = set(RULE.findall(rules.read_text(encoding="utf-8")))
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, flags=re.MULTILINE)) == known
