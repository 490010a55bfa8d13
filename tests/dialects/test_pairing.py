"""Results find their calls: by id where it decides, by order where it does not."""

from __future__ import annotations

from lre.dialects.pairing import Pairing, pairs
from lre.messages import Message, ToolCall, ToolResult


def paired(*steps: tuple[int, str] | str) -> list[int | None]:
    """Feed calls as (message, id) and results as ids; give what each result answers."""
    pairing = Pairing()
    answers = []
    for step in steps:
        if isinstance(step, tuple):
            pairing.call(*step)
        else:
            answers.append(pairing.result(step))
    return answers


def test_parallel_results_stay_with_their_calls_in_any_order() -> None:
    assert paired((1, "a"), (1, "b"), (1, "c"), "c", "a", "b") == [1, 1, 1]


def test_an_id_beats_order() -> None:
    assert paired((1, "a"), (5, "b"), "a", "b") == [1, 5]


def test_a_repeated_id_belongs_to_the_latest_open_call() -> None:
    assert paired((1, "REDACTED"), (4, "REDACTED"), "REDACTED", "REDACTED") == [4, 1]


def test_an_interrupted_call_does_not_steal_a_later_result() -> None:
    assert paired((1, ""), (4, ""), (4, ""), "", "") == [4, 4]


def test_a_second_result_belongs_to_the_call_already_answered() -> None:
    assert paired((1, "a"), "a", (3, "b"), "a") == [1, 1]
    assert paired((1, "a"), "a", (3, "a"), "a", "a") == [1, 3, 3]


def test_a_result_without_id_answers_the_latest_open_call_of_any_id() -> None:
    assert paired((1, "a"), (3, "b"), "", "", "") == [3, 1, None]


def test_a_result_without_id_answers_the_first_open_call_of_its_message() -> None:
    pairing = Pairing()
    for call_id in ("a", "b", "a"):
        pairing.call(0, call_id)
    assert [pairing.result(""), pairing.result("b")] == [0, 0]
    assert pairing.open_calls() == [0]  # the second "a"
    assert [pairing.result("a"), pairing.open_calls()] == [0, []]


def test_an_unknown_id_falls_back_to_calls_without_id_only() -> None:
    assert paired((1, ""), (2, "b"), "nobody's") == [1]
    assert paired((2, "b"), "nobody's", "b") == [None, 2]


def test_a_result_before_its_call_is_an_orphan() -> None:
    assert paired("a", (1, "a"), "a") == [None, 1]


def test_open_calls_are_messages_that_still_wait() -> None:
    pairing = Pairing()
    for message, call_id in [(1, "a"), (1, "b"), (3, "c"), (6, "d")]:
        pairing.call(message, call_id)
    pairing.result("a")
    pairing.result("c")
    assert pairing.open_calls() == [1, 6]


def test_a_call_and_its_result_may_share_a_message() -> None:
    message = Message("assistant", (ToolCall("s", "search", "{}"), ToolResult("s", "found")))
    [(index, result, partner)] = pairs([message])
    assert (index, result.text, partner) == (0, "found", 0)
