"""OpenHands chat dumps: the request, and the reply that no later request repeats."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.errors import LogError
from lre.testing.readers import ReaderContract
from lre.traces import Trace, read
from reallogs import counts, logs

CALL = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": [{"type": "text", "text": "Be careful."}]},
    {"role": "user", "content": [{"type": "text", "text": "Mend it, für Ada."}]},
    {"role": "assistant", "content": "Look.", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "ls", "content": "a.py"},
]
REPLY = {"role": "assistant", "content": "It is a.py."}
DUMP: dict[str, Any] = {
    "messages": MESSAGES,
    "response": {"id": "r1", "choices": [{"index": 0, "message": REPLY}]},
    "args": [],
    "kwargs": {"tools": [{"type": "function"}]},
    "timestamp": 1733345517.9,
    "cost": 0.08,
}


def only(dump: object) -> Trace:
    (trace,) = read(io.BytesIO(json.dumps(dump).encode()), strict=True)
    return trace


class TestContract(ReaderContract):
    reader = "openhands_chat"

    def sample(self) -> bytes:
        return json.dumps(DUMP, ensure_ascii=False).encode()


def test_the_reply_is_the_last_message() -> None:
    trace = only(DUMP)
    assert trace.messages == [*MESSAGES, REPLY]
    assert trace.tools == [{"type": "function"}]
    assert trace.meta["cost"] == 0.08


@pytest.mark.parametrize("response", [None, {}, {"choices": []}, {"choices": [{"message": 7}]}])
def test_without_a_reply_the_request_is_read(response: object) -> None:
    assert only({**DUMP, "response": response}).messages == MESSAGES


def test_calls_are_read_and_not_their_rendering_as_text() -> None:
    rendered = [{"role": "user", "content": "<function=ls></function>"}]
    final = {"choices": [{"message": {**REPLY, "content": "Done."}}]}
    dump = {**DUMP, "messages": rendered, "fncall_messages": MESSAGES, "fncall_response": final}
    assert only(dump).messages == [*MESSAGES, {**REPLY, "content": "Done."}]


def test_a_list_with_a_hole_is_refused_with_its_place() -> None:
    with pytest.raises(LogError, match=r"@ stream: messages\[1\]"):
        only({**DUMP, "messages": [MESSAGES[0], 7]})


def test_real_dumps_are_read_with_their_replies() -> None:
    found = logs("formats/openhands_chat")
    assert counts(found) == {
        "sessions": 3,
        "messages": 41 + 101 + 23,
        "calls": 78 + 3,
        "results": 78,
        "failed": 0,
        "orphans": 0,
    }
