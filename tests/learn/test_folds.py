"""What belongs together shares a group, and no group is in two folds."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.errors import MessageError, MissingExtraError, TrainingError
from lre.learn import folds as module
from lre.learn.folds import folds, groups
from lre.traces import Trace

Entry = dict[str, Any]


def says(text: str, role: str = "user") -> Entry:
    return {"role": role, "content": text * 60}


def call(name: str, arguments: str, call_id: str = "c1") -> Entry:
    function = {"name": name, "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def grouped(*sessions: list[Entry]) -> list[int]:
    """Group sessions that are each of a task of their own."""
    return groups(Trace("", f"task {i}", session) for i, session in enumerate(sessions))


A, B, C, D = (says(f"{letter}bcd ") for letter in "abcd")


def test_sessions_of_one_task_share_a_group_and_groups_are_numbered_as_they_appear() -> None:
    tasks = ["x", "y", "x", "z", "y"]
    traces = [Trace("", task, [says(f"{i} said ")]) for i, task in enumerate(tasks)]
    assert groups(traces) == [0, 1, 0, 2, 1]


def test_growing_prefixes_of_one_conversation_share_a_group() -> None:
    assert grouped([A], [A, B, C], [D], [A, B]) == [0, 0, 1, 0]


def test_a_session_belongs_to_one_that_holds_its_messages_in_order_with_others_between() -> None:
    assert grouped([A, C], [A, B, C, D]) == [0, 0]
    assert grouped([C, A], [A, B, C, D]) == [0, 1]
    assert grouped([A, A], [A, B, C, D]) == [0, 1]
    assert grouped([A, B, D], [A, B, C]) == [0, 1]


def test_what_belongs_to_one_session_belongs_together() -> None:
    assert grouped([A, B], [C, D], [A, B, C, D]) == [0, 0, 0]
    traces = [Trace("", "x", [A, B]), Trace("", "x", [C, D]), Trace("", "y", [C, D, A])]
    assert groups(traces) == [0, 0, 0]


def test_system_messages_do_not_count() -> None:
    system = says("Be brief. ", "system")
    assert grouped([system, A, B], [says("Be long. ", "system"), A, B, C]) == [0, 0]
    assert grouped([system, A], [system, B]) == [0, 1]


def test_ids_and_whatever_lies_beside_the_content_do_not_count() -> None:
    one = [A, call("ls", '{"path": "src"}', "c1"), {**B, "timestamp": 1}]
    two = [A, call("ls", '{"path": "src"}', "c9"), {**B, "timestamp": 2, "name": "Ada"}, C]
    assert grouped(one, two) == [0, 0]


def test_roles_and_the_names_and_arguments_of_calls_count() -> None:
    assert grouped([A, says("so ", "assistant")], [A, says("so "), B]) == [0, 1]
    assert grouped([A, call("ls", '{"path": "src"}')], [A, call("ls", "{}"), B]) == [0, 1]
    assert grouped([A, call("ls", "{}")], [A, call("rm", "{}"), B]) == [0, 1]


def test_a_greeting_ties_nothing() -> None:
    hello = {"role": "assistant", "content": "Hi! How can I help you today?"}
    start = [hello, {"role": "user", "content": "Hi, I want to cancel my flight, please."}]
    assert grouped(start, [*start, A], [*start, B]) == [0, 1, 2]


def test_sessions_without_messages_are_apart() -> None:
    assert grouped([], [], [A]) == [0, 1, 2]


def test_a_session_that_cannot_be_read_is_named() -> None:
    with pytest.raises(MessageError, match=r"messages\[1\]"):
        grouped([A, {"role": "nobody", "content": "x"}])


@given(st.lists(st.lists(st.sampled_from([A, B, C, D]), max_size=5), max_size=8))
def test_groups_are_those_of_comparing_all_pairs(sessions: list[list[Entry]]) -> None:
    group = list(range(len(sessions)))
    for i, one in enumerate(sessions):
        for j, other in enumerate(sessions):
            rest = iter(other)
            if one and all(entry in rest for entry in one):
                group = [group[i] if g == group[j] else g for g in group]
    numbers: dict[int, int] = {}
    assert grouped(*sessions) == [numbers.setdefault(g, len(numbers)) for g in group]


def test_a_conversation_logged_request_by_request_takes_one_look_for_each_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = [says(f"{i} said ") for i in range(100)]
    looks = []
    contains = module._contains

    def counted(longer: list[int], shorter: list[int]) -> bool:
        looks.append(len(longer))
        return contains(longer, shorter)

    monkeypatch.setattr(module, "_contains", counted)
    assert set(grouped(*(said[: i + 1] for i in range(100)))) == {0}
    assert len(looks) == 99


def test_no_group_is_in_two_folds_and_every_session_is_tested_once() -> None:
    group = np.array([0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7])
    split = folds(group.tolist(), k=3)
    assert sorted(np.concatenate([test for _, test in split]).tolist()) == list(range(12))
    for train, test in split:
        assert set(group[train]).isdisjoint(group[test])
        assert sorted([*train, *test]) == list(range(12))
        assert len(test) == 4


def test_there_are_no_more_folds_than_groups() -> None:
    assert len(folds([0, 1, 1])) == 2


@pytest.mark.parametrize("group", [[], [0], [3, 3, 3]])
def test_one_group_cannot_be_split(group: list[int]) -> None:
    with pytest.raises(TrainingError, match="all sessions belong to one task"):
        folds(group)


def test_scikit_learn_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.model_selection", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'lre\[train\]'"):
        folds([0, 1])
