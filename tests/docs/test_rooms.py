"""The rooms stand in their order: each imports only from rooms above it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "lre"
FRONT_DOOR = "lre"
ROOMS = (
    *("errors", "messages", "dialects", "tokens", "needs", "spans", "units", "pieces", "features"),
    *("scorer", "models", "selection", "neural", "policies", "pins", "inventory", "ledger"),
    *("remains", "contest", "rewrite", "choose", "receipt", "oversize", "decide", "evict"),
    *("explain", "lint", "history", "sessions", "telemetry"),
    *(FRONT_DOOR, "traces", "learn", "integrations", "bench", "testing", "cli", "__main__"),
)
FILES = sorted(SOURCE.rglob("*.py"))
EXTRAS = {
    *("headroom", "hypothesis", "jinja2", "langchain_core", "litellm", "llmlingua", "matplotlib"),
    *("numba", "onnxruntime", "openai", "scipy", "sentence_transformers", "sklearn", "tokenizers"),
    *("torch", "transformers", "zstandard"),
}


def room_of(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0].removesuffix(".py")
    return FRONT_DOOR if first == "__init__" else first


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the line and the room of every import of the project's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            paths = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            paths = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for package, *names in (path.split(".") for path in paths):
            if package == "lre":
                yield node.lineno, names[0] if names and names[0] in ROOMS else FRONT_DOOR


def upside_down(source: str, room: str) -> list[str]:
    """Name the imports that point down the list of rooms."""
    above = ROOMS[: ROOMS.index(room) + 1]
    return [
        f"line {line}: {room} imports {other}"
        for line, other in imported(ast.parse(source))
        if other not in above
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_above_it(file: Path) -> None:
    assert upside_down(file.read_text(encoding="utf-8"), room_of(file)) == []


@pytest.mark.parametrize(
    "source",
    [
        "import lre.policies.fifo",
        "from lre.history import History",
        "from lre import evict",
        "def f():\n    from lre import Scorer",
    ],
)
def test_an_import_that_points_down_is_found(source: str) -> None:
    assert len(upside_down(source, "features")) == 1


def test_every_room_has_its_place_in_the_order() -> None:
    entries = {path.name.removesuffix(".py") for path in SOURCE.iterdir()}
    assert entries - {"__init__", "__pycache__", "py.typed"} == set(ROOMS) - {FRONT_DOOR}


def test_the_tour_names_every_room() -> None:
    tour = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = [path.name for path in SOURCE.iterdir() if not path.name.startswith("__")]
    spelt = [f"`{name}`" if "." in name else f"`{name}/`" for name in names]
    assert [name for name in spelt if name not in tour] == []


def test_the_front_door_needs_no_extra() -> None:
    code = "import sys, lre; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.check_output([sys.executable, "-c", code], text=True).split()  # noqa: S603
    assert "numpy" in found
    assert set(found) & EXTRAS == set()
