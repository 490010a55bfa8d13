"""Learning from chat logs: what a conversation says alone stays out of the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from lre.learn.conversations import Chat
from lre.learn.folds import groups
from lre.traces import Question, Trace

PRIVATE = "4471-bravo"
_WORDS = ("oslo", "sister", "birthday", "dog", "garden", "train", "coffee", "novel", "doctor")

Entries = list[dict[str, Any]]


def said(seed: int, turns: int = 30, beside: str = "") -> Entries:
    rng = np.random.default_rng(seed)
    texts = [" ".join([*rng.choice(_WORDS, 8), beside]) for _ in range(turns)]
    return [{"role": "user", "content": text} for text in texts]


def learnt(conversations: Sequence[Entries]) -> dict[str, float]:
    traces = [Trace("", f"task {i}", one) for i, one in enumerate(conversations)]
    return Chat().learn(traces, groups(traces)).scorer().terms.spelt()


def marked(entries: Entries, mark: Callable[[int], object]) -> Entries:
    return [{**entry, "session": mark(place)} for place, entry in enumerate(entries)]


def requests(entries: Entries) -> list[Entries]:
    return [entries[:stop] for stop in range(12, 31, 3)]


@pytest.mark.parametrize(
    "mark",
    [
        lambda _: None,
        lambda _: "one",
        lambda place: "one" if place else None,  # a system prompt, say, stands outside
        lambda place: place // 10,
        lambda place: "one" if place % 2 else None,
        lambda place: [] if place % 2 else float("nan"),
    ],
)
def test_a_conversation_logged_request_by_request_gives_none_of_its_words_away(
    mark: Callable[[int], object],
) -> None:
    private = marked(said(0, beside=PRIVATE), mark)
    terms = learnt([*requests(private), *map(said, range(1, 7))])
    assert PRIVATE not in terms
    assert "oslo" in terms


def test_a_mark_that_comes_back_is_one_session() -> None:
    private = marked(said(0, 60, PRIVATE), lambda place: place % 3)
    assert PRIVATE not in learnt([private, *map(said, range(1, 7))])


def test_a_word_of_five_marked_sessions_is_learnt() -> None:
    told = marked(said(0, 60, PRIVATE), lambda place: place // 12)
    assert PRIVATE in learnt([told, *map(said, range(1, 7))])


def test_words_are_spelt_however_the_log_writes_its_messages() -> None:
    """In blocks, and after a line break: the very text that is scored is read."""
    logs = [said(i, beside="\nlisbon") for i in range(6)]
    blocks = [
        [{**e, "content": [{"type": "text", "text": e["content"]}]} for e in one] for one in logs
    ]
    assert learnt(blocks) == learnt(logs)
    assert "lisbon" in learnt(blocks)


def test_beside_logs_with_questions_one_without_teaches_nothing() -> None:
    """What nobody asked about is not what nobody needs."""
    asked = Question("Where?", "Oslo", evidence=tuple(range(0, 30, 3)))
    logs = [Trace("", f"task {i}", said(i), questions=(asked,)) for i in range(6)]
    plain = [Trace("", f"plain {i}", said(i)) for i in range(6, 9)]
    alone, beside = (Chat().learn(some, groups(some)) for some in (logs, [*plain, *logs]))
    assert beside.scorer().to_json() == alone.scorer().to_json()
    assert beside.about() == {**alone.about(), "without_questions": 3}
