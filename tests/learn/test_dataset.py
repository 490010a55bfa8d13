"""From traces to rows: what was known at a moment, and nothing that came later."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lre.learn.dataset import Rows, at_moments, collect, concat, once, sample
from lre.traces import Trace

NAMES = ["recency", "spread", "lifetime"]
RECENT = 5


def said(text: str, role: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def call(number: int, what: str) -> list[dict[str, Any]]:
    function = {"name": "look", "arguments": f'{{"what": "{what}"}}'}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": f"call_{number}", "content": "done"},
    ]


def session(steps: int, task: str = "task") -> Trace:
    """The task names P1000; step n brings T100n up, and acts with that of four steps before."""
    messages = [said("Please handle P1000.", "user")]
    for step in range(steps):
        messages.append(said(f"Next is T10{step:02}.", "user"))
        messages += call(step, f"T10{max(step - 4, 0):02}")
    return Trace("name", task, messages)


def rows(steps: int, label: str = "need") -> Rows:
    return sample(session(steps), 0, NAMES, at_moments(label))


def test_a_session_gives_so_many_moments_at_most_however_long_it_is() -> None:
    """Each is before an assistant's turn, once units grow old; at first none has."""
    few, some, many = (np.unique(rows(steps).moment).tolist() for steps in (6, 60, 90))
    assert few == [3, 4]
    assert len(few) < len(some) == len(many)


def test_a_session_without_older_units_gives_nothing() -> None:
    found = rows(2)
    assert found.values.shape == (0, len(NAMES))
    assert (found.sessions, found.units) == (1, 5)


def test_pinned_and_recent_identifiers_are_no_rows() -> None:
    """P1000 is of the task; what a recent unit carries is in view anyway."""
    found = rows(20)
    assert found.values[:, NAMES.index("recency")].min() >= np.log1p(RECENT)
    last = found.values[found.moment == found.moment.max()]
    older = 20 - 1 - RECENT // 2
    assert len(last) < older


def test_labels_come_from_after_the_moment_alone() -> None:
    """At the last moment an action with what was said four steps before is all that follows."""
    found = rows(20)
    last = found.labels[found.moment == found.moment.max()]
    assert last.sum() == 1
    assert rows(20, "reuse").labels.sum() == 0


def test_values_are_those_of_the_history_so_far() -> None:
    """T1000 is of the second unit; before the last of 20 actions there are 40."""
    found = rows(20)
    lived = np.expm1(found.values[:, NAMES.index("lifetime")])
    oldest = [lived[found.moment == moment].max() for moment in np.unique(found.moment)]
    steps = range(20 - len(oldest), 20)
    assert all(0 < age <= 2 * step + 1e-9 for age, step in zip(oldest, steps, strict=True))
    assert oldest[-1] == pytest.approx(40 - 2)


def test_later_messages_change_no_value() -> None:
    """The same session, cut short: the moments that both have look the same."""
    long = sample(session(20), 0, NAMES, at_moments("need"))
    short = sample(session(19), 0, NAMES, at_moments("need"))
    assert short.moment.max() == long.moment.max() - 1
    for moment in np.unique(short.moment):
        one, other = (r.values[r.moment == moment] for r in (long, short))
        assert np.array_equal(np.sort(one, axis=0), np.sort(other, axis=0))


def test_all_rows_of_a_session_count_for_one() -> None:
    for steps in (6, 20):
        assert rows(steps).weight.sum() == pytest.approx(1)


def test_the_paper_takes_each_unit_once() -> None:
    found = sample(session(8), 0, ["words", "position"], once)
    assert len(found.labels) == found.units == 17
    assert len(np.unique(found.moment)) == 1


def test_sessions_keep_their_groups_and_moments_apart() -> None:
    found = collect([session(8), session(2), session(9)], [4, 5, 4], NAMES, at_moments("need"))
    assert found.sessions == 3
    assert {*found.group.tolist()} == {4}
    first, _, last = (rows(steps) for steps in (8, 2, 9))
    assert len(found.labels) == len(first.labels) + len(last.labels)
    moments = len(np.unique(first.moment)) + len(np.unique(last.moment))
    assert len(np.unique(found.moment)) == moments


def test_every_session_needs_a_group() -> None:
    with pytest.raises(ValueError, match="shorter"):
        collect([session(6), session(6)], [0], NAMES, at_moments("need"))


def test_nothing_cannot_be_put_together() -> None:
    with pytest.raises(ValueError, match="concatenate"):
        concat([])


def test_another_label_keeps_the_rows() -> None:
    need, action = rows(20), rows(20, "reuse-in-action")
    assert np.array_equal(need.values, action.values)
    assert (action.labels >= need.labels).all()
