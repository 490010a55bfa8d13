"""Learning a scorer of conversations from logs, and judging it where it never looked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.dialects import parse
from lre.errors import MissingExtraError
from lre.features import reading
from lre.features.facts import session
from lre.learn.chat import SESSIONS, Course, fit
from lre.learn.dataset import Watch
from lre.learn.folds import folds
from lre.learn.talks import Talk, apart, joined, opened, picked, spellings, talk
from lre.policies.lre_chat import FEATURES
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["Chat", "Conversations", "best_label", "unseen"]

Ints = npt.NDArray[np.int64]

_FOLDS = 5


def best_label(traces: Sequence[Trace]) -> str:
    """Name the best label that the logs can give: gold evidence, logged answers, or replies.

    >>> best_label([Trace("a", "a", [{"role": "user", "content": "Hi"}])])
    'replied'
    """
    asked = [one for trace in traces for one in trace.questions]
    if any(one.evidence for one in asked):
        return "gold"
    return "asked" if any(one.answer for one in asked) else "replied"


@dataclass(frozen=True)
class Chat:
    """Makes scorers for the policy ``lre-chat``, of turns, with so many words at most."""

    terms: int = 1000

    def learn(
        self, traces: Sequence[Trace], groups: Sequence[int], watch: Watch = iter
    ) -> Conversations:
        """Take every turn of every conversation once, at its end.

        Where the label is of questions, a conversation that has none says nothing of its turns.
        """
        label = best_label(traces)
        there = [label == "replied" or bool(trace.questions) for trace in traces]
        traces, groups = list(compress(traces, there)), list(compress(groups, there))
        talks = _told_apart([_talk(trace, label) for trace in watch(traces)], groups)
        course = Course(FEATURES, label, self.terms)
        return Conversations(course, traces, talks, groups, there.count(False))

    def wordless(self) -> Chat:
        """Leave all words out: none can give away what was said in a log."""
        return replace(self, terms=0)


@dataclass(frozen=True)
class Conversations:
    """What was learnt from: a talk for each trace, and the group that none of its kin leaves.

    `left_out` conversations have no questions, where others have.
    """

    course: Course
    traces: Sequence[Trace]
    talks: Sequence[Talk]
    groups: Sequence[int]
    left_out: int = 0

    def about(self) -> dict[str, Any]:
        """Count it, for the card."""
        worth = np.concatenate([one.labels[self.course.label] for one in self.talks])
        return {
            "label": self.course.label,
            "sessions": len(self.talks),
            "units": len(worth),
            "rows": len(worth),
            "positive": round(float((worth > 0).mean()), 4),
            "terms": "none",
            **({"without_questions": self.left_out} if self.left_out else {}),
        }

    def held_out(self) -> dict[str, Any]:
        """Judge by five folds: the mean AUC of conversations with units of both kinds.

        Sessions that also stand in a conversation of the fold are not learnt from.

        Raises
        ------
        TrainingError, MissingExtraError
            As `fit`; a fold, too, can hold too little.
        """
        parts = folds(self.groups, min(_FOLDS, len(set(self.groups))))
        aucs = [value for train, test in parts for value in self._aucs(train, test)]
        mean = round(float(np.mean(aucs)), 4) if aucs else None
        return {"folds": len(parts), "conversations": len(aucs), "auc": mean}

    def _aucs(self, train: Ints, test: Ints) -> list[float]:
        try:
            from sklearn.metrics import roc_auc_score
        except ImportError as error:
            raise MissingExtraError("scikit-learn", "train") from error
        judged = [self.talks[i] for i in test]
        scorer = fit(unseen([self.talks[i] for i in train], judged), self.course)
        found = []
        for one in judged:
            taken = one.labels[self.course.label] > 0
            if 0 < taken.sum() < len(taken):
                found.append(roc_auc_score(taken, scorer.probabilities(one.values, one.said)))
        return found

    def scorer(self, card: Mapping[str, Any] | None = None) -> Scorer:
        """Fit to all, and find out how its words are spelt."""
        made = fit(joined(self.talks), self.course, card)
        texts = (reading(said) for trace in self.traces for said in parse(trace.messages)[1])
        terms = made.terms.named(spellings(texts, made.terms.hashes))
        told = {"terms": f"{len(terms)}, each in {SESSIONS} sessions or more"} if len(terms) else {}
        return replace(made, terms=terms, card={**made.card, **told})


def _talk(trace: Trace, label: str) -> tuple[Talk, list[str]]:
    """Take every turn, and the mark of its session."""
    view = opened(trace, "auto", "estimate").view()
    marks = [repr(session(view.messages[unit.messages[0]])) for unit in view.units]
    return talk(trace, view, FEATURES, [label]), marks


def _told_apart(found: Sequence[tuple[Talk, Sequence[str]]], groups: Sequence[int]) -> list[Talk]:
    """Number the sessions anew, so that no conversation counts as many for its words.

    Among kin, such as the requests of one conversation, a mark stands for one session, as it was
    logged last; a conversation that marks no two sessions is one session with all of its kin.
    """
    latest: dict[tuple[int, str], int] = {}
    for (one, marks), group in zip(found, groups, strict=True):
        latest.update(zip([(group, mark) for mark in marks], one.session.tolist(), strict=True))
    return [
        replace(one, session=_numbers(marks, group, latest))
        for (one, marks), group in zip(found, groups, strict=True)
    ]


def _numbers(marks: Sequence[str], group: int, latest: Mapping[tuple[int, str], int]) -> Ints:
    if len(set(marks)) < 2:
        return np.full(len(marks), -1 - group)
    return np.array([latest[group, mark] for mark in marks], dtype=np.int64)


def unseen(train: Sequence[Talk], test: Sequence[Talk]) -> Talk:
    """Join conversations, but for the sessions that also stand in one of those to test on."""
    return picked(joined(train), apart(train, test))
