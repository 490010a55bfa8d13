"""Which questions are put to a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from lre.bench.conversations.sheet import Asked, Ints, Sheet

__all__ = ["Drawn", "draw", "evenly", "why_not"]

Drawn = list[list[Asked]]
"""The questions of every conversation, in their order."""

ADVERSARIAL = "adversarial"  # LoCoMo's name for questions that only mislead


def why_not(sheet: Sheet, asked: Asked) -> str:
    """Say why a question has no right answer; "" where it has one."""
    if asked.category == ADVERSARIAL:
        return ADVERSARIAL
    if sheet.trace.meta.get("abstention"):
        return "abstention"
    return "" if asked.answer.strip() else "no answer"


def draw(sheets: Sequence[Sheet], count: int | None, seed: int = 0) -> tuple[Drawn, dict[str, int]]:
    """Draw `count` questions (None: all) that have an answer; and say why how many are left out.

    As many come from each conversation as from any other while there are some left; where
    there are fewer than conversations, these are drawn too. Both draws are stratified by category.
    """
    reasons: Counter[str] = Counter()
    usable: Drawn = []
    for sheet in sheets:
        why = [(one, why_not(sheet, one)) for one in sheet.asked]
        reasons.update(reason for _, reason in why if reason)
        usable.append([one for one, reason in why if not reason])
    chosen = _chosen(usable, count, np.random.default_rng(seed))
    reasons["not drawn"] = sum(map(len, usable)) - sum(map(len, chosen))
    return chosen, dict(+reasons)


def _chosen(usable: Drawn, count: int | None, rng: np.random.Generator) -> Drawn:
    """Let the conversations, in a drawn order, give a question each, round by round."""
    first = [questions[0].category if questions else "" for questions in usable]
    turns = np.argsort(evenly(first, rng))
    offers = [
        (number, turn, place, int(question))
        for place, (questions, turn) in enumerate(zip(usable, turns.tolist(), strict=True))
        for number, question in enumerate(evenly([one.category for one in questions], rng))
    ]
    taken = {(place, question) for _, _, place, question in sorted(offers)[:count]}
    return [
        [one for question, one in enumerate(questions) if (place, question) in taken]
        for place, questions in enumerate(usable)
    ]


def evenly(labels: Sequence[str], rng: np.random.Generator) -> Ints:
    """Draw an order of places in which every beginning holds each label in its due share.

    >>> order = evenly(["a", "a", "b", "a", "a", "b"], np.random.default_rng(0))
    >>> sorted(["a", "a", "b", "a", "a", "b"][place] for place in order[:3])
    ['a', 'a', 'b']
    """
    of, at = np.array(labels), np.zeros(len(labels))
    for label in sorted(set(labels)):
        places = np.flatnonzero(of == label)
        at[rng.permutation(places)] = (np.arange(len(places)) + rng.random()) / len(places)
    return np.argsort(at, kind="stable")
