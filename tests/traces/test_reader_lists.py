"""The reader `lists` keeps the contract of all readers, for a document and for lines."""

from __future__ import annotations

import json

from lre.testing.readers import ReaderContract

CHAT = [
    {"role": "user", "content": "find my order, it is für Ada"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "W12"},
    {"role": "assistant", "content": "It is W12."},
]


class TestDocument(ReaderContract):
    reader = "lists"

    def sample(self) -> bytes:
        return json.dumps({"messages": CHAT, "note": "mine"}, indent=1).encode()


class TestList(ReaderContract):
    reader = "lists"

    def sample(self) -> bytes:
        return json.dumps(CHAT).encode()


class TestSessionsByLine(ReaderContract):
    reader = "lists"
    sessions = 2

    def sample(self) -> bytes:
        lines = [{"messages": CHAT, "task_id": number} for number in (1, 2)]
        return "".join(json.dumps(line) + "\n" for line in lines).encode()


class TestMessagesByLine(ReaderContract):
    reader = "lists"

    def sample(self) -> bytes:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in CHAT).encode()
