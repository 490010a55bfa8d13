"""AppWorld's lists of tasks: plain files of ids, a split each, in its root folder."""

from __future__ import annotations

from pathlib import Path

from lre.bench.appworld.client import SETUP
from lre.errors import LogError, SettingError

__all__ = ["LEVELS", "task_ids"]

LEVELS = {1: "easy", 2: "medium", 3: "hard"}
"""AppWorld's levels of difficulty."""


def task_ids(root: Path, split: str, most: int | None = None) -> list[str]:
    r"""Read the ids of a split: a name of AppWorld's, or the path of a file ``*.txt`` of ids.

    `root` is AppWorld's root folder, `most` how many are taken, the first ones.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     size = Path(folder, "mine.txt").write_text("a_1\na_2:tagged\n")
    ...     task_ids(Path(), f"{folder}/mine.txt")
    ['a_1', 'a_2']

    Raises
    ------
    SettingError
        If there is no such file.
    LogError
        If it holds no ids.
    """
    path = Path(split) if split.endswith(".txt") else root / "data" / "datasets" / f"{split}.txt"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SettingError(
            f"no tasks of AppWorld are here ({error.strerror})",
            where=str(path),
            remedy=f"{SETUP}, and give its root folder by --root",
        ) from error
    ids = [line.partition(":")[0].strip() for line in lines if line.strip()]
    if not ids:
        raise LogError("no ids of tasks", where=str(path), remedy="name another split")
    return ids[:most]
