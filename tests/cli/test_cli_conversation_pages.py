"""`--html` of the studies of conversations: a page beside what is printed, or refused at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import Result

from cli.contests import locomo, stand_in
from openai_server import answers, serving

Run = Callable[..., Result]
Save = Callable[..., str]

FEW = ("--policies", "fifo,lre-self,lre")
TITLES = {"rank": "Macro-AUC by policy", "retain": "Evidence kept", "qa": "Answers against tokens"}


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: Save) -> str:
    monkeypatch.chdir(tmp_path)
    stand_in(monkeypatch)
    save(locomo(), "mine.json")
    return "mine.json"


@pytest.mark.parametrize("study", TITLES)
def test_the_page_is_written_and_the_json_is_printed_as_ever(
    run: Run, dataset: str, study: str
) -> None:
    with serving(answers("Oslo")) as server:
        reader = ("--model", "tiny", "--base-url", server.url) if study == "qa" else ()
        result = run("bench", study, dataset, *FEW, *reader, "--json", "--html", "page.html")
    assert result.exit_code == 0, result.stderr
    assert "wrote page.html\n" in result.stderr
    text = Path("page.html").read_text(encoding="utf-8")
    assert f"<h2>{TITLES[study]}</h2>" in text
    assert json.loads(result.stdout)["settings"]["command"] in text


@pytest.mark.parametrize("study", ["rank", "retain"])
def test_a_folder_that_is_not_there_is_refused_before_anything_is_read(
    run: Run, dataset: str, study: str
) -> None:
    result = run("bench", study, dataset, "--html", "nowhere/page.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no folder 'nowhere'" in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_a_package_for_the_page_is_asked_for_only_with_the_page(
    run: Run, dataset: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = lambda name: None if name == package else find_spec(name)  # noqa: E731
    monkeypatch.setattr("lre.bench.requirements.find_spec", lacks)
    assert run("bench", "rank", dataset, *FEW).exit_code == 0
    result = run("bench", "rank", dataset, *FEW, "--html", "page.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{package} is not installed" in result.stderr.splitlines()[-1]
    assert not Path("page.html").exists()
