"""Answers of a reader model, kept on disk as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from lre.errors import LogError

__all__ = ["Answer", "Answers"]

_LINE = b'{"key": "'


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the text, its price in tokens, and which model says so.

    `finish` is the API's finish reason; `error` is "" or "too long".
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""
    finish: str = ""
    error: str = ""


class Answers:
    """Answers by the SHA-256 of their request, in a JSON Lines file without any prompt.

    Each is written as soon as it is there, by one write, so that several processes may append.
    A line that was cut is dropped; of two with one key the last counts. The file and its folder
    are made where they are missing.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Answers(Path(folder) / "answers.jsonl").add("3fa9", Answer("in May"))
    ...     Answers(Path(folder) / "answers.jsonl")["3fa9"].text
    'in May'

    Raises
    ------
    OSError
        If the file cannot be read or written.
    LogError
        If it holds something else: nothing is written then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        data = path.read_bytes()
        self._known = dict(_entries(data, path))
        if data and not data.endswith(b"\n"):
            self._append(b"\n")

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def __getitem__(self, key: str) -> Answer:
        return self._known[key]

    def add(self, key: str, answer: Answer) -> None:
        """Keep an answer, on disk first."""
        self._append(json.dumps({"key": key, **asdict(answer)}).encode() + b"\n")
        self._known[key] = answer

    def _append(self, line: bytes) -> None:
        with self.path.open("ab", buffering=0) as file:
            file.write(line)


def _entries(data: bytes, path: Path) -> Iterator[tuple[str, Answer]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            if line:
                entry = json.loads(line)
                yield entry.pop("key"), Answer(**entry)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if line[: len(_LINE)] != _LINE[: len(line)]:  # not ours, not even a cut one
                raise LogError(
                    "no answer of a reader", where=f"{path}:{number}", remedy="name another file"
                ) from error
