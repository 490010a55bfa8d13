"""What a message acts with, and what a model sees of it."""

from __future__ import annotations

import time

import pytest

from lre.messages import Media, Message, Reasoning, Text, ToolCall, ToolResult
from lre.needs import action, shown, values


def says(text: str) -> Message:
    return Message("assistant", (Text(text),))


def test_values_come_in_the_order_in_which_they_stand() -> None:
    assert values('{"b": "1st", "a": [{"x": "2nd"}, ["3rd"]], "c": "4th"}') == [
        *("1st", "2nd", "3rd", "4th")
    ]


def test_numbers_are_spelt_as_they_were_and_booleans_and_null_left_out() -> None:
    spelt = '[1200.50, 1e3, true, false, null, -7, 123456789012345678901, "true"]'
    assert values(spelt) == ["1200.50", "1e3", "-7", "123456789012345678901", "true"]


@pytest.mark.parametrize("text", ["ls -la", '{"cut": "of', "", "[" * 100_000])
def test_text_that_is_no_json_is_one_value(text: str) -> None:
    assert values(text) == [text]


def test_an_endless_number_is_a_value_like_others() -> None:
    assert values("1" * 5000) == ["1" * 5000]


def test_an_action_is_the_values_of_all_calls_in_order() -> None:
    calls = (ToolCall("a", "get_1", '{"id": "A1"}'), ToolCall("b", "get_2", '["B2", "B3"]'))
    assert action(Message("assistant", (Text("```bash\nls\n```"), *calls))) == ["A1", "B2", "B3"]


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_only_the_assistant_acts(role: str) -> None:
    parts = (ToolCall("a", "reboot", '{"id": "A1"}'), Text("```bash\nls\n```"))
    assert action(Message(role, parts)) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I look.\n```bash\nls -la\n```", ["ls -la"]),
        ("```mswea_bash_command\nls -la\npwd\n```\n\n", ["ls -la\npwd"]),
        ("I open it.\n```\nopen setup.py\n```", ["open setup.py"]),
        ("Action: search[Ada Osei", ["Ada Osei"]),
        ("Thought: so\nAction: look up\nObservation: no", ["look up"]),
        ('Action: get\nAction Input: {"id": "W1"}\nObservation: x', ["W1"]),
        ('Action:\n```json\n{"action": "get", "action_input": {"id": "W1"}}\n```', ["W1"]),
        ('Action:\n{"name": "get", "arguments": {"id": "W1"}}', ["W1"]),
        ("Action:\n```\nls src\n```", ["ls src"]),
        ("Ok.\n<execute_bash>\nls src\n</execute_bash> done", ["ls src"]),
        ("<function=bash>\n<parameter=command>ls\n</parameter>\n</function>", ["ls"]),
        ("<function=edit>\n<parameter=old_s>a\nb</parameter>\n<parameter=new>c", ["a\nb", "c"]),
        (
            '<tool_call>{"name": "f", "arguments": {"id": "W1"}}</tool_call> and '
            '<tool_call>{"name": "g", "arguments": {"id": "W2"}}</tool_call>',
            ["W1", "W2"],
        ),
    ],
)
def test_an_action_written_into_a_text(text: str, expected: list[str]) -> None:
    assert action(says(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Your order W2378156 is on its way.",
        "Here you are:\n```python\nprint(1)\n```",
        "Run this:\n```bash\nls\n```\nand tell me what you see.",
        "```bash\nls\n```\nor\n```bash\npwd\n```",
        "Do you confirm?\n**Action:** cancel order W2378156",
        "- Action: cancel",
        "It breaks off:\n```bash\nls",
    ],
)
def test_what_is_merely_said_is_no_action(text: str) -> None:
    assert action(says(text)) == []


def test_a_long_text_is_scanned_in_linear_time() -> None:
    start = time.process_time()
    for piece in ("<function=", "\nAction:", "```\n", "<parameter=", "a-", "\n "):
        action(says("Action: " + piece * 100_000))
        action(says(piece * 100_000))
    assert time.process_time() - start < 20, "two seconds, or hundreds if it were quadratic"


def test_shown_are_texts_results_reasoning_and_the_names_and_values_of_calls() -> None:
    call = ToolCall("id_1", "get_order", r'{"order": "W1", "note": "a\nb", "sure": true}')
    parts = (Reasoning("hm"), Text("so"), Media("image", 85), call, ToolResult("id_1", "found"))
    assert shown(Message("assistant", parts)) == ["hm", "so", "get_order", "W1", "a\nb", "found"]
