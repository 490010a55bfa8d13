"""What counts as an identifier."""

from __future__ import annotations

import pytest

from lre.messages import Message, Text, ToolCall
from lre.needs import carried, identifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W2378156", {"W2378156"}),
        ("#W2378156.", {"W2378156"}),
        ("mia_li_3668, src/app.py; a@b.org", {"mia_li_3668", "src/app.py", "a@b.org"}),
        ("camelCase HTTP Order", {"camelCase", "HTTP"}),
        ("abc A1 the order", set()),
        ("123 1200 1234 12.00 1234.5", {"1234", "1234.5"}),
        ('{"order_id": "W1234", "total_x": 7}', {"W1234"}),
        (r"{\"order_id\": \"W1234\"}", {"W1234"}),
        ("2024-05-15", {"2024-05-15"}),
        ("...----////", set()),
    ],
)
def test_identifiers_of_a_text(text: str, expected: set[str]) -> None:
    assert identifiers(text) == expected


def test_of_a_call_only_the_values_count() -> None:
    call = ToolCall(
        "call_77", "get_user_1", '{"user_id": {"deep_1": ["mia_3668", true, null, 9000]}}'
    )
    assert carried(Message("assistant", (call,))) == {"mia_3668"}


def test_arguments_that_are_no_json_are_read_as_text() -> None:
    assert carried(Message("assistant", (ToolCall("", "f", "ls /srv/app_1"),))) == {"srv/app_1"}


def test_all_parts_of_a_message_count() -> None:
    said = Message("user", (Text("A1001"), Text("B1002")))
    assert carried(said) == {"A1001", "B1002"}


def test_very_deep_arguments_do_not_break_it() -> None:
    assert carried(Message("assistant", (ToolCall("", "f", "[" * 100_000),))) == set()
