"""LongMemEval: both forms give the same traces, and nothing in them tells where the gold is."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from lre.testing.readers import spoiled
from lre.traces import Question, Record, Skipped, Trace, read, readers

SESSIONS: dict[str, list[dict[str, Any]]] = {
    "answer_1": [
        {"role": "user", "content": "I moved to Oslo.", "has_answer": True},
        {"role": "assistant", "content": "Congratulations!", "has_answer": False},
    ],
    "ultrachat_2": [{"role": "user", "content": "Name a fish."}],
    "share_3": [
        {"role": "assistant", "content": "Where were we?"},
        {"role": "user", "content": ""},
        {"role": "assistant", "content": "Go on."},
    ],
}


def question(name: str, *sessions: str, **more: object) -> dict[str, Any]:
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": "Where do I live?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": "Oslo",
        "answer_session_ids": ["answer_1"],
        "haystack_session_ids": list(sessions),
        "haystack_dates": [f"2023/05/{20 + i}" for i in range(len(sessions))],
        **more,
    }


QUESTIONS = [
    question("q1", "ultrachat_2", "answer_1", "share_3"),
    question("q2_abs", "answer_1", "share_3", question_type="multi-session", answer=3),
]


def apart(*questions: Any) -> dict[str, Any]:
    return {"sessions": SESSIONS, "questions": list(questions)}


def original(*questions: Any) -> list[dict[str, Any]]:
    return [
        {**one, "haystack_sessions": [SESSIONS[name] for name in one["haystack_session_ids"]]}
        for one in questions
    ]


def traces(value: object, told: list[Skipped] | None = None) -> list[Trace]:
    problems: list[Skipped] = [] if told is None else told
    found = list(read(io.BytesIO(json.dumps(value).encode()), on_problem=problems.append))
    assert told is not None or not problems
    return found


def only(value: object) -> Trace:
    (trace,) = traces(value)
    return trace


def test_turns_stand_in_the_order_of_the_haystack_with_the_sessions_place_and_date() -> None:
    first, second, third = "2023/05/20", "2023/05/21", "2023/05/22"
    assert only(apart(QUESTIONS[0])).messages == [
        {"role": "user", "content": "Name a fish.", "session": 0, "time": first},
        {"role": "user", "content": "I moved to Oslo.", "session": 1, "time": second},
        {"role": "assistant", "content": "Congratulations!", "session": 1, "time": second},
        {"role": "assistant", "content": "Where were we?", "session": 2, "time": third},
        {"role": "user", "content": "", "session": 2, "time": third},
        {"role": "assistant", "content": "Go on.", "session": 2, "time": third},
    ]


def test_a_question_is_a_trace_with_sessions_as_units_whose_evidence_is_the_marked_turns() -> None:
    trace = only(apart(QUESTIONS[0]))
    asked = "2023/05/30 (Tue) 23:40"
    expected = Question("Where do I live?", "Oslo", "single-session-user", (1,), asked)
    assert (trace.task, trace.segmenter) == ("q1", "sessions")
    assert trace.questions == (expected,)
    assert trace.meta == {
        "where": "stream: questions[0]",
        "reader": "longmemeval",
        "abstention": False,
        "faults": {"empty turns": 1},
    }


def test_both_forms_give_equal_traces() -> None:
    def nowhere(value: object) -> list[Trace]:
        return [replace(one, meta={**one.meta, "where": ""}) for one in traces(value)]

    found = nowhere(apart(*QUESTIONS))
    assert found == nowhere(original(*QUESTIONS))
    assert [trace.task for trace in found] == ["q1", "q2_abs"]


def test_nothing_that_marks_the_evidence_reaches_an_entry() -> None:
    for value in (apart(*QUESTIONS), original(*QUESTIONS)):
        for trace in traces(value):
            assert "answer" not in json.dumps(trace.messages)


@pytest.mark.parametrize("form", [apart, original])
def test_evidence_is_the_marked_turns_of_each_session_or_all_where_none_is_marked(
    form: Callable[..., Any],
) -> None:
    gold = ["share_3", "answer_1"]
    node = question("q", "answer_1", "ultrachat_2", "share_3", answer_session_ids=gold)
    assert only(form(node)).questions[0].evidence == (0, 3, 4, 5)


@pytest.mark.parametrize("form", [apart, original])
def test_a_mark_in_a_session_that_holds_no_answer_makes_no_evidence(
    form: Callable[..., Any],
) -> None:
    node = question("q", "ultrachat_2", "answer_1", answer_session_ids=["ultrachat_2"])
    assert only(form(node)).questions[0].evidence == (0,)


@pytest.mark.parametrize("mark", [False, None, 1, "yes"])
def test_what_is_not_true_is_no_mark(mark: object) -> None:
    said = [{**turn, "has_answer": mark} for turn in SESSIONS["answer_1"]]
    (node,) = original(question("q", "answer_1"))
    assert only([{**node, "haystack_sessions": [said]}]).questions[0].evidence == (0, 1)


def test_abstention_is_told_by_the_id() -> None:
    assert [trace.meta["abstention"] for trace in traces(apart(*QUESTIONS))] == [False, True]


def test_integer_answers_become_text_and_are_counted() -> None:
    trace = only(apart(QUESTIONS[1]))
    assert trace.questions[0].answer == "3"
    assert trace.meta["faults"] == {"integer answers": 1, "empty turns": 1}


def test_evidence_that_is_not_in_the_haystack_is_counted() -> None:
    trace = only(apart(question("q", "ultrachat_2", answer_session_ids=["answer_1", "answer_9"])))
    assert trace.questions[0].evidence == ()
    assert trace.meta["faults"] == {
        "evidence sessions not in the haystack": 2,
        "questions without evidence": 1,
    }


def test_what_is_no_id_names_no_evidence() -> None:
    (node,) = original(question("q", "ultrachat_2"))
    trace = only([{**node, "haystack_session_ids": [7], "answer_session_ids": [7, [], None]}])
    assert trace.questions[0].evidence == ()
    assert trace.meta["faults"]["evidence sessions not in the haystack"] == 3


def test_a_session_that_stands_twice_is_evidence_twice_and_counted() -> None:
    trace = only(apart(question("q", "answer_1", "ultrachat_2", "answer_1")))
    assert trace.questions[0].evidence == (0, 3)
    assert [entry["session"] for entry in trace.messages] == [0, 0, 1, 2, 2]
    assert trace.meta["faults"] == {"repeated sessions": 1}


def test_empty_sessions_and_missing_dates_shift_nothing() -> None:
    (node,) = original(question("q", "ultrachat_2", "answer_1", haystack_dates=["2023/05/20"]))
    node["haystack_sessions"][0] = []
    trace = only([node])
    assert [(entry["session"], entry["time"]) for entry in trace.messages] == [(1, ""), (1, "")]
    assert trace.questions[0].evidence == (0,)
    assert trace.meta["faults"] == {"empty sessions": 1, "sessions without a date": 1}


def test_a_session_that_is_nowhere_is_reported_and_shifts_nothing() -> None:
    told: list[Skipped] = []
    (trace,) = traces(apart(question("q", "lost", "answer_1")), told)
    assert [problem.where for problem in told] == ["stream: questions[0].haystack_session_ids[0]"]
    assert trace.questions[0].evidence == (0,)
    assert {entry["session"] for entry in trace.messages} == {1}


@pytest.mark.parametrize("turn", [None, {"role": "user"}, {"role": "tool", "content": "x"}, "hi"])
def test_a_turn_that_cannot_be_read_is_reported_once_and_shifts_nothing(turn: object) -> None:
    told: list[Skipped] = []
    file = apart(*QUESTIONS) | {"sessions": {**SESSIONS, "share_3": [turn, SESSIONS["share_3"][0]]}}
    first, second = traces(file, told)
    assert [problem.where for problem in told] == ["stream: sessions.share_3[0]"]
    assert [len(first.messages), len(second.messages)] == [4, 3]
    assert first.questions[0].evidence == (1,)


def test_what_is_no_question_is_reported_and_the_rest_read() -> None:
    told: list[Skipped] = []
    silent = {**original(QUESTIONS[1])[0], "haystack_sessions": [[]], "answer": "Oslo"}
    found = traces([{"question": "Who?"}, silent, *original(QUESTIONS[0])], told)
    assert [trace.task for trace in found] == ["q1"]
    assert [problem.where for problem in told] == ["stream: [0]", "stream: [1]"]


def test_one_question_a_line_is_read() -> None:
    lines = "\n".join(json.dumps(one) for one in original(*QUESTIONS))
    found = list(read(io.BytesIO(lines.encode())))
    assert [trace.meta["where"] for trace in found] == ["stream:1", "stream:2"]
    assert found[0].messages == traces(original(*QUESTIONS))[0].messages


def test_a_cut_file_gives_its_complete_questions() -> None:
    data = json.dumps(original(*QUESTIONS)).encode()
    told: list[Skipped] = []
    found = list(read(io.BytesIO(data[:-40]), on_problem=told.append))
    assert [trace.task for trace in found] == ["q1"]
    assert len(told) == 1


def test_texts_are_those_of_the_parsed_file_and_traces_come_one_by_one() -> None:
    reader = next(one for one in readers() if one.name == "longmemeval")
    made: list[str] = []

    class Told(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            for one in super().__iter__():
                made.append(one["question_id"])
                yield one

    for file in ({**apart(), "questions": Told(QUESTIONS)}, Told(original(*QUESTIONS))):
        made.clear()
        found = reader.traces([Record(file, "f")], lambda where, what: pytest.fail(where + what))
        assert next(found).messages[1]["content"] is SESSIONS["answer_1"][0]["content"]
        assert made == ["q1"]


def test_junk_in_any_place_neither_raises_nor_loses_the_other_question() -> None:
    (whole,) = original(question("whole", "answer_1"))
    for node in spoiled(original(QUESTIONS[0])[0]):
        found = traces([node, whole], [])
        assert found[-1].task == "whole"
        for trace in found:
            size = len(trace.messages)
            assert all(0 <= i < size for one in trace.questions for i in one.evidence)


def test_junk_in_any_place_of_the_short_form_never_raises() -> None:
    reader = next(one for one in readers() if one.name == "longmemeval")
    for file in spoiled(apart(*QUESTIONS)):
        if not reader.recognises(file):
            continue
        for trace in reader.traces([Record(file, "f")], lambda _where, _what: None):
            assert len(trace.questions) == 1
            assert trace.messages
