"""Messages in the shapes of SDKs become entries; what a provider took stays as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lre.dialects import parse
from lre.messages import Media, Reasoning, Text, ToolCall, ToolResult
from lre.traces.shapes import apart, messages, spoken

Entry = dict[str, Any]


def parts(value: object) -> list[object]:
    found = spoken(value, "user")
    return [part for message in parse(found)[1] for part in message.parts]


AS_TAKEN = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
    {"type": "function_call_output", "call_id": "c1", "output": "a box"},
    {"role": "assistant", "type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
]


@pytest.mark.parametrize("message", AS_TAKEN)
def test_what_a_provider_took_stays_as_it_is(message: Entry) -> None:
    assert messages(message) == [message]


@pytest.mark.parametrize(
    "other", [None, 7, "Hi", [], {}, {"role": "robot", "content": ""}, {"a": 1}]
)
def test_what_is_no_message_gives_none(other: object) -> None:
    assert messages(other) is None


@pytest.mark.parametrize(
    "dumped",
    [
        {"type": "human", "content": "Hi"},
        {"type": "human", "data": {"content": "Hi"}},
        {"lc": 1, "type": "constructor", "id": ["a", "HumanMessage"], "kwargs": {"content": "Hi"}},
        {
            "lc": 1,
            "id": ["HumanMessageChunk"],
            "kwargs": {"content": [{"type": "text", "text": "Hi"}]},
        },
    ],
)
def test_langchain_messages_are_read_dumped_and_plain(dumped: Entry) -> None:
    assert messages(dumped) == [{"role": "user", "content": "Hi"}]


def test_a_langchain_reply_gives_its_calls_once_with_reasoning() -> None:
    raw = {"id": "c1", "function": {"name": "look", "arguments": '{"id": 7}'}}
    content = [
        {"type": "thinking", "thinking": "Look first.", "signature": "s=="},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "look", "input": {"id": 7}},
    ]
    reply = {"type": "ai", "content": content, "additional_kwargs": {"tool_calls": [raw]}}
    call = {"name": "look", "args": {"id": 7}, "id": "c1"}
    assert parts({"messages": [{**reply, "tool_calls": [call]}]}) == [
        Reasoning("Look first.", 3),
        Text("I look."),
        ToolCall("c1", "look", '{"id": 7}'),
    ]
    assert ToolCall("c1", "look", '{"id": 7}') in parts([reply])


def test_a_langchain_call_that_could_not_be_parsed_is_a_call() -> None:
    call = {"name": "look", "args": "{", "id": "c1", "error": "no JSON"}
    found = parts([{"type": "ai", "content": "", "invalid_tool_calls": [call]}])
    assert found == [ToolCall("c1", "look", "{")]


def test_a_batch_of_langchain_prompts_is_its_first() -> None:
    assert spoken({"messages": [[{"type": "human", "content": "Hi"}]]}, "user") == [
        {"role": "user", "content": "Hi"}
    ]


def test_an_llm_result_is_the_message_of_its_first_generation() -> None:
    message = {"lc": 1, "id": ["AIMessage"], "kwargs": {"content": "Hello!"}}
    result = {"generations": [[{"text": "Hello!", "message": message}, {"text": "Hey"}]]}
    assert spoken(result, "assistant") == [{"role": "assistant", "content": "Hello!"}]


def test_genai_messages_have_typed_parts() -> None:
    told = [
        {"role": "user", "parts": [{"type": "text", "content": "What is it?"},
                                   {"type": "blob", "mime_type": "image/png", "content": "AAAA"}]},
        {"role": "assistant", "parts": [
            {"type": "reasoning", "content": "Look first."},
            {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"id": 7}}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "a"}]},
        {"role": "user", "parts": [{"type": "tool_call_response", "id": "c2", "result": [1]}]},
    ]  # fmt: skip
    found = parts(json.dumps(told))
    assert [type(one) for one in found] == [
        Text,
        Media,
        Reasoning,
        ToolCall,
        ToolResult,
        ToolResult,
    ]
    assert found[-3:] == [
        ToolCall("c1", "look", '{"id": 7}'),
        ToolResult("c1", "a"),
        ToolResult("c2", "[1]"),
    ]


def test_genai_events_name_their_role() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    told = [
        {"event.name": "gen_ai.system.message", "content": "Be brief."},
        {"event.name": "gen_ai.user.message", "content": "Look!"},
        {"event.name": "gen_ai.assistant.message", "tool_calls": [call]},
        {"event.name": "gen_ai.tool.message", "id": "c1", "content": {"n": 1}},
        {"event.name": "gen_ai.choice", "message": {"content": "One."}, "finish_reason": "stop"},
    ]
    assert [entry["role"] for entry in spoken(told, "user")] == [
        *("system", "user", "assistant", "tool", "assistant"),
    ]
    assert parts(told)[2:] == [
        ToolCall("c1", "look", "{}"),
        ToolResult("c1", '{"n": 1}'),
        Text("One."),
    ]


def test_llamaindex_messages_have_blocks() -> None:
    image = {"block_type": "image", "url": "https://example.org/a.png", "image_mimetype": None}
    thought = {"block_type": "thinking", "content": "Look first."}
    call = {"block_type": "tool_call", "tool_call_id": "c1", "tool_name": "look", "tool_kwargs": {}}
    told = [
        {"role": "user", "blocks": [{"block_type": "text", "text": "What is it?"}, image]},
        {"role": "assistant", "blocks": [thought, call], "additional_kwargs": {}},
        {
            "role": "tool",
            "blocks": [{"block_type": "text", "text": "a box"}],
            "additional_kwargs": {"tool_call_id": "c1"},
        },
    ]
    assert parts({"messages": told}) == [
        *(Text("What is it?"), Media("image", 1536)),
        *(Reasoning("Look first."), ToolCall("c1", "look", "{}")),
        ToolResult("c1", "a box"),
    ]


def test_calls_among_additional_fields_are_calls() -> None:
    """LangChain's callbacks and LlamaIndex before 0.12 put them there."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    told = [
        {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [call]}},
        {"role": "tool", "content": "a box", "additional_kwargs": {"tool_call_id": "c1"}},
    ]
    assert parts(told) == [ToolCall("c1", "look", "{}"), ToolResult("c1", "a box")]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"output": {"type": "text", "value": "a box"}}, ToolResult("c1", "a box")),
        ({"output": {"type": "json", "value": {"n": 1}}}, ToolResult("c1", '{"n": 1}')),
        ({"output": {"type": "error-text", "value": "no"}}, ToolResult("c1", "no", True)),
        ({"result": {"n": 1}}, ToolResult("c1", '{"n": 1}')),
        ({"result": "no", "isError": True}, ToolResult("c1", "no", True)),
    ],
)
def test_ai_sdk_results_of_both_versions_are_read(output: Entry, expected: ToolResult) -> None:
    block = {"type": "tool-result", "toolCallId": "c1", "toolName": "look", **output}
    assert parts([{"role": "tool", "content": [block]}]) == [expected]


def test_ai_sdk_calls_are_read_in_messages_and_in_replies() -> None:
    call = {"toolCallId": "c1", "toolName": "look", "input": {"id": 7}}
    said = {"type": "text", "text": "I look."}
    expected = [Text("I look."), ToolCall("c1", "look", '{"id": 7}')]
    assert (
        parts([{"role": "assistant", "content": [said, {"type": "tool-call", **call}]}]) == expected
    )
    assert parts({"text": "I look.", "toolCalls": [call]}) == expected
    assert parts(json.dumps([call])) == expected[1:]


@pytest.mark.parametrize(
    "reply",
    [
        "Hello!",
        json.dumps("Hello!"),
        {"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]},
        {"role": "assistant", "content": "Hello!"},
        {"type": "message", "id": "m1", "role": "assistant", "content": "Hello!", "usage": {}},
        {"messages": [{"type": "ai", "content": "Hello!"}]},
    ],
)
def test_replies_of_many_shapes_are_one_message(reply: object) -> None:
    assert spoken(reply, "assistant") == [{"role": "assistant", "content": "Hello!"}]


def test_a_reply_of_responses_and_of_gemini_stays_in_its_dialect() -> None:
    item = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    content = {"role": "model", "parts": [{"text": "Hello!"}]}
    assert spoken({"object": "response", "output": [item]}, "assistant") == [item]
    assert spoken({"candidates": [{"content": content}]}, "assistant") == [content]


@pytest.mark.parametrize("value", [None, 7, "", [], {}, [7], {"query": 7}, [{"role": "user"}]])
def test_where_no_message_is_known_there_is_none(value: object) -> None:
    assert spoken(value, "user") == []


def test_one_unknown_message_makes_a_list_unknown() -> None:
    """A list with a hole would lie about what the model saw."""
    assert (
        spoken([{"role": "user", "content": "Hi"}, {"role": "robot", "content": ""}], "user") == []
    )


def test_system_and_tools_stand_beside_the_messages() -> None:
    given = {"system": "Be brief.", "tools": ['{"name": "look"}'], "messages": []}
    assert apart(json.dumps(given)) == {"system": "Be brief.", "tools": [{"name": "look"}]}
    assert apart("Hi", None, [1]) == {"system": None, "tools": None}


def test_nesting_without_end_gives_nothing() -> None:
    deep: object = "Hi"
    for _ in range(100):
        deep = {"input": deep}
    assert spoken(deep, "user") == []
