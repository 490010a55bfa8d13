"""The scripted providers refuse what the real ones refuse, in their words."""

from __future__ import annotations

from typing import Any

import pytest
from provider.anthropic import Messages
from provider.responses import Responses
from provider.story import story

USER: Any = {"role": "user", "content": "Go."}
CALL: Any = {"type": "function_call", "call_id": "c1", "name": "lookup", "arguments": "{}"}
OUTPUT: Any = {"type": "function_call_output", "call_id": "c1", "output": "found"}
THOUGHT: Any = {"type": "reasoning", "id": "rs_3", "summary": [], "encrypted_content": "gAAAA"}

RESPONSES = [
    ([], "Invalid 'input': empty array. Expected an array with minimum length 1."),
    ([USER, CALL], "No tool output found for function call c1."),
    ([USER, OUTPUT], "No tool call found for function call output with call_id c1."),
    ([USER, OUTPUT, CALL], "No tool call found for function call output with call_id c1."),
    (
        [USER, THOUGHT, USER],
        "Item 'rs_3' of type 'reasoning' was provided without its required following item.",
    ),
    (
        [USER, {**CALL, "id": "fc_3_0"}, OUTPUT],
        "Item 'fc_3_0' of type 'function_call' was provided without its required 'reasoning' "
        "item: 'rs_3'.",
    ),
    ([USER, THOUGHT, THOUGHT, CALL, OUTPUT], "Duplicate item found with id rs_3."),
    (
        [{"role": "assistant", "content": [{"type": "input_text", "text": "Hi"}]}],
        "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    ),
]


@pytest.mark.parametrize(("items", "words"), RESPONSES)
def test_responses_refuses(items: list[Any], words: str) -> None:
    assert Responses().refuses({"input": items}).startswith(words)


def test_responses_takes_what_it_gave() -> None:
    reply = story("run", 1, 32)
    given = Responses().reply(reply, {})["output"]
    calls = [call.id for call in reply.calls]
    outputs = [{**OUTPUT, "call_id": call} for call in calls]
    assert len(calls) == 2
    assert Responses().refuses({"input": [USER, *given, *reversed(outputs)]}) == ""


USE: Any = {"type": "tool_use", "id": "t1", "name": "lookup", "input": {}}
RESULT: Any = {"type": "tool_result", "tool_use_id": "t1", "content": "found"}
ASKED: Any = {"role": "assistant", "content": [USE]}
ANSWERED: Any = {"role": "user", "content": [RESULT]}
SIGNED: Any = {"type": "thinking", "thinking": "Hm.", "signature": "another's"}

MESSAGES = [
    ([], "messages: at least one message is required"),
    ([ASKED, ANSWERED], 'messages: first message must use the "user" role'),
    ([USER, ASKED], "messages.1: `tool_use` ids were found without `tool_result` blocks"),
    ([USER, ASKED, USER], "messages.1: `tool_use` ids were found without `tool_result` blocks"),
    (
        [USER, ASKED, {"role": "user", "content": [{"type": "text", "text": "?"}, RESULT]}],
        "messages.1: `tool_use` ids were found without `tool_result` blocks",
    ),
    ([USER, ANSWERED], "messages.0.content.0: unexpected `tool_use_id` found"),
    (
        [USER, ASKED, {"role": "user", "content": [RESULT, RESULT]}],
        "messages.2: each tool_use must have a single result",
    ),
    ([{"role": "user", "content": ""}], "messages.0: all messages must have non-empty content"),
    ([{"role": "user", "content": " "}], "messages: text content blocks must contain non-white"),
    (
        [USER, {"role": "assistant", "content": [SIGNED, USE]}, ANSWERED],
        "messages.1.content.0: Invalid `signature` in `thinking` block",
    ),
    ([{"role": "system", "content": "Hi"}], "messages: first message must use"),
]


@pytest.mark.parametrize(("messages", "words"), MESSAGES)
def test_messages_refuses(messages: list[Any], words: str) -> None:
    assert Messages().refuses({"messages": messages}).startswith(words)


def test_messages_takes_what_it_gave() -> None:
    reply = story("run", 1, 32)
    given = {"role": "assistant", "content": Messages().reply(reply, {})["content"]}
    results = [{**RESULT, "tool_use_id": call.id} for call in reply.calls]
    assert len(results) == 2
    assert given["content"][0]["type"] == "thinking"
    messages = [USER, given, {"role": "user", "content": results}]
    assert Messages().refuses({"messages": messages}) == ""
