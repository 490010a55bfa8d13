"""Requests in HTTP logs, batch files and fine-tuning files, each under the name of its API."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.testing.readers import ReaderContract
from lre.traces import read
from reallogs import counts, logs

USER = {"role": "user", "content": "find my order, it is für Ada"}
CHAT = [
    USER,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "W12"},
]
ITEMS = [
    {"type": "message", "role": "user", "content": "find my order, it is für Ada"},
    {"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "W12"},
]
BLOCKS = [
    USER,
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "W12"}],
    },
]


def lines(*records: object) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records).encode()


def reader(*records: object) -> str:
    (name,) = {str(trace.meta["reader"]) for trace in read(io.BytesIO(lines(*records)))}
    return name


class TestChatBatch(ReaderContract):
    reader = "openai_chat"
    sessions = 2

    def sample(self) -> bytes:
        request = {"custom_id": "1", "url": "/v1/chat/completions", "body": {"messages": CHAT}}
        return lines(request, {**request, "custom_id": "2"})


class TestChatFineTuning(ReaderContract):
    reader = "openai_chat"

    def sample(self) -> bytes:
        return json.dumps({"messages": CHAT, "tools": []}, indent=1).encode()


class TestResponsesHttp(ReaderContract):
    reader = "openai_responses"

    def sample(self) -> bytes:
        request = {"url": "https://api.openai.com/v1/responses", "content": {"input": ITEMS}}
        return json.dumps({"interactions": [{"request": request, "response": {}}]}).encode()


class TestAnthropicBatch(ReaderContract):
    reader = "anthropic_messages"
    sessions = 2

    def sample(self) -> bytes:
        return lines(*({"custom_id": name, "params": {"messages": BLOCKS}} for name in "ab"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://api.openai.com/v1/chat/completions", "openai_chat"),
        ("https://x.openai.azure.com/openai/deployments/d/chat/completions?v=1", "openai_chat"),
        ("https://api.openai.com/v1/responses", "openai_responses"),
        ("https://api.anthropic.com/v1/messages?beta=true", "anthropic_messages"),
    ],
)
def test_where_a_request_went_tells_its_api(url: str, name: str) -> None:
    assert reader({"request": {"url": url, "body": {"messages": [USER]}}}) == name
    assert reader({"custom_id": "1", "url": url, "body": {"messages": [USER]}}) == name


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"model": "m", "messages": [USER]}, "openai_chat"),
        ({"model": "m", "messages": CHAT}, "openai_chat"),
        ({"model": "m", "messages": BLOCKS}, "anthropic_messages"),
        ({"model": "m", "messages": [USER], "system": "be kind"}, "anthropic_messages"),
        ({"anthropic_version": "bedrock", "messages": [USER], "model": ""}, "anthropic_messages"),
        ({"model": "m", "input": ITEMS}, "openai_responses"),
        ({"input": [USER], "instructions": "be kind"}, "openai_responses"),
    ],
)
def test_without_an_address_the_body_tells_its_api(body: dict[str, Any], name: str) -> None:
    assert reader(body) == name
    assert reader({"request": {"body": body}}) == name


@pytest.mark.parametrize(
    "other",
    [CHAT, {"messages": CHAT, "note": "mine"}, {"traj": CHAT}, {"simulations": [{"traj": CHAT}]}],
)
def test_a_list_that_is_no_request_is_just_a_list(other: object) -> None:
    assert reader(other) == "lists"


def test_the_params_of_a_batch_are_anthropics() -> None:
    assert reader({"custom_id": "1", "params": {"messages": [USER]}}) == "anthropic_messages"


def test_the_first_request_names_them_all_and_each_is_read_by_its_own_shape() -> None:
    records = [{"request": {"body": {"messages": CHAT}}}, {"request": {"body": {"input": ITEMS}}}]
    chat, responses = read(io.BytesIO(lines(*records)))
    assert (chat.messages, responses.messages) == (CHAT, ITEMS)
    assert chat.meta["reader"] == responses.meta["reader"] == "openai_chat"


def test_of_a_conversation_that_grew_only_the_last_request_is_read() -> None:
    other = [{"role": "user", "content": "something else"}]
    sent = [CHAT[:1], other, CHAT, [*CHAT, USER], other]
    found = read(io.BytesIO(lines(*({"body": {"messages": one}} for one in sent))))
    assert [trace.messages for trace in found] == [other, [*CHAT, USER], other]


def test_a_shorter_or_another_request_continues_nothing() -> None:
    sent = [CHAT, CHAT[:1], [*CHAT[1:], USER]]
    found = read(io.BytesIO(lines(*({"body": {"messages": one}} for one in sent))))
    assert [trace.messages for trace in found] == sent


def test_real_openai_logs_are_read_by_their_api() -> None:
    found = logs("formats/openai_http")
    names = [trace.meta["reader"] for trace in found]
    assert names.count("openai_responses") == 6
    assert names.count("openai_chat") == 2


def test_the_real_anthropic_log_is_read_whole() -> None:
    found = logs("formats/anthropic_http")
    assert {trace.meta["reader"] for trace in found} == {"anthropic_messages"}
    assert counts(found)["sessions"] == 50  # of 64 requests, 14 are continued by a later one
    assert counts(found)["orphans"] == 0
