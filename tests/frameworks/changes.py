"""What changed of late, asked of git, and which files a file stands on."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

__all__ = ["changed_files", "commits", "local"]

_DAY = 86_400


def changed_files(root: Path) -> set[str]:
    """Give the files that the commits of the last day before the latest one changed."""
    latest = int(_git(root, "log", "-1", "--format=%ct") or 0)
    since = _git(root, "log", f"--since={latest - _DAY}", "--name-only", "--format=")
    return {*since.splitlines()} - {""}


def commits(root: Path) -> int:
    """Count the commits."""
    return int(_git(root, "rev-list", "--count", "HEAD") or 0)


def local(file: Path, seen: frozenset[Path] = frozenset()) -> set[Path]:
    """Give a file and the files beside it that it imports, and so on; none if it is not there."""
    if file in seen or not file.is_file():
        return set()
    found = {file}
    for name in _imported(ast.parse(file.read_text(encoding="utf-8"))):
        found |= local(file.parent / f"{name}.py", seen | found)
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    """Give the last names of the modules that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.rpartition(".")[2]
        elif isinstance(node, ast.Import):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)


def _git(root: Path, *arguments: str) -> str:
    """Ask git; nothing, where it does not answer."""
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()
