"""What a reader of logs gives and takes: traces, records, problems."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["Question", "Reader", "Record", "Report", "Skipped", "Trace", "first_words"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a log asks about a session: for learning and measuring, never a feature.

    Attributes
    ----------
    text : str
        The question.
    answer : str
        What the log calls right; "" where it has none (LoCoMo's adversarial questions).
    category : str
        The kind of question, in the log's words.
    evidence : tuple of int
        Ascending indices into `Trace.messages` of the messages that hold the answer.
    asked : str
        When it was asked, as the log writes it.

    Examples
    --------
    >>> Question("Where does Ann live?", answer="Oslo", evidence=(4, 7)).evidence
    (4, 7)
    """

    text: str
    answer: str = ""
    category: str = ""
    evidence: tuple[int, ...] = ()
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded session.

    Attributes
    ----------
    name : str
        File name without its folder, and ``#k`` (from 0) where the file holds several
        sessions: for showing.
    task : str
        What the session was about: sessions of one task go into the same fold of a
        cross-validation. Neither name nor task ever becomes a feature.
    messages : list
        The entries, exactly the objects parsed from the file.
    system, tools : object
        What the log keeps apart from the messages, else None.
    meta : Mapping
        Where the session stands (``where``), who read it (``reader``), and the plain values
        beside it, such as ``task_id``, ``domain``, ``trial`` or ``model``. A log with questions
        has its known ``faults`` here: what they are, and how many of each were met.
    questions : tuple of Question
        What the log asks about the session.
    segmenter : str
        How its messages are units: a name of `lre.units.SEGMENTERS`.
    """

    name: str
    task: str
    messages: list[Any]
    system: Any = None
    tools: Any = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    segmenter: str = "auto"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that could not be read: where (``file:line: path``) and what is wrong."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of a file, and its place (``file`` or ``file:line``)."""

    value: Any
    where: str


Report = Callable[[str, str], None]
"""Takes where and what of a problem; raises `LogError` where reading is strict."""


class Reader(Protocol):
    """A log format.

    `recognises` answers for the value of one record. For people, `describe` is one line,
    `dialects` are those in which the messages come out, `example` says what such a log is called.
    `traces` gets all the records of a file, in order and as they are read, so that a format
    may stream (one record, some sessions) or gather (one session of many lines). It reports
    what it cannot use and goes on. It leaves `Trace.name` empty where the log has none:
    `lre.traces.read` gives names alike to all formats.
    """

    name: str
    describe: str
    dialects: tuple[str, ...]
    example: str

    def recognises(self, value: object) -> bool:
        """Tell whether a record's value belongs to this format."""
        ...

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        """Read the sessions of one file."""
        ...


def first_words(messages: Sequence[Mapping[str, Any]]) -> str:
    """Name the task of a session that has no id, by a hash of its first user message's words.

    Runs of one task start with the same words, and so do the requests in which one growing
    conversation is sent again and again; a group by these words keeps them in one fold.

    >>> first_words([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}])
    'first-words:3639efcd08abb273'
    """
    users = [entry for entry in messages if entry.get("role") == "user"] or messages
    text = next(filter(None, map(_text, users)), "") or _whole(users[:1])
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"first-words:{digest[:16]}"


def _whole(wordless: Sequence[Mapping[str, Any]]) -> str:
    """Give an image or a call as text, so that not all that begins so is one task."""
    try:
        return json.dumps(wordless, sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):
        return ""


def _text(entry: Mapping[str, Any]) -> str:
    content = entry.get("content", entry.get("parts"))  # Gemini calls it parts
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
