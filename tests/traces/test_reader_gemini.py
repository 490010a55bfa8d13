"""Gemini contents: lists, requests in lines and logs, checkpoints; keys of the wire and the SDK."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.lint import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read

Json = dict[str, Any]


def said(role: str, text: str) -> Json:
    return {"role": role, "parts": [{"text": text}]}


ASKED = said("user", "List both, für Ada.")
CALLED = {
    "role": "model",
    "parts": [
        {"text": "Two folders.", "thought": True},
        {"functionCall": {"name": "ls", "args": {"dir": "a"}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"name": "ls", "args": {"dir": "b"}}},
    ],
}
GIVEN = {
    "role": "user",
    "parts": [
        {"functionResponse": {"name": "ls", "response": {"output": "a.py"}}},
        {"functionResponse": {"name": "ls", "response": {"output": "b.py"}}},
    ],
}
CHAT = [ASKED, CALLED, GIVEN, said("model", "a.py and b.py")]
SYSTEM = {"parts": [{"text": "Be brief."}]}
TOOLS = [{"functionDeclarations": [{"name": "ls"}]}]


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def lines(*values: object) -> bytes:
    return b"".join(dumped(value) + b"\n" for value in values)


def traces(data: bytes) -> list[Trace]:
    return list(read(io.BytesIO(data), strict=True))


class TestList(ReaderContract):
    reader = "gemini"

    def sample(self) -> bytes:
        return dumped(CHAT)


class TestRequestsByLine(ReaderContract):
    reader = "gemini"
    sessions = 2

    def sample(self) -> bytes:
        batch = {"key": "1", "request": {"contents": CHAT, "tools": TOOLS}}
        return lines({"systemInstruction": SYSTEM, "contents": CHAT}, batch)


class TestContentsByLine(ReaderContract):
    reader = "gemini"

    def sample(self) -> bytes:
        return lines(*CHAT)


def test_contents_are_handed_on_as_they_stand() -> None:
    (trace,) = traces(dumped(CHAT))
    assert trace.messages == CHAT
    assert not problems(trace.messages, "gemini")


def test_a_request_has_its_system_instruction_and_tools() -> None:
    request = {"systemInstruction": SYSTEM, "contents": CHAT, "tools": TOOLS, "model": "gemini-3"}
    (trace,) = traces(dumped(request))
    assert (trace.system, trace.tools, trace.meta["model"]) == (SYSTEM, TOOLS, "gemini-3")
    assert trace.meta["where"] == "stream: contents"
    (snake,) = traces(dumped({"system_instruction": SYSTEM, "contents": CHAT}))
    assert snake.system == SYSTEM


def test_keys_as_the_sdk_writes_them_are_read_too() -> None:
    call = {"function_call": {"name": "ls", "args": {}}, "thought_signature": "c2ln"}
    given = {"function_response": {"name": "ls", "response": {"result": "a.py"}}}
    chat = [ASKED, {"role": "model", "parts": [call]}, {"role": "user", "parts": [given]}]
    (trace,) = traces(dumped({"contents": chat}))
    assert trace.messages == chat
    assert not problems(chat)


@pytest.mark.parametrize(
    "log",
    [
        {"key": "1", "request": {"contents": CHAT}},
        {"request": {"url": "https://example.org", "body": {"contents": CHAT}}},
        {"interactions": [{"request": {"content": {"contents": CHAT}}}]},
        {"history": CHAT, "authType": "oauth-personal"},
        [{"contents": CHAT}],
    ],
)
def test_contents_are_found_in_batch_files_http_logs_and_checkpoints(log: object) -> None:
    assert [trace.messages for trace in traces(dumped(log))] == [CHAT]


@pytest.mark.parametrize("wrap", [lambda reply: reply, lambda reply: {"body": reply}])
def test_the_reply_ends_the_session(wrap: Any) -> None:
    reply = {"candidates": [{"content": said("model", "Hi"), "finishReason": "STOP"}]}
    (trace,) = traces(dumped({"request": {"contents": [ASKED]}, "response": wrap(reply)}))
    assert trace.messages == [ASKED, said("model", "Hi")]


@pytest.mark.parametrize("nothing", [None, 7, {}, {"candidates": []}, {"candidates": [{}]}])
def test_a_response_without_a_reply_adds_nothing(nothing: object) -> None:
    (trace,) = traces(dumped({"request": {"contents": [ASKED]}, "response": nothing}))
    assert trace.messages == [ASKED]


def test_requests_of_one_growing_conversation_are_one_task() -> None:
    first, second = traces(lines({"contents": CHAT[:1]}, {"contents": CHAT}))
    (other,) = traces(dumped([said("user", "Something else")]))
    assert first.task == second.task != other.task


@pytest.mark.parametrize("bad", [None, 7, "Hi", said("robot", "Hi"), {"role": "user", "parts": 7}])
def test_what_is_no_content_is_reported_with_its_path_and_skipped(bad: object) -> None:
    told: list[Skipped] = []
    log = dumped({"contents": [ASKED, bad, CHAT[3]]})
    (trace,) = read(io.BytesIO(log), on_problem=told.append)
    assert trace.messages == [ASKED, CHAT[3]]
    assert [problem.where[:19] for problem in told] == ["stream: contents[1]"]


def test_a_line_without_contents_is_reported() -> None:
    told: list[Skipped] = []
    log = lines({"contents": CHAT}, {"usage": 7})
    assert len(list(read(io.BytesIO(log), on_problem=told.append))) == 1
    assert [problem.where for problem in told] == ["stream:2"]


@pytest.mark.parametrize(
    "foreign",
    [
        {"role": "user", "parts": [{"type": "text", "text": "Vercel"}]},
        {"role": "user", "parts": [{"kind": "text", "text": "A2A"}]},
        {"role": "assistant", "parts": [{"text": "another role"}]},
        {"role": "user", "parts": []},
        {"role": "user", "content": "Chat Completions"},
    ],
)
def test_messages_of_others_are_not_taken_for_contents(foreign: Json) -> None:
    from lre.traces.gemini import READER

    assert not READER.recognises(foreign)
    assert not READER.recognises({"contents": [foreign]})
