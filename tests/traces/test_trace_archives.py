"""Zip archives are told by content, and read file by file past what is damaged."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from lre.errors import LogError
from lre.traces import Skipped, Trace, read

ONE = json.dumps({"messages": [{"role": "user", "content": "one"}]})
TWO = "".join(json.dumps({"messages": [{"role": "user", "content": w}]}) + "\n" for w in "ab")


def packed(*files: tuple[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", packing) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return data.getvalue()


LOGS = packed(("a.json", ONE), ("deep/b.jsonl", TWO))


def said(traces: list[Trace]) -> list[str]:
    return [trace.messages[0]["content"] for trace in traces]


def tried(data: bytes, told: list[Skipped]) -> list[str]:
    return said(list(read(io.BytesIO(data), on_problem=told.append)))


def test_each_file_is_read_by_what_it_holds() -> None:
    found = list(read(io.BytesIO(LOGS), strict=True))
    assert said(found) == ["one", "a", "b"]
    assert [trace.name for trace in found] == ["stream#0", "stream#1", "stream#2"]
    assert [trace.meta["where"] for trace in found] == [
        "stream/a.json: messages",
        "stream/deep/b.jsonl:1: messages",
        "stream/deep/b.jsonl:2: messages",
    ]


def test_an_archive_is_read_by_path_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "logs.json").write_bytes(LOGS)
    assert said(list(read(tmp_path / "logs.json"))) == ["one", "a", "b"]


def test_an_archive_is_read_from_a_stream_that_cannot_go_back() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self._data = io.BytesIO(LOGS)

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            return self._data.read(size)

    assert said(list(read(Pipe()))) == ["one", "a", "b"]  # type: ignore[arg-type]


def test_files_in_an_archive_may_be_packed_themselves() -> None:
    data = packed(("a.json.gz", gzip.compress(ONE.encode())), packing=zipfile.ZIP_STORED)
    assert said(list(read(io.BytesIO(data)))) == ["one"]


def test_of_a_file_that_was_written_twice_the_last_counts() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = packed(("a.json", ONE), ("a.json", ONE.replace("one", "two")))
    assert said(list(read(io.BytesIO(data)))) == ["two"]


def test_zstandard_in_an_archive_is_read() -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    content = zstandard.compress(ONE.encode())
    data = bytearray(packed(("a.json", content), packing=zipfile.ZIP_STORED))
    for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.index(signature) + offset
        data[at : at + 2] = (93).to_bytes(2, "little")
    assert said(list(read(io.BytesIO(bytes(data))))) == ["one"]


def test_an_archive_in_an_archive_is_not_opened() -> None:
    told: list[Skipped] = []
    data = packed(("inner.zip", LOGS), ("a.json", ONE))
    assert tried(data, told) == ["one"]
    assert told
    assert all(problem.where.startswith("stream/inner.zip") for problem in told)


def test_a_damaged_file_is_reported_by_its_name_and_the_rest_is_read() -> None:
    data = bytearray(packed(("a.json", ONE), ("b.json", ONE), packing=zipfile.ZIP_STORED))
    data[data.index(b"one")] ^= 1
    told: list[Skipped] = []
    assert tried(bytes(data), told) == ["one"]
    assert [problem.where for problem in told] == ["stream/a.json"]
    assert "checksum" in told[0].what
    with pytest.raises(LogError, match=r"checksum.* @ stream/a\.json"):
        list(read(io.BytesIO(bytes(data)), strict=True))


@pytest.mark.parametrize(("offset", "value", "what"), [(6, 1, "encrypted"), (8, 14, "method 14")])
def test_what_cannot_be_unpacked_is_reported(offset: int, value: int, what: str) -> None:
    data = bytearray(packed(("a.json", ONE), ("b.json", ONE), packing=zipfile.ZIP_STORED))
    data[offset] = data[data.index(b"PK\x01\x02") + offset + 2] = value
    told: list[Skipped] = []
    assert tried(bytes(data), told) == ["one"]
    assert what in told[0].what


def test_a_broken_line_in_an_archive_has_a_place() -> None:
    told: list[Skipped] = []
    assert tried(packed(("a.jsonl", TWO + "{broken\n")), told) == ["a", "b"]
    assert [problem.where for problem in told] == ["stream/a.jsonl:3"]


def test_every_single_damaged_byte_is_survived() -> None:
    for at in range(len(LOGS)):
        data = bytearray(LOGS)
        data[at] ^= 0xFF
        told: list[Skipped] = []
        try:
            found = tried(bytes(data), told)
        except LogError:
            continue
        assert set(found) <= {"one", "a", "b"}


def test_an_archive_without_logs_is_refused() -> None:
    with pytest.raises(LogError, match="broken JSON"):
        list(read(io.BytesIO(packed(("a.xml", "<xml/>")))))


def rollout(session: str, said: str) -> str:
    """Write a session of Codex's, of which a file holds one."""
    item = {"type": "message", "role": "user", "content": said}
    records = (("session_meta", {"id": session}), ("response_item", item))
    return "".join(
        json.dumps({"timestamp": "t", "type": kind, "payload": payload}) + "\n"
        for kind, payload in records
    )


def test_two_files_in_an_archive_are_two_sessions() -> None:
    data = packed(("a.jsonl", rollout("s-1", "one")), ("b.jsonl", rollout("s-2", "two")))
    found = list(read(io.BytesIO(data), strict=True))
    assert [(one.task, *said([one])) for one in found] == [("s-1", "one"), ("s-2", "two")]


def test_each_file_in_an_archive_has_a_format_of_its_own() -> None:
    data = packed(("a.jsonl", rollout("s-1", "one")), ("b.json", ONE))
    found = list(read(io.BytesIO(data), strict=True))
    assert [one.meta["reader"] for one in found] == ["codex", "openai_chat"]


@pytest.mark.parametrize("place", [0, 1])
def test_what_is_no_log_in_an_archive_is_reported_once(place: int) -> None:
    files: list[tuple[str, str]] = [("a.json", ONE)]
    files.insert(place, ("readme.json", '{"about": "us"}'))
    told: list[Skipped] = []
    assert tried(packed(*files), told) == ["one"]
    assert [(one.where, one.what) for one in told] == [
        ("stream/readme.json", "no known log format")
    ]


def test_a_long_text_before_the_logs_does_not_hide_them() -> None:
    told: list[Skipped] = []
    assert tried(packed(("README.md", "words\n" * 500), ("a.json", ONE)), told) == ["one"]
    assert [one.where for one in told] == ["stream/README.md:100"]


def test_an_archive_without_a_log_is_none() -> None:
    with pytest.raises(LogError, match=r"no known log format @ stream/a\.json"):
        list(read(io.BytesIO(packed(("a.json", '{"about": "us"}')))))
