"""Message lists are found in every shape that OpenAI's and Anthropic's users log."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.errors import LogError
from lre.traces import Question, Skipped, Trace, read
from lre.traces.walk import DEPTH

USER = {"role": "user", "content": "find my order"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "function": {"name": "find", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "W12"}
CHAT = [USER, CALL, RESULT]
ITEMS = [
    {"type": "message", "role": "user", "content": "go"},
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    {"type": "custom_tool_call", "call_id": "c2", "name": "g", "input": "free text"},
    {"type": "function_call_output", "call_id": "c1", "output": "1"},
]


def traces(
    *lines: object, problems: list[Skipped] | None = None, strict: bool = False
) -> list[Trace]:
    data = "\n".join(json.dumps(line) for line in lines).encode()
    told = problems if problems is not None else []
    found = list(read(io.BytesIO(data), on_problem=told.append, strict=strict))
    assert problems is not None or not told
    return found


def only(*lines: object) -> Trace:
    (trace,) = traces(*lines)
    return trace


def place(trace: Trace) -> str:
    return str(trace.meta["where"])


def test_a_bare_list_is_a_session() -> None:
    assert only(CHAT).messages == CHAT
    assert only(ITEMS).messages == ITEMS


def test_one_message_a_line_is_one_session() -> None:
    assert only(*CHAT).messages == CHAT
    assert only(*ITEMS).messages == ITEMS


def test_one_list_a_line_is_one_session_a_line() -> None:
    assert [trace.messages for trace in traces(CHAT, ITEMS)] == [CHAT, ITEMS]


def test_fine_tuning_lines_are_sessions_with_their_tools() -> None:
    first, second = traces(
        {"messages": CHAT, "tools": [{"type": "function"}]}, {"messages": [USER]}
    )
    assert (first.messages, first.tools) == (CHAT, [{"type": "function"}])
    assert (second.messages, second.tools, second.system) == ([USER], None, None)


def test_tau_bench_groups_by_task() -> None:
    runs = [{"task_id": 0, "traj": CHAT, "reward": 1.0}, {"task_id": 7, "traj": [USER], "trial": 2}]
    first, second = traces(runs)
    assert (first.task, first.meta["reward"], place(first)) == ("0", 1.0, "stream: [0].traj")
    assert (second.task, second.meta["trial"]) == ("7", 2)


@pytest.mark.parametrize(
    "head", [{"domain": "retail"}, {"info": {"environment_info": {"domain_name": "retail"}}}]
)
def test_tau2_groups_by_task_whether_the_domain_is_told_or_not(head: dict[str, Any]) -> None:
    runs = [{"task_id": "3", "messages": CHAT}, {"task_id": "4", "messages": [USER]}]
    first, second = traces({**head, "tasks": [{"id": "3"}], "simulations": runs})
    assert (first.task, second.task) == ("3", "4")
    assert first.meta["domain"] == "retail"
    assert place(second) == "stream: simulations[1].messages"


def test_a_bare_list_of_tau2_simulations_groups_by_task() -> None:
    assert only([{"id": "x", "task_id": "3", "messages": CHAT}]).task == "3"


def test_mini_swe_agent_groups_by_instance_and_drops_the_exit() -> None:
    end = {"role": "exit", "content": "diff"}
    trace = only({"messages": [USER, end, CALL, RESULT, end], "instance_id": "a__b-1", "info": {}})
    assert trace.messages == CHAT
    assert trace.task == "a__b-1"
    assert only([*CHAT, end]).messages == CHAT


def test_openai_http_logs_give_their_requests() -> None:
    chat = {"request": {"content": {"messages": CHAT, "model": "m"}}, "response": {"content": {}}}
    responses = {"request": {"content": {"input": ITEMS, "instructions": "be brief", "tools": [1]}}}
    first, second = traces({"interactions": [chat, responses]})
    assert (first.messages, first.meta["model"]) == (CHAT, "m")
    assert (second.messages, second.system, second.tools) == (ITEMS, "be brief", [1])
    assert place(second) == "stream: interactions[1].request.content.input"


def test_anthropic_http_logs_give_messages_system_and_tools() -> None:
    body = {"messages": [USER], "system": [{"type": "text", "text": "s"}], "tools": [{"name": "f"}]}
    record = {"request": {"body": body}, "response": {"body": {"role": "assistant", "content": []}}}
    first, second = traces(record, record)
    assert first.messages == [USER]
    assert (second.system, second.tools) == (body["system"], body["tools"])


def test_batch_files_give_their_requests() -> None:
    openai = {"custom_id": "1", "url": "/v1/chat/completions", "body": {"messages": CHAT}}
    anthropic = {"custom_id": "2", "params": {"messages": [USER]}}
    assert [len(trace.messages) for trace in traces(openai, anthropic)] == [3, 1]


def test_the_reply_in_a_response_is_left_out() -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": "hello"}}], "messages": CHAT}
    assert only({"request": {"body": {"messages": [USER]}}, "response": reply}).messages == [USER]


@pytest.mark.parametrize("nothing", [{"input": "hi"}, {"messages": []}, {"messages": None}])
def test_a_record_without_history_gives_no_trace_and_no_report(nothing: dict[str, Any]) -> None:
    assert only(nothing, {"messages": CHAT}, nothing).messages == CHAT
    assert only({"simulations": [nothing, {"messages": CHAT}]}).messages == CHAT
    with pytest.raises(LogError, match="no session with messages"):
        traces(nothing)


def test_an_empty_list_does_not_hide_a_filled_one() -> None:
    assert only({"messages": [], "traj": CHAT}).messages == CHAT
    assert only({"input": None, "body": {"messages": CHAT}}).messages == CHAT


@pytest.mark.parametrize("garbage", [{"text": "no role"}, {"role": 7}, 5, None, "text", [USER]])
def test_a_list_with_garbage_is_reported_with_its_place_and_skipped(garbage: object) -> None:
    bad = {"messages": [USER, CALL, garbage]}
    problems: list[Skipped] = []
    (trace,) = traces({"simulations": [bad, {"messages": CHAT}]}, problems=problems)
    assert trace.messages == CHAT
    assert [problem.where for problem in problems] == ["stream: simulations[0].messages[2]"]
    with pytest.raises(LogError, match=r"@ stream: simulations\[0\].messages\[2\]"):
        traces({"simulations": [bad, {"messages": CHAT}]}, strict=True)


def test_garbage_in_a_bare_list_has_a_place_too() -> None:
    problems: list[Skipped] = []
    assert len(traces([USER], [USER, 3], problems=problems)) == 1
    assert problems[0].where == "stream:2: [1]"


def test_a_bad_line_among_message_lines_is_skipped_alone() -> None:
    problems: list[Skipped] = []
    (trace,) = traces(USER, {"summary": "x"}, CALL, RESULT, problems=problems)
    assert trace.messages == CHAT
    assert [problem.where for problem in problems] == ["stream:2"]


def test_a_record_without_messages_is_reported() -> None:
    problems: list[Skipped] = []
    requests = [{"request": {"method": "GET"}}, {"request": {"body": {"messages": CHAT}}}]
    assert len(traces({"interactions": requests}, {"x": 1}, problems=problems)) == 1
    assert [problem.where for problem in problems] == ["stream:1: interactions[0]", "stream:2"]


@pytest.mark.parametrize(
    "foreign",
    [
        {"name": "package", "dependencies": {"a": "1"}, "content": ["x"]},
        [{"name": "Ada", "role": "admin", "id": 1}],
        {"messages": [{"type": "user", "content": "a chat of another tool"}]},
        {"type": "user", "message": USER},
        ["a", "b"],
        12,
    ],
)
def test_json_that_is_no_log_is_refused(foreign: object) -> None:
    with pytest.raises(LogError, match="no known log format @ stream: give one of the formats"):
        traces(foreign)


def test_the_walk_ends_at_its_depth() -> None:
    def wrapped(levels: int) -> dict[str, Any]:
        return {"body": wrapped(levels - 1)} if levels else {"messages": CHAT}

    assert only(wrapped(DEPTH)).messages == CHAT
    with pytest.raises(LogError):
        traces(wrapped(DEPTH + 1))


def test_without_an_id_sessions_group_by_their_first_user_message() -> None:
    system = {"role": "system", "content": "s"}
    blocks = {"role": "user", "content": [{"type": "text", "text": "find my order"}]}
    same = [only([USER]), only([system, USER, CALL, RESULT]), only([blocks])]
    other = only([{"role": "user", "content": "\ud800 something else"}, USER])
    assert len({trace.task for trace in same}) == 1
    assert other.task != same[0].task


def test_plain_siblings_go_to_meta_and_the_system_prompt_does_not() -> None:
    trace = only({"messages": [USER], "agent": "m", "system": "s", "trial": 1, "info": {"x": 1}})
    assert trace.meta == {"agent": "m", "trial": 1, "where": "stream: messages", "reader": "lists"}
    assert trace.system == "s"


def test_questions_beside_the_messages_are_read_and_bad_ones_left_out() -> None:
    said = [{"role": "user", "content": "I moved to Oslo."}, {"role": "user", "content": "Bye."}]
    asked = [
        {"question": "Where do I live?", "answer": "Oslo", "evidence": [0, 7, True, "1"]},
        {"question": "Why?", "answer": 3, "evidence": "0"},
        {"answer": "no question"},
        None,
    ]
    (trace,) = read(io.BytesIO(json.dumps({"messages": said, "questions": asked}).encode()))
    assert trace.questions == (
        Question("Where do I live?", "Oslo", evidence=(0,)),
        Question("Why?"),
    )
