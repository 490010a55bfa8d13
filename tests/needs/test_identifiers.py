"""What counts as an identifier, and when one is in view."""

from __future__ import annotations

import pytest

from lre.messages import Message, Text, ToolCall
from lre.needs import carried, identifiers, tokens
from lre.needs.identifiers import marked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W2378156", {"W2378156"}),
        ("#W2378156.", {"W2378156"}),
        ("mia_li_3668, src/app.py; a@b.org", {"mia_li_3668", "src/app.py", "a@b.org"}),
        ("camelCase HTTP Order", {"camelCase", "HTTP"}),
        ("abc A1 the order", set()),
        ('{"order_id": "W1234", "total_x": 7}', {"W1234"}),
        (r"{\"order_id\": \"W1234\"}", {"W1234"}),
        ("2024-05-15", {"2024-05-15"}),
        ("...----////", set()),
    ],
)
def test_identifiers_of_a_text(text: str, expected: set[str]) -> None:
    assert identifiers(text) == expected


@pytest.mark.parametrize("number", ["999", "12.00", "123.45", "1200", "1200.00", "0.5", "-5000"])
def test_numbers_under_four_digits_or_divisible_by_a_hundred_are_none(number: str) -> None:
    assert identifiers(number) == set()


@pytest.mark.parametrize("number", ["1234", "1234.5", "1234.00", "1200.50", "100200300.75"])
def test_other_numbers_are(number: str) -> None:
    assert identifiers(number) == {number}


def test_an_identifier_is_in_view_where_its_token_is_whatever_marks_surround_it() -> None:
    shown = tokens("open ./src/app.py. Keys: {'order_id': '#W1234567'} or https://a.org/x1/")
    assert {"src/app.py", "order_id", "W1234567", "a.org/x1"} <= shown


def test_a_part_of_a_longer_token_is_not_in_view() -> None:
    assert "W1234" not in tokens("W12345 xW1234 W1234_b W1234/c")


def test_plain_words_are_tokens_from_four_letters_on() -> None:
    assert tokens("the order is late") == {"order", "late"}


def test_marked_tokens_say_where_they_stand() -> None:
    text = "see (src/app.py.) or W1234567"
    found = [(token, text[start:end]) for token, start, end in marked(text)]
    assert found == [("src/app.py", "src/app.py."), ("W1234567", "W1234567")]


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
