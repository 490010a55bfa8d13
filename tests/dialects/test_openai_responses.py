"""Responses: what its items are read as, and which of them form a turn."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.responses import ResponseFunctionToolCall

from lre.dialects import parse
from lre.errors import MessageError
from lre.messages import Media, Message, Reasoning, Text, ToolCall, ToolResult


def read(*items: object) -> list[Message]:
    return parse(items, "openai-responses")[1]


def one(**item: Any) -> Message:
    [message] = read(item)
    return message


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
@pytest.mark.parametrize("kind", [{}, {"type": "message"}])
def test_messages_are_read_with_and_without_their_type(role: str, kind: dict[str, str]) -> None:
    assert one(role=role, content="Hi", **kind) == Message(role, (Text("Hi"),))  # type: ignore[arg-type]


def test_content_parts_are_text_or_priced_media() -> None:
    content = [
        {"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low"},
        {"type": "input_image", "file_id": "file_1", "detail": "auto"},
        {"type": "input_file", "file_data": "data:application/pdf;base64,AAAA"},
    ]
    assert one(role="user", content=content).parts == (
        Text("What is this?"),
        Media("image", 85),
        Media("image", 1536),
        Media("file", 5000),
    )
    said = [{"type": "output_text", "text": "A cat"}, {"type": "refusal", "refusal": "No"}]
    assert one(role="assistant", content=said).parts == (Text("A cat"), Text("No"))


@pytest.mark.parametrize(
    ("item", "call"),
    [
        (
            {"type": "function_call", "name": "ls", "arguments": "{}", "id": "fc_1"},
            ToolCall("c", "ls", "{}"),
        ),
        (
            {"type": "custom_tool_call", "name": "patch", "input": "*** Begin"},
            ToolCall("c", "patch", "*** Begin"),
        ),
        (
            {"type": "local_shell_call", "action": {"command": ["ls"]}},
            ToolCall("c", "local_shell", '{"command": ["ls"]}'),
        ),
        (
            {"type": "computer_call", "action": {"type": "click"}},
            ToolCall("c", "computer", '{"type": "click"}'),
        ),
    ],
)
def test_calls_are_named_by_their_call_id(item: dict[str, Any], call: ToolCall) -> None:
    assert one(call_id="c", **item) == Message("assistant", (call,))


def test_outputs_are_results_of_the_tool() -> None:
    done = one(type="function_call_output", call_id="c", output="done")
    assert done == Message("tool", (ToolResult("c", "done"),))
    failed = one(type="apply_patch_call_output", call_id="c", output="no", status="failed")
    assert failed.parts == (ToolResult("c", "no", is_error=True),)


def test_outputs_may_be_lists_of_parts_or_a_screenshot() -> None:
    content = [{"type": "input_text", "text": "see"}, {"type": "input_image", "file_id": "f"}]
    seen = one(type="custom_tool_call_output", call_id="c", output=content)
    assert seen.parts == (ToolResult("c", "see", media=(Media("image", 1536),)),)
    shot = {"type": "computer_screenshot", "image_url": "data:image/png;base64,AAAA"}
    screen = one(type="computer_call_output", call_id="c", output=shot)
    assert screen.parts == (ToolResult("c", "", media=(Media("image", 1536),)),)


def test_a_local_shell_answers_by_the_id_of_the_call() -> None:
    output = one(type="local_shell_call_output", id="c", output="a.py")
    assert output.parts == (ToolResult("c", "a.py"),)


def test_an_approval_answers_its_request() -> None:
    request = one(type="mcp_approval_request", id="r", name="delete", arguments="{}")
    answer = one(type="mcp_approval_response", approval_request_id="r", approve=True)
    assert request.parts == (ToolCall("r", "delete", "{}"),)
    assert answer.parts == (ToolResult("r", "true"),)


def test_calls_that_the_provider_runs_hold_their_own_result() -> None:
    search = one(type="web_search_call", id="ws", action={"query": "lre"}, status="completed")
    assert search == Message(
        "assistant",
        (ToolCall("ws", "web_search", '{"query": "lre"}'), ToolResult("ws", "")),
    )
    remote = one(type="mcp_call", id="m", name="get", arguments="{}", output=None, error="down")
    assert remote.parts == (ToolCall("m", "get", "{}"), ToolResult("m", "", is_error=True))
    drawn = one(type="image_generation_call", id="ig", result="iVBORw0KGgo" * 1000)
    assert drawn.parts[1] == ToolResult("ig", "", media=(Media("image", 1536),))


def test_reasoning_has_its_summary_and_the_size_of_what_is_sealed() -> None:
    thought = one(
        type="reasoning",
        id="rs",
        summary=[{"type": "summary_text", "text": "First"}],
        content=[{"type": "reasoning_text", "text": "6 × 7"}],
        encrypted_content="x" * 80,
    )
    assert thought == Message("assistant", (Reasoning("First\n6 × 7", 80),))
    assert one(type="reasoning", summary=[]).parts == (Reasoning("", 0),)


def test_references_and_unknown_items_are_the_assistants() -> None:
    assert one(type="item_reference", id="msg_1") == Message("assistant", ())
    assert one(id="msg_1") == Message("assistant", ())
    odd = one(type="novelty", note="hm")
    assert odd == Message("assistant", (Text('{"type": "novelty", "note": "hm"}'),))
    tools = one(type="additional_tools", role="developer", tools=[])
    assert tools.role == "developer"


def test_items_of_one_response_continue_its_turn() -> None:
    items = [
        {"role": "user", "content": "Go"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "message", "role": "assistant", "content": "Looking"},
        {"type": "function_call", "call_id": "a", "name": "ls", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "pwd", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "b", "output": "/"},
        {"type": "function_call_output", "call_id": "a", "output": "x"},
        {"type": "reasoning", "id": "rs_2", "summary": []},
        {"type": "message", "role": "assistant", "content": "Done"},
    ]
    follows = [message.continues for message in read(*items)]
    assert follows == [False, False, True, True, True, False, False, False, True]


def test_sdk_objects_are_read_like_dicts() -> None:
    item = ResponseFunctionToolCall(
        type="function_call", call_id="a", name="ls", arguments="{}", id="fc_1"
    )
    [message] = read(item)
    assert message.parts == (ToolCall("a", "ls", "{}"),)
    assert message.raw is item


def test_an_unknown_role_lists_the_roles() -> None:
    with pytest.raises(MessageError) as caught:
        read({"role": "user", "content": "Hi"}, {"role": "tool", "content": "out"})
    expected = (
        "unknown role 'tool' @ messages[1].role: use one of system, developer, user, assistant"
    )
    assert str(caught.value) == expected


def test_a_message_of_several_kinds_of_part_is_written_as_several_items() -> None:
    dialect, _ = parse([], "openai-responses")
    turn = Message("assistant", (Reasoning("hm"), Text("Looking"), ToolCall("a", "ls", "{}")))
    kinds = [item["type"] for item in dialect.render([turn])]
    assert kinds == ["reasoning", "message", "function_call"]
