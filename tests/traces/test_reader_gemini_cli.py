"""Gemini CLI chats: documents and lines, calls with their results, what was taken back."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.errors import LogError
from lre.lint import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from realdata import DATA

Line = dict[str, Any]

TIME = "2026-01-01T00:00:00Z"
HEAD = {"sessionId": "s-1", "projectHash": "abc", "startTime": TIME, "lastUpdated": TIME}


def message(name: str, kind: str, content: object, **more: object) -> Line:
    return {"id": name, "timestamp": TIME, "type": kind, "content": content, **more}


def answer(call: str, text: str) -> Line:
    return {"functionResponse": {"id": call, "name": "ls", "response": {"output": text}}}


def call(name: str, text: str, **more: object) -> Line:
    base = {"id": name, "name": "ls", "args": {"dir": name}, "result": [answer(name, text)]}
    return {**base, "status": "success", "resultDisplay": text, "timestamp": TIME, **more}


CHAT = [
    message("1", "user", "List both, für Ada."),
    message("2", "info", "An update is available."),
    message(
        "3",
        "gemini",
        "Looking.",
        thoughts=[{"subject": "Listing", "description": "Two folders.", "timestamp": TIME}],
        toolCalls=[call("c1", "a.py"), call("c2", "b.py")],
        model="gemini-3-pro",
    ),
    message("4", "gemini", "a.py and b.py", toolCalls=[]),
    message("5", "error", "[API Error: no capacity]"),
]


def document(*messages: object, **more: object) -> bytes:
    text = json.dumps({**HEAD, "messages": messages, **more}, ensure_ascii=False, indent=2)
    return text.encode()


def logged(*lines: object) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode()


def only(data: bytes) -> Trace:
    (trace,) = read(io.BytesIO(data), strict=True)
    return trace


def said(trace: Trace) -> list[str]:
    return [part["text"] for one in trace.messages for part in one["parts"] if "text" in part]


class TestDocument(ReaderContract):
    reader = "gemini_cli"

    def sample(self) -> bytes:
        return document(*CHAT)


class TestLines(ReaderContract):
    reader = "gemini_cli"

    def sample(self) -> bytes:
        return logged(HEAD, *CHAT, {"$set": {"summary": "Two files"}})


def test_a_reply_is_a_content_of_the_models_and_its_results_one_of_the_users() -> None:
    trace = only(document(*CHAT))
    assert trace.messages == [
        {"role": "user", "parts": [{"text": "List both, für Ada."}], "timestamp": TIME},
        {
            "role": "model",
            "parts": [
                {"text": "**Listing**\n\nTwo folders.", "thought": True},
                {"text": "Looking."},
                {"functionCall": {"id": "c1", "name": "ls", "args": {"dir": "c1"}}},
                {"functionCall": {"id": "c2", "name": "ls", "args": {"dir": "c2"}}},
            ],
            "timestamp": TIME,
        },
        {"role": "user", "parts": [answer("c1", "a.py"), answer("c2", "b.py")], "timestamp": TIME},
        {"role": "model", "parts": [{"text": "a.py and b.py"}], "timestamp": TIME},
    ]
    assert not problems(trace.messages, "gemini")
    assert trace.task == "s-1"


def test_lines_and_a_document_say_the_same() -> None:
    assert only(logged(HEAD, *CHAT)).messages == only(document(*CHAT)).messages


def test_parts_go_on_as_they_stand() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    trace = only(document(message("1", "user", [picture, "What is this?"])))
    assert trace.messages[0]["parts"] == [picture, {"text": "What is this?"}]
    alone = only(document(message("1", "user", {"text": "Hello"})))
    assert alone.messages[0]["parts"] == [{"text": "Hello"}]


@pytest.mark.parametrize("result", [None, []])
def test_a_call_without_a_result_stays_open(result: object) -> None:
    trace = only(
        document(CHAT[0], message("2", "gemini", "", toolCalls=[call("c1", "", result=result)]))
    )
    assert [one["role"] for one in trace.messages] == ["user", "model"]


def test_in_lines_a_message_that_comes_again_replaces_the_first() -> None:
    again = message("4", "gemini", "Both: a.py and b.py")
    assert said(only(logged(HEAD, *CHAT, again)))[-1] == "Both: a.py and b.py"


def test_in_lines_what_was_taken_back_is_left_out() -> None:
    bad = [message("6", "user", "Bad idea"), message("7", "gemini", "Done")]
    good = message("8", "user", "Good idea")
    trace = only(logged(HEAD, *CHAT, *bad, {"$rewindTo": "6"}, good))
    assert said(trace)[-2:] == ["a.py and b.py", "Good idea"]
    assert said(only(logged(HEAD, *CHAT, {"$rewindTo": "gone"}, good))) == ["Good idea"]


def test_in_lines_a_new_list_replaces_all_messages() -> None:
    summed = [message("9", "user", "Summary: two files")]
    trace = only(logged(HEAD, *CHAT, {"$set": {"messages": summed}}, message("10", "user", "On")))
    assert said(trace) == ["Summary: two files", "On"]


@pytest.mark.parametrize("bad", [None, 7, {}, message("2", "robot", "Hi"), message("2", "user", 7)])
def test_what_is_no_message_is_reported_with_its_place_and_skipped(bad: object) -> None:
    told: list[Skipped] = []
    (trace,) = read(io.BytesIO(document(CHAT[0], bad, CHAT[3])), on_problem=told.append)
    assert said(trace) == ["List both, für Ada.", "a.py and b.py"]
    assert [problem.where[:19] for problem in told] == ["stream: messages[1]"]


def test_a_chat_of_nothing_but_notices_is_no_session() -> None:
    with pytest.raises(LogError, match="no session with messages"):
        only(document(CHAT[1], CHAT[4]))


def test_real_chats_are_read_whole() -> None:
    """Prompts, replies and results as counted over the raw JSON."""
    if DATA is None or not (DATA / "formats/gemini_cli").is_dir():
        pytest.skip("formats/gemini_cli is not there: set LRE_DATA to the folder of the data")
    for path in sorted((DATA / "formats/gemini_cli").glob("*.json")):
        chat = json.loads(path.read_text(encoding="utf-8"))["messages"]
        (trace,) = read(path, strict=True)
        parts = [part for one in trace.messages for part in one["parts"]]
        calls = [one for message in chat for one in message.get("toolCalls", [])]
        assert [p["functionCall"]["id"] for p in parts if "functionCall" in p] == [
            one["id"] for one in calls
        ]
        answers = [part for one in calls for part in one["result"]]
        assert [part for part in parts if "functionResponse" in part] == answers
        texts = [m["content"] for m in chat if m["type"] in ("user", "gemini") and m["content"]]
        assert [p["text"] for p in parts if "text" in p and "thought" not in p] == texts
        thoughts = sum(len(message.get("thoughts", [])) for message in chat)
        assert sum("thought" in part for part in parts) == thoughts
        assert not problems(trace.messages)


def test_chats_that_were_joined_are_taken_apart() -> None:
    data = document(message("1", "user", "One?")) + b"\n"
    data += document(message("1", "user", "Two?"), sessionId="s-2")
    found = list(read(io.BytesIO(data), strict=True))
    assert [(one.task, said(one)) for one in found] == [("s-1", ["One?"]), ("s-2", ["Two?"])]
