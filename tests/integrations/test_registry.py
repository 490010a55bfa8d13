"""Every integration has its file, its guide, its example, its test, and an extra."""

from __future__ import annotations

import ast
import importlib
import tomllib
from pathlib import Path

import pytest

from lre.errors import MissingExtraError
from lre.integrations import INTEGRATIONS

ROOT = Path(__file__).parents[2]
FRAMEWORKS = ROOT / "tests" / "frameworks"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
TESTED = tomllib.loads((FRAMEWORKS / "environments.toml").read_text(encoding="utf-8"))

each = pytest.mark.parametrize("name", INTEGRATIONS)


@each
def test_it_has_a_file_a_guide_an_example_and_a_test(name: str) -> None:
    for file in (
        ROOT / "src" / "lre" / "integrations" / f"{name}.py",
        ROOT / "docs" / "integrations" / f"{name}.md",
        FRAMEWORKS / "examples" / f"{name}.py",
        FRAMEWORKS / f"test_{name}.py",
    ):
        assert file.is_file()


@each
def test_it_fits_into_120_lines_and_shows_its_line(name: str) -> None:
    text = (ROOT / "src" / "lre" / "integrations" / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    shown = (ast.get_docstring(ast.parse(text)) or "").splitlines()
    assert any(line.startswith("    ") and "budget=" in line for line in shown)


@each
def test_its_extra_is_there_and_its_tests_have_an_environment(name: str) -> None:
    assert INTEGRATIONS[name].extra in EXTRAS
    assert any(name in told["integrations"] for told in TESTED.values())


@each
def test_its_test_holds_the_contract(name: str) -> None:
    text = (FRAMEWORKS / f"test_{name}.py").read_text(encoding="utf-8")
    assert "IntegrationContract" in text


@each
def test_it_can_be_imported_or_says_what_to_install(name: str) -> None:
    module, _, attribute = INTEGRATIONS[name].target.partition(":")
    try:
        assert hasattr(importlib.import_module(module), attribute)
    except MissingExtraError as error:
        assert f"lre[{INTEGRATIONS[name].extra}]" in str(error)


def test_every_environment_has_its_pins() -> None:
    pins = {file.stem for file in (FRAMEWORKS / "pins").glob("*.txt")}
    assert pins == {*TESTED}
