"""JSON and JSON Lines are told by content; what is broken is reported, the rest is read."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import pytest

from lre.errors import LogError
from lre.traces import Record, Skipped, read
from lre.traces.files import records

SESSION = {"messages": [{"role": "user", "content": "hi"}]}
LINE = json.dumps(SESSION)


def values(text: str) -> tuple[list[tuple[str, Any]], list[tuple[str, str]]]:
    """Give the records and the problems of a text, as pairs of place and what."""
    problems: list[tuple[str, str]] = []
    found = records(
        io.BytesIO(text.encode()), "f", lambda where, what: problems.append((where, what))
    )
    return [(record.where, record.value) for record in found], problems


def test_a_document_on_one_line_or_on_many_is_one_record() -> None:
    document = {"a": [1, {"b": 2}], "c": "x"}
    for indent in (None, 0, 2):
        assert values(json.dumps(document, indent=indent)) == ([("f", document)], [])


def test_each_line_of_json_lines_is_a_record_with_its_line_number() -> None:
    assert values('{"a": 1}\n\n  \n{"a": 2}') == ([("f:1", {"a": 1}), ("f:4", {"a": 2})], [])


def test_several_objects_on_one_line_are_several_records() -> None:
    found, problems = values('{"a": 1}{"a": 2} {"a": 3}\n{"a": 4}\n')
    assert [value["a"] for _, value in found] == [1, 2, 3, 4]
    assert [where for where, _ in found] == ["f:1", "f:1", "f:1", "f:2"]
    assert not problems


def test_indented_documents_may_follow_one_another() -> None:
    text = json.dumps({"a": 1}, indent=1) + "\n" + json.dumps({"a": 2}, indent=1)
    assert values(text) == ([("f:1", {"a": 1}), ("f:4", {"a": 2})], [])


@pytest.mark.parametrize(
    "broken", ["{", '{"a": 1,', '{"a": "cut', "{'a': 1}", "oops", '{"a": [', "[", '{"a": 1e}', "}"]
)
@pytest.mark.parametrize("line", [1, 2, 3])
def test_a_broken_line_is_reported_by_its_number_and_skipped(broken: str, line: int) -> None:
    lines = ['{"n": 1}', '{"n": 2}']
    lines.insert(line - 1, broken)
    found, problems = values("\n".join(lines) + "\n")
    assert [value for _, value in found] == [{"n": 1}, {"n": 2}]
    assert [where for where, _ in problems] == [f"f:{line}"]


def test_what_stands_before_a_fault_on_the_same_line_is_kept() -> None:
    found, problems = values('{"a": 1} {"a": 2} oops\n{"a": 3}')
    assert [value["a"] for _, value in found] == [1, 2, 3]
    assert problems == [("f:1", "broken JSON at column 19 (Expecting value)")]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_cut_list_gives_its_complete_elements(indent: int | None) -> None:
    text = json.dumps([{"n": 1}, {"n": 2}, {"n": 3}], indent=indent)
    found, problems = values(text[: text.index("3") - 2])
    assert found == [("f", [{"n": 1}, {"n": 2}])]
    assert len(problems) == 1
    assert problems[0][0] == ("f:9" if indent else "f:1")


def test_a_list_cut_inside_a_lists_element_drops_that_element_whole() -> None:
    assert values("[[1, 2], [3, 4")[0] == [("f", [[1, 2]])]


def test_a_cut_object_is_reported_where_it_breaks() -> None:
    text = json.dumps({"messages": [{"role": "user", "content": "hi"}]}, indent=1)
    found, problems = values(text[: text.index('"hi"') - 1])
    assert found == []
    assert [where for where, _ in problems] == ["f:5"]


def test_nan_and_infinity_are_numbers() -> None:
    ((_, value),), problems = values('{"a": NaN, "b": -Infinity}')
    assert math.isnan(value["a"])
    assert value["b"] == -math.inf
    assert not problems


def test_lone_surrogates_and_repeated_keys_are_no_fault() -> None:
    assert values('{"a": 1, "a": "\\ud800"}') == ([("f", {"a": "\ud800"})], [])


def test_nesting_without_end_is_one_fault() -> None:
    deep = "[" * 200_000
    found, problems = values(f'{{"n": 1}}\n{deep}\n{{"n": 2}}')
    assert [value for _, value in found] == [{"n": 1}, {"n": 2}]
    assert problems == [("f:2", "broken JSON at column 1 (nested too deeply)")]


def test_a_file_of_nesting_without_end_is_an_error_of_one_line() -> None:
    with pytest.raises(LogError, match="nested too deeply") as caught:
        list(read(io.BytesIO(b'{"a":' * 200_000)))
    assert "\n" not in str(caught.value)


def test_an_integer_too_long_for_python_is_one_fault() -> None:
    found, problems = values('{"n": ' + "9" * 5000 + '}\n{"n": 2}')
    assert [value for _, value in found] == [{"n": 2}]
    assert len(problems) == 1
    assert problems[0][0] == "f:1"


def test_a_message_of_fifty_megabytes_is_read() -> None:
    text = json.dumps(
        {"messages": [{"role": "user", "content": "ä " * 17_000_000}]}, ensure_ascii=False
    )
    (trace,) = read(io.BytesIO(text.encode()))
    assert len(trace.messages[0]["content"]) == 34_000_000


def test_json_lines_are_not_held_in_memory() -> None:
    class Counting(io.BytesIO):
        asked = 0

        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            Counting.asked += len(data)
            return data

    stream = Counting((LINE + "\n").encode() * 20_000)
    found = records(stream, "f", lambda where, what: pytest.fail(f"{where}: {what}"))
    assert next(found) == Record(SESSION, "f:1")
    assert Counting.asked < 200_000


@pytest.mark.parametrize("text", ["", "  \n\n", "[]", "{}", "null", "[]\n[]"])
def test_a_file_without_content_is_an_error(text: str) -> None:
    with pytest.raises(LogError, match="the file is empty @ stream: give one of the formats"):
        list(read(io.BytesIO(text.encode())))


def test_a_strict_reader_stops_at_the_broken_line() -> None:
    text = f"{LINE}\n{LINE}\n{{broken\n{LINE}\n"
    told: list[Skipped] = []
    assert len(list(read(io.BytesIO(text.encode()), on_problem=told.append))) == 3
    assert [problem.where for problem in told] == ["stream:3"]
    found = read(io.BytesIO(text.encode()), strict=True)
    with pytest.raises(LogError, match="@ stream:3"):
        list(found)


def test_a_strict_reader_gives_no_part_of_a_cut_list() -> None:
    found = read(io.BytesIO(b'[{"role": "user", "content": "a"}, {"role"'), strict=True)
    with pytest.raises(LogError, match="@ stream:1"):
        next(found)
