"""The contract of readers catches those that break their promise."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import pytest

from lre.testing.readers import ReaderContract, spoiled
from lre.traces import READERS, Record, Report, Trace
from lre.traces.entries import called, calling, returned, said, trace

LINES = [
    {"by": "user", "said": "Look, für Ada"},
    {"by": "model", "call": "c1"},
    {"by": "tool", "call": "c1", "said": "42"},
]


class Sound:
    """Reads the lines above, and keeps every promise."""

    name = "mine"
    describe = "lines of three kinds"

    def recognises(self, value: object) -> bool:
        return isinstance(value, dict) and value.get("by") in ("user", "model", "tool")

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        entries, where = [], ""
        for record in records:
            where = where or record.where
            if self.recognises(record.value):
                entries.append(self.entry(record.value))
            else:
                report(record.where, "no line of mine: skipped")
        if entries:
            yield trace(self.name, where, entries)

    def entry(self, value: Any) -> dict[str, Any]:
        match value["by"]:
            case "user":
                return said("user", str(value.get("said")))
            case "model":
                return calling([called(value.get("call"), "look", {})])
        return returned(value.get("call"), str(value.get("said")))


class Greedy(Sound):
    def recognises(self, value: object) -> bool:  # noqa: ARG002
        return True


class Stumbling(Sound):
    def entry(self, value: Any) -> dict[str, Any]:
        return super().entry({**value, "said": value.get("said", "").strip()})


class Tearing(Sound):
    def entry(self, value: Any) -> dict[str, Any]:
        return super().entry({**value, "call": id(value)})


class Forgetful(Sound):
    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for found in super().traces(records, report):
            yield trace(self.name, "", found.messages)


class Hasty(Sound):
    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        yield from super().traces(list(records)[:2], report)


class Contract(ReaderContract):
    reader = "mine"

    def sample(self) -> bytes:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in LINES).encode()


def register(reader: Sound, patch: pytest.MonkeyPatch) -> None:
    module = ModuleType("my_reader")
    module.READER = reader  # type: ignore[attr-defined]
    patch.setitem(sys.modules, "my_reader", module)
    patch.setitem(READERS, "mine", "my_reader:READER")


class TestSound(Contract):
    @pytest.fixture(autouse=True)
    def _registered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        register(Sound(), monkeypatch)


@pytest.mark.parametrize(
    ("reader", "check"),
    [
        (Greedy(), Contract().test_other_json_is_not_recognised),
        (Stumbling(), Contract().test_junk_in_any_place_raises_nothing_but_a_log_error),
        (Tearing(), Contract().test_there_is_a_call_and_every_result_stays_with_its_call),
        (Tearing(), Contract().test_messages_parse_and_the_provider_would_take_them),
        (Forgetful(), Contract().test_every_session_is_read_without_a_problem),
        (Hasty(), Contract().test_messages_parse_and_the_provider_would_take_them),
    ],
)
def test_a_reader_that_breaks_a_promise_is_caught(
    reader: Sound, check: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(reader, monkeypatch)
    with pytest.raises((AssertionError, AttributeError)):
        check()


def test_a_format_that_two_readers_claim_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    register(Sound(), monkeypatch)
    twin = ModuleType("twin_reader")
    twin.READER = type("Twin", (Sound,), {"name": "twin"})()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "twin_reader", twin)
    monkeypatch.setitem(READERS, "twin", "twin_reader:READER")
    with pytest.raises(AssertionError, match="twin"):
        Contract().test_the_sample_is_recognised_by_this_reader_alone()


def test_every_node_of_a_value_is_spoiled_in_turn() -> None:
    found = list(spoiled({"a": [1, {"b": 2}]}))
    assert None in found
    assert {"a": None} in found
    assert {"a": [1, {"b": []}]} in found
    assert {"a": ["junk", {"b": 2}]} in found
