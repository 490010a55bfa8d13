"""The JSON Lines of our own: nothing of a trace is lost on the way there and back."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from logged import lines, traces
from lre.testing.readers import ReaderContract
from lre.traces import Question, Record, Skipped, Trace
from lre.traces.own import READER, line

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
MESSAGES = [
    {"role": "user", "content": "What is there?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a box, größer"},
]
RECORD = {"format": "lre-trace", "version": 1, "task": "boxes", "messages": MESSAGES}


def back(trace: Trace) -> Trace:
    record = Record(json.loads(line(trace)), "f:1")
    (found,) = READER.traces([record], lambda *told: pytest.fail(str(told)))
    return found


class TestContract(ReaderContract):
    reader = "lre"
    sessions = 2

    def sample(self) -> bytes:
        return lines(RECORD, {**RECORD, "task": "others"})


def test_everything_of_a_trace_comes_back() -> None:
    trace = Trace(
        name="run-7.jsonl#3",
        task="fix-parser",
        messages=MESSAGES,
        system=[{"type": "text", "text": "Be brief."}],
        tools=[{"name": "look"}],
        meta={"where": "run-7.jsonl:4", "reader": "locomo", "faults": {"empty turns": 1}},
        questions=(Question("Which?", "a box", "single-hop", (0, 2), "May 3"), Question("Why?")),
        segmenter="turns",
    )
    assert back(trace) == trace


def test_what_a_trace_lacks_is_not_written() -> None:
    bare = Trace(name="a.json", task="t", messages=MESSAGES, meta={"where": "w", "reader": "r"})
    assert set(json.loads(line(bare))) == {
        *("format", "version", "name", "task", "messages", "meta"),
    }
    assert back(bare) == bare


@pytest.mark.parametrize("content", ["ä\u2028\n", "\ud800", "\x00", float("inf"), 10**30])
def test_odd_values_come_back_and_stay_on_one_line(content: object) -> None:
    odd = Trace("n", "t", [{"role": "user", "content": content}], meta={"where": "", "reader": ""})
    assert back(odd) == odd
    assert line(odd).count(b"\n") == 1


def test_a_line_by_hand_needs_only_its_messages() -> None:
    bare = {"format": "lre-trace", "version": 1, "messages": MESSAGES}
    (trace,) = traces(lines(bare))
    assert trace.task.startswith("first-words:")
    assert trace.meta == {"where": "stream", "reader": "lre"}
    assert (trace.system, trace.tools, trace.questions, trace.segmenter) == (None, None, (), "auto")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"version": 2}, "version 2 of lre-trace, and this lre reads 1: skipped"),
        ({"messages": []}, "no messages: skipped"),
        ({"messages": [7]}, "a message that is no object: skipped"),
        ({"segmenter": "words"}, "unknown segmenter 'words': skipped"),
        ({"format": "other"}, "no lre-trace: skipped"),
    ],
)
def test_a_line_that_cannot_be_used_is_reported_and_the_rest_is_read(
    change: dict[str, Any], what: str
) -> None:
    told: list[Skipped] = []
    found = traces(lines(RECORD, {**RECORD, **change}, RECORD), told)
    assert len(found) == 2
    assert [(one.where, one.what) for one in told] == [("stream:2", what)]


def test_a_question_that_is_none_is_reported_and_bad_evidence_is_left_out() -> None:
    told: list[Skipped] = []
    asked = [{"text": "Which?", "evidence": [0, 9, "1", True]}, {"question": "Which?"}]
    (trace,) = traces(lines({**RECORD, "questions": asked}), told)
    assert trace.questions == (Question("Which?", evidence=(0,)),)
    assert [one.where for one in told] == ["stream: questions[1]"]


def test_traces_of_a_converted_log_are_read_as_those_of_the_log() -> None:
    log = json.dumps([{"messages": MESSAGES}, {"messages": MESSAGES[:1]}]).encode()
    before = traces(log)
    after = traces(b"".join(map(line, before)))
    assert [(one.task, one.messages, one.meta) for one in after] == [
        (one.task, one.messages, one.meta) for one in before
    ]
    assert io.BytesIO(line(before[0])).readline().endswith(b"\n")
