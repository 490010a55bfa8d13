"""LoCoMo: turns in order, questions with their evidence, and every known fault counted."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre import problems
from lre.dialects import parse
from lre.testing.readers import spoiled
from lre.traces import Question, Skipped, Trace, read


def turn(dia_id: str, speaker: str, text: str, **more: object) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def sample(**more: object) -> dict[str, Any]:
    """Give a conversation whose tenth session stands before its second."""
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_10_date_time": "2:10 pm on 3 May, 2023",
            "session_10": [turn("D10:1", "Ann", "I got the job.")],
            "session_2_date_time": "9:00 am on 1 May, 2023",
            "session_2": [
                turn("D2:1", "Bo", "Any news?", query="news", img_url=["https://example.org"]),
                turn("D2:2", "Ann", "Look!", blip_caption="a letter on a desk", query="letter"),
            ],
        },
        "qa": [
            {"question": "Who got a job?", "answer": "Ann", "evidence": ["D10:1"], "category": 4}
        ],
        **more,
    }


def asks(evidence: object, **more: object) -> dict[str, Any]:
    return {"question": "Who?", "answer": "Ann", "category": 1, "evidence": evidence, **more}


def traces(value: object, told: list[Skipped] | None = None) -> list[Trace]:
    problems: list[Skipped] = [] if told is None else told
    found = list(read(io.BytesIO(json.dumps(value).encode()), on_problem=problems.append))
    assert told is not None or not problems
    return found


def only(value: object) -> Trace:
    (trace,) = traces(value)
    return trace


def asked(*questions: object) -> Trace:
    return only([sample(qa=list(questions))])


def test_turns_stand_in_the_order_of_their_sessions_numbers() -> None:
    first, second = "9:00 am on 1 May, 2023", "2:10 pm on 3 May, 2023"
    letter = "Look!\n[image: a letter on a desk]"
    assert only([sample()]).messages == [
        {"role": "user", "name": "Bo", "content": "Any news?", "session": 2, "time": first},
        {"role": "user", "name": "Ann", "content": letter, "session": 2, "time": first},
        {"role": "user", "name": "Ann", "content": "I got the job.", "session": 10, "time": second},
    ]


def test_a_conversation_is_a_trace_named_by_its_sample() -> None:
    found = traces([sample(), sample(sample_id="conv-2")])
    assert [trace.task for trace in found] == ["conv-1", "conv-2"]
    assert [trace.name for trace in found] == ["stream#0", "stream#1"]
    assert found[1].meta == {"where": "stream: [1]", "reader": "locomo", "faults": {}}


def test_a_file_may_hold_one_conversation() -> None:
    trace = only(sample())
    assert trace.messages == only([sample()]).messages
    assert trace.meta["where"] == "stream"


def test_a_question_leads_to_the_turns_with_its_evidence() -> None:
    (question,) = only([sample()]).questions
    assert question == Question("Who got a job?", "Ann", "single-hop", (2,))


def test_evidence_is_ascending_whatever_its_order() -> None:
    assert asked(asks(["D10:1", "D2:1"])).questions[0].evidence == (0, 2)


@pytest.mark.parametrize("joined", ["D10:1; D2:2", "D10:1 D2:2", "D10:1,D2:2", " D10:1;;D2:2 "])
def test_joined_references_are_parted_and_counted(joined: str) -> None:
    trace = asked(asks([joined]))
    assert trace.questions[0].evidence == (1, 2)
    assert trace.meta["faults"] == {"joined evidence": 1}


def test_references_that_lead_nowhere_are_left_out_and_counted() -> None:
    trace = asked(asks(["D2:01", "D", "D2:1"]))
    assert trace.questions[0].evidence == (0,)
    assert trace.meta["faults"] == {"unresolved evidence": 2}


def test_a_turn_cited_twice_is_evidence_once() -> None:
    trace = asked(asks(["D2:1", "D2:1"]))
    assert trace.questions[0].evidence == (0,)
    assert trace.meta["faults"] == {"repeated evidence": 1}


def test_questions_that_are_left_without_evidence_are_counted() -> None:
    trace = asked(asks([]), asks(["D9:9"]), asks(["D2:1"]), {"question": "Who?", "category": 1})
    assert [question.evidence for question in trace.questions] == [(), (), (0,), ()]
    assert trace.meta["faults"] == {"questions without evidence": 3, "unresolved evidence": 1}


def test_integer_answers_become_text_and_are_counted() -> None:
    trace = asked(asks(["D2:1"], answer=2022))
    assert trace.questions[0].answer == "2022"
    assert trace.meta["faults"] == {"integer answers": 1}


def test_what_misleads_is_no_answer() -> None:
    trap = {"question": "Did Bo get the job?", "adversarial_answer": "Yes", "category": 5}
    trace = asked({**trap, "evidence": ["D10:1"]}, {**trap, "evidence": ["D10:1"], "answer": "No"})
    assert [question.answer for question in trace.questions] == ["", "No"]
    assert {question.category for question in trace.questions} == {"adversarial"}


def test_categories_have_the_names_of_the_paper() -> None:
    trace = asked(*(asks(["D2:1"], category=number) for number in range(1, 7)))
    assert [question.category for question in trace.questions] == [
        "multi-hop",
        "temporal",
        "open-domain",
        "single-hop",
        "adversarial",
        "6",
    ]


def test_empty_sessions_and_missing_dates_shift_nothing() -> None:
    node = sample()
    node["conversation"]["session_1"] = []
    node["conversation"]["session_1_date_time"] = "1 May"
    node["conversation"]["session_3"] = [turn("D3:1", "Bo", "And?")]
    node["conversation"]["session_4_date_time"] = "a date without a session"
    trace = only([node])
    assert trace.messages[2] == {
        "role": "user",
        "name": "Bo",
        "content": "And?",
        "session": 3,
        "time": "",
    }
    assert trace.questions[0].evidence == (3,)
    assert trace.meta["faults"] == {"empty sessions": 1, "sessions without a date": 1}


def test_empty_turns_stay_and_are_counted() -> None:
    node = sample()
    node["conversation"]["session_2"].insert(0, turn("D2:0", "Bo", " "))
    trace = only([node])
    assert [entry["content"] for entry in trace.messages][:2] == [" ", "Any news?"]
    assert trace.questions[0].evidence == (3,)
    assert trace.meta["faults"] == {"empty turns": 1}


def test_a_turn_that_cannot_be_read_is_reported_and_shifts_nothing() -> None:
    node = sample()
    node["conversation"]["session_2"].insert(0, {"dia_id": "D2:0", "text": "Who am I?"})
    node["conversation"]["session_7"] = "nothing"
    told: list[Skipped] = []
    (trace,) = traces([node], told)
    assert [problem.where for problem in told] == [
        "stream: [0].conversation.session_2[0]",
        "stream: [0].conversation.session_7",
    ]
    assert trace.messages[trace.questions[0].evidence[0]]["content"] == "I got the job."


def test_questions_that_cannot_be_read_are_reported_by_their_place() -> None:
    told: list[Skipped] = []
    bad = [7, {"answer": "Ann"}, asks("D2:1"), asks([3, "D2:1"]), asks(["D2:1"], answer=["Ann"])]
    (trace,) = traces([sample(qa=bad)], told)
    assert [problem.where.removeprefix("stream: [0].qa") for problem in told] == [
        "[0]",
        "[1]",
        "[2].evidence",
        "[3].evidence[0]",
        "[4].answer",
    ]
    assert [question.evidence for question in trace.questions] == [(), (0,), (0,)]


def test_no_conversation_and_one_without_a_turn_are_skipped() -> None:
    told: list[Skipped] = []
    silent = sample(conversation={"session_1": [], "session_1_date_time": "1 May"})
    found = traces([{"qa": []}, silent, sample(sample_id="conv-3")], told)
    assert [trace.task for trace in found] == ["conv-3"]
    assert [problem.where for problem in told] == ["stream: [0]", "stream: [1].conversation"]


def test_a_cut_file_gives_its_complete_conversations() -> None:
    data = json.dumps([sample(), sample(sample_id="conv-2")]).encode()
    told: list[Skipped] = []
    found = list(read(io.BytesIO(data[:-40]), on_problem=told.append))
    assert [trace.task for trace in found] == ["conv-1"]
    assert len(told) == 1


def test_ids_of_turns_reach_no_entry() -> None:
    assert "D2:1" not in json.dumps(only([sample()]).messages)


def test_entries_are_valid_messages_of_openai_chat() -> None:
    trace = only([sample()])
    name, messages = parse(trace.messages, "openai-chat")
    assert name
    assert len(messages) == 3
    assert problems(trace.messages) == []


def test_junk_in_any_place_neither_raises_nor_loses_the_other_conversation() -> None:
    for node in spoiled(sample()):
        found = traces([node, sample(sample_id="whole")], [])
        assert found[-1].task == "whole"
        for trace in found:
            size = len(trace.messages)
            assert all(0 <= i < size for one in trace.questions for i in one.evidence)
            json.dumps(trace.messages)
