"""LangSmith: runs in pieces, batches, trees and lines, and bare inputs and outputs."""

from __future__ import annotations

from typing import Any

import pytest

from logged import calls, document, lines, real, results, roles, traces, unpaired
from lre import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped

Run = dict[str, Any]


def dumped(kind: str, content: object, **more: object) -> Run:
    path = ["langchain", "schema", "messages", f"{kind}Message"]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": content, **more}}


CALL = {"name": "look", "args": {"id": 7}, "id": "c1", "type": "tool_call"}
ASKED = [dumped("System", "Be brief."), dumped("Human", "What is there?")]
CALLING = dumped("AI", "I look.", tool_calls=[CALL])
RETURNED = dumped("Tool", "no box", tool_call_id="c1", status="error")
REPLY = dumped("AI", "Nothing.")


def run(run_id: str, kind: str = "llm", parent: str | None = "r0", **more: object) -> Run:
    place = {"trace_id": "r0", "parent_run_id": parent, "dotted_order": f"1Zr0.2Z{run_id}"}
    return {"id": run_id, "run_type": kind, "name": "m", "start_time": run_id, **place, **more}


def model(run_id: str, sent: list[Run], reply: Run) -> tuple[Run, Run]:
    """A run as the SDK sends it: with its inputs first, then its outputs."""
    first = run(run_id, inputs={"messages": [sent]}, outputs=None)
    result = {"generations": [[{"text": "", "message": reply}]], "type": "LLMResult"}
    return first, {"id": run_id, "trace_id": "r0", "end_time": "9", "outputs": result}


FIRST, FIRST_DONE = model("r1", ASKED, CALLING)
LAST, LAST_DONE = model("r2", [*ASKED, CALLING, RETURNED], REPLY)
ROOT = run("r0", "chain", None, inputs={"messages": [{"role": "user", "content": "Hi"}]})
RUNS = [ROOT, FIRST, FIRST_DONE, LAST, LAST_DONE]
ROLES = ["system", "user", "assistant", "tool", "assistant"]


class TestContract(ReaderContract):
    reader = "langsmith"

    def sample(self) -> bytes:
        return lines(*RUNS[3:])


def test_create_and_patch_are_one_run_and_the_last_one_is_the_session() -> None:
    (found,) = traces(lines(*RUNS))
    assert roles(found) == ROLES
    assert [one.arguments for one in calls(found)] == ['{"id": 7}']
    assert [(one.text, one.is_error) for one in results(found)] == [("no box", True)]
    assert problems(found.messages) == []


@pytest.mark.parametrize(
    "log",
    [
        document({"post": [ROOT, FIRST, LAST], "patch": [LAST_DONE, FIRST_DONE]}),
        document([ROOT, {**FIRST, **FIRST_DONE}, {**LAST, **LAST_DONE}]),
        document({"runs": [{**LAST, **LAST_DONE}]}),
        document({**ROOT, "child_runs": [{**FIRST, **FIRST_DONE}, {**LAST, **LAST_DONE}]}),
    ],
    ids=["a batch", "a list", "an answer of the API", "a tree"],
)
def test_runs_of_all_wrappings_give_the_same(log: bytes) -> None:
    assert [roles(one) for one in traces(log)] == [ROLES]


def test_the_thread_is_the_task_and_its_tools_stand_apart() -> None:
    tools = [{"type": "function", "function": {"name": "look"}}]
    extra = {"metadata": {"thread_id": "th-1"}, "invocation_params": {"tools": tools}}
    (found,) = traces(lines({**LAST, "extra": extra}, LAST_DONE))
    assert (found.task, found.tools) == ("th-1", tools)


def test_without_runs_of_models_the_state_of_a_graph_is_the_session() -> None:
    state = {"messages": [*ASKED, CALLING, RETURNED, REPLY]}
    (found,) = traces(lines({**ROOT, "outputs": state}))
    assert roles(found) == ROLES


def test_what_a_tool_returned_to_the_last_call_is_its_result() -> None:
    tool = run("r3", "tool", inputs={"input": "7"}, outputs={"output": RETURNED})
    (found,) = traces(lines(FIRST, FIRST_DONE, tool))
    assert roles(found) == ROLES[:4]
    assert [one.is_error for one in results(found)] == [True]


def test_prompts_and_texts_of_completions_are_read() -> None:
    told = run("r1", inputs={"prompts": ["Say hi."]}, outputs={"generations": [[{"text": "Hi."}]]})
    (found,) = traces(lines(told))
    assert found.messages == [
        {"role": "user", "content": "Say hi."},
        {"role": "assistant", "content": "Hi."},
    ]


def test_a_run_without_messages_and_a_record_that_is_none_are_reported() -> None:
    told: list[Skipped] = []
    (found,) = traces(lines(LAST, LAST_DONE, run("r7", inputs={"n": 1}), 7), told)
    assert roles(found) == ROLES
    assert [(one.where, one.what) for one in told] == [
        ("stream:4", "no run, input or output: skipped"),
        ("stream:3", "run r7: no messages in its inputs: skipped"),
    ]


def test_of_bare_outputs_those_in_which_both_sides_speak_are_sessions() -> None:
    one_sided = {"messages": ASKED}
    state = {"messages": [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello!"}]}
    found = traces(
        lines(state, one_sided, {"documents": []}, {"generations": [], "type": "LLMResult"})
    )
    assert [roles(one) for one in found] == [["user", "assistant"]]


@pytest.mark.parametrize(("part", "size"), [("0824", 6), ("b088", 2)])
def test_real_outputs_hold_one_conversation_each(part: str, size: int) -> None:
    """Of 74 outputs of a graph's steps only the first holds what both sides said."""
    (path,) = real("langsmith", f"{part}*")
    (found,) = traces(path.read_bytes())
    assert roles(found) == ["user", "assistant"] * (size // 2)
    assert problems(found.messages) == []
    assert unpaired(found) == 0


def test_a_list_of_messages_by_itself_is_a_session() -> None:
    plain = [{"type": "human", "data": {"content": "Hi"}}, {"type": "ai", "content": "Yes?"}]
    for log in ([*ASKED, CALLING, RETURNED, REPLY], plain):
        (found,) = traces(document(log))
        assert (found.meta["reader"], len(found.messages)) == ("langsmith", len(log))
