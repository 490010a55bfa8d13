"""Every policy scores every conversation; those that learn are fitted on other folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lre.bench.conversations import paper
from lre.bench.conversations.contestants import COURSES, PUBLISHED, Plan
from lre.bench.conversations.sheet import Asked, Floats, Ints, Ranked, Sheet
from lre.bench.parallel import Tick, spread
from lre.errors import MissingExtraError, TrainingError
from lre.learn.chat import Course, fit
from lre.learn.conversations import unseen
from lre.learn.talks import Talk, opened, talk
from lre.policies import policy
from lre.policies.lre_chat import FEATURES as CHAT
from lre.traces import Trace

__all__ = ["Plan", "compete", "ticks"]

_ONE_OUT = 10  # conversations: of so few each is a fold
_FOLDS = 5


def ticks(conversations: int) -> int:
    """Count the ticks of a contest: each conversation is read, each fold is fitted."""
    return conversations + (conversations if conversations <= _ONE_OUT else _FOLDS)


class _Read(NamedTuple):
    units: Sequence[tuple[int, ...]]
    costs: Ints
    asked: tuple[Asked, ...]
    talk: Talk
    scores: Mapping[str, Floats]


def compete(
    traces: Sequence[Trace], plan: Plan, workers: int, tick: Tick
) -> tuple[list[Sheet], list[Ranked]]:
    """Give the sheets, and what every policy makes of them, in the order of the plan.

    Raises
    ------
    TrainingError
        If a policy has to be trained and there is too little to learn from.
    MissingExtraError
        If scikit-learn is not installed.
    """
    read = list(spread(_read, [(trace, plan) for trace in traces], workers, tick))
    folds = _folds(len(traces), plan.seed)
    fold = {place: number for number, (_, test) in enumerate(folds) for place in test.tolist()}
    sheets = [
        Sheet(trace, one.units, one.costs, one.asked, fold[place])
        for place, (trace, one) in enumerate(zip(traces, read, strict=True))
    ]
    talks = [one.talk for one in read]
    found = {
        **_untaught(plan, read),
        **_taught(plan, talks, folds, workers, tick),
        **_published(plan, sheets, talks, folds),
        "oracle": _dense("oracle", [_cited(sheet) for sheet in sheets], "is told"),
    }
    return sheets, [found[name] for name in plan.names]


def _read(job: tuple[Trace, Plan]) -> _Read:
    """Read a conversation, and let those that need no training score it."""
    trace, plan = job
    view = opened(trace, counter=plan.counter).view()
    asked = tuple(
        Asked(
            one.text,
            one.answer,
            one.category,
            tuple(np.unique(view.owner[list(one.evidence)]).tolist()),
            one.asked,
        )
        for one in trace.questions
    )
    rows = talk(trace, view, CHAT, plan.labels)
    scores = {name: made.score(view) for name, made in plan.untaught().items()}
    return _Read([unit.messages for unit in view.units], view.costs, asked, rows, scores)


def _folds(size: int, seed: int) -> list[tuple[Ints, Ints]]:
    """Split into five folds, or leave one out where there are few."""
    try:
        from sklearn.model_selection import KFold
    except ImportError as error:
        raise MissingExtraError("scikit-learn", "train") from error
    if size < 2:
        raise TrainingError("one conversation has no other folds", remedy="give a file with more")
    if size <= _ONE_OUT:
        return list(KFold(size).split(range(size)))
    return list(KFold(_FOLDS, shuffle=True, random_state=seed).split(range(size)))


def _untaught(plan: Plan, read: Sequence[_Read]) -> dict[str, Ranked]:
    return {
        name: Ranked(name, made, [one.scores[name] for one in read], plan.note(name))
        for name, made in plan.untaught().items()
    }


def _taught(
    plan: Plan,
    talks: Sequence[Talk],
    folds: Sequence[tuple[Ints, Ints]],
    workers: int,
    tick: Tick,
) -> dict[str, Ranked]:
    """Fit on the other folds, and score each fold by what was fitted without it."""
    chosen = [name for name in plan.names if name in COURSES]
    scores: dict[str, list[Floats]] = {name: [np.zeros(0)] * len(talks) for name in chosen}
    jobs = [
        ([COURSES[name][0] for name in chosen], [talks[i] for i in train], [talks[i] for i in test])
        for train, test in folds
    ]
    for (_, test), found in zip(folds, spread(_learn, jobs, workers, tick), strict=True):
        for name, of_test in zip(chosen, found, strict=True):
            for place, values in zip(test.tolist(), of_test, strict=True):
                scores[name][place] = values
    return {name: _dense(name, scores[name], COURSES[name][1]) for name in chosen}


def _learn(job: tuple[Sequence[Course], Sequence[Talk], Sequence[Talk]]) -> list[list[Floats]]:
    """Fit each course, and score the conversations of the fold that was left out."""
    courses, train, test = job
    if not courses:
        return []
    rows = unseen(train, test)
    found = []
    for course in courses:
        scorer = fit(rows, course)
        columns = [CHAT.index(name) for name in course.features]
        found.append([scorer.probabilities(one.values[:, columns], one.said) for one in test])
    return found


def _published(
    plan: Plan, sheets: Sequence[Sheet], talks: Sequence[Talk], folds: Sequence[tuple[Ints, Ints]]
) -> dict[str, Ranked]:
    chosen = {name: PUBLISHED[name] for name in plan.names if name in PUBLISHED}
    if not chosen:
        return {}
    whole = paper.Corpus(sheets)
    return {
        name: _dense(name, paper.scores(whole, talks, folds, label), note)
        for name, (label, note) in chosen.items()
    }


def _dense(name: str, scores: Sequence[Floats], note: str) -> Ranked:
    """Let the policy choose by score per token."""
    return Ranked(name, policy("lre-chat"), scores, note)


def _cited(sheet: Sheet) -> Floats:
    """Give the share of each question that a unit answers, over all questions."""
    worth = np.zeros(len(sheet.units))
    for one in sheet.asked:
        worth[list(one.evidence)] += 1 / max(len(one.evidence), 1)
    return worth
