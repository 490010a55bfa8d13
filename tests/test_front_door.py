"""The front door: what it offers, and how lightly it opens."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from types import ModuleType

import pytest

import lre
from lre.errors import MissingExtraError

OFFERED = [
    "Decision", "Eviction", "Explanation", "History", "LreError", "Message", "Policy", "Receipt",
    "Scorer", "Selection", "Sessions", "Unit", "evict", "explain", "policy", "problems",
]  # fmt: skip


def run(program: str, *arguments: str) -> str:
    """Run a program in a new interpreter; what it prints."""
    done = subprocess.run(  # noqa: S603 - this very interpreter
        [sys.executable, *arguments, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_what_is_offered() -> None:
    assert sorted(lre.__all__) == list(lre.__all__) == OFFERED


def test_nothing_else_is_public() -> None:
    public = {
        name
        for name, value in vars(lre).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_everything_offered_says_what_it_is(name: str) -> None:
    assert (getattr(lre, name).__doc__ or "").strip()


def test_the_version_is_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+([a-z]+\d+)?", lre.__version__)


HEAVY = [
    "scipy", "sklearn", "click", "numba", "hypothesis", "tokenizers", "tiktoken", "pytest",
    "anthropic", "openai", "pydantic", "pandas", "zstandard", "lre.cli", "lre.learn",
    "lre.testing", "lre.traces", "lre.bench",
]  # fmt: skip


def loaded(program: str) -> set[str]:
    return set(run(f"{program}\nimport sys\nprint(*sys.modules, sep='\\n')").split())


def test_importing_loads_nothing_heavy() -> None:
    assert loaded("import lre") & {*HEAVY} == set()


def test_evicting_loads_nothing_heavy_either() -> None:
    program = (
        "import lre\n"
        "chat = [{'role': 'user', 'content': f'Ticket T-{i}00{i}'} for i in range(40)]\n"
        "assert len(lre.evict(chat, budget=200).messages) < 40\n"
        "history = lre.History(budget=200)\n"
        "history.extend(chat)\n"
        "assert len(history.messages) < 40\n"
        "str(lre.explain(chat, budget=200))\n"
    )
    assert loaded(program) & ({*HEAVY} - {"numba"}) == set()


def test_the_testing_room_asks_for_hypothesis() -> None:
    program = (
        "import sys\n"
        "sys.modules['hypothesis'] = None\n"
        "try:\n"
        "    import lre.testing\n"
        "except ImportError as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    said = run(program)
    assert said.startswith(MissingExtraError.__name__)
    assert "pip install 'lre[testing]'" in said


def test_the_docstring_is_true() -> None:
    failed, tried = doctest.testmod(lre)
    assert (failed, tried > 0) == (0, True)


def test_no_warning_at_import() -> None:
    assert run("import lre, lre.testing, lre.cli", "-W", "error") == ""
