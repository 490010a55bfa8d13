"""Inspect logs: samples of a `.json` log, and those in the archive that a `.eval` log is."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from lre import dialects
from lre.errors import LogError
from lre.messages import Media, Reasoning
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read

RUN = {"task": "files", "run_id": "r1", "model": "mockllm/model", "dataset": {}}
HEAD = {"version": 2, "status": "success", "eval": RUN, "plan": {}}
MESSAGES: list[dict[str, Any]] = [
    {"id": "m1", "role": "system", "content": "Be careful."},
    {"id": "m2", "role": "user", "content": "Read a.py, für Ada.", "source": "input"},
    {
        "id": "m3",
        "role": "assistant",
        "content": [
            {"type": "reasoning", "reasoning": "Look.", "signature": "c2ln", "redacted": False},
            {"type": "text", "text": "I look."},
        ],
        "tool_calls": [
            {"id": "c1", "function": "read", "arguments": {"path": "a.py"}, "type": "function"},
            {"id": "c2", "function": "read", "arguments": {"path": "b.py"}, "type": "function"},
        ],
    },
    {"id": "m4", "role": "tool", "tool_call_id": "c1", "function": "read", "content": "a = 1"},
    {
        "id": "m5",
        "role": "tool",
        "tool_call_id": "c2",
        "function": "read",
        "content": "",
        "error": {"type": "file_not_found", "message": "no b.py"},
    },
]


def sample(name: object = 1, epoch: int = 1, **more: object) -> dict[str, Any]:
    said = {"input": "Read a.py", "target": "1", "messages": MESSAGES, "events": []}
    return {"id": name, "epoch": epoch, **said, **more}


def log(*samples: object) -> dict[str, Any]:
    return {**HEAD, "samples": [*samples]}


def archive(*samples: dict[str, Any], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Write a `.eval` log in the order in which Inspect does."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", packing) as file:
        file.writestr("_journal/start.json", json.dumps(HEAD))
        for one in samples:
            name = f"samples/{one['id']}_epoch_{one['epoch']}.json"
            file.writestr(name, json.dumps(one, indent=1))
        file.writestr("_journal/summaries/1.json", json.dumps([{"id": 1, "epoch": 1}]))
        file.writestr("summaries.json", json.dumps([{"id": 1, "epoch": 1}]))
        file.writestr("reductions.json", json.dumps([{"scorer": "match", "samples": []}]))
        file.writestr("header.json", json.dumps({**HEAD, "stats": {}}))
    return data.getvalue()


def traces(data: bytes) -> list[Trace]:
    return list(read(io.BytesIO(data), strict=True))


def only(*messages: dict[str, Any], **more: Any) -> Trace:
    (trace,) = traces(json.dumps(log(sample(**more) | {"messages": [*messages]})).encode())
    return trace


class TestJson(ReaderContract):
    reader = "inspect"
    sessions = 2

    def sample(self) -> bytes:
        return json.dumps(log(sample(), sample(epoch=2)), ensure_ascii=False).encode()


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_an_archive_reads_like_the_log_in_one_file(packing: int) -> None:
    samples = [sample(), sample(epoch=2), sample("b/c")]
    packed = traces(archive(*samples, packing=packing))
    plain = traces(json.dumps(log(*samples)).encode())
    assert [trace.messages for trace in packed] == [trace.messages for trace in plain]
    assert [trace.task for trace in packed] == ["files/1", "files/1", "files/b/c"]
    assert [trace.meta["epoch"] for trace in packed] == [1, 2, 1]
    assert packed[0].meta["model"] == "mockllm/model"
    assert packed[1].meta["where"] == "stream/samples/1_epoch_2.json"


def test_calls_results_errors_and_reasoning_are_read() -> None:
    (trace,) = traces(archive(sample()))
    _, _, reply, result, failed = trace.messages
    assert reply["tool_calls"][0]["function"] == {"name": "read", "arguments": '{"path": "a.py"}'}
    assert (result["tool_call_id"], result["content"]) == ("c1", "a = 1")
    assert (failed["content"], failed["error"]) == ("no b.py", True)
    dialect, messages = dialects.parse(trace.messages)
    assert Reasoning("Look.", sealed=4) in messages[2].parts
    assert dialect.problems(messages) == []


def test_redacted_reasoning_is_sealed() -> None:
    redacted = {"type": "reasoning", "reasoning": "c2VhbGVk", "redacted": True}
    trace = only({"role": "user", "content": "Hi"}, {"role": "assistant", "content": [redacted]})
    assert dialects.parse(trace.messages)[1][1].parts == (Reasoning("", sealed=8),)


def test_attachments_are_put_back_where_they_belong() -> None:
    image = {"type": "image", "image": "attachment://h1", "detail": "low"}
    text = {"type": "text", "text": "attachment://gone"}
    attached = {"h1": "data:image/png;base64,AAAA"}
    trace = only({"role": "user", "content": [image, text]}, attachments=attached)
    shown, said = trace.messages[0]["content"]
    assert shown["image_url"]["url"] == "data:image/png;base64,AAAA"
    assert said["text"] == "attachment://gone"


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ({"type": "image", "image": "data:image/png;base64,AAAA"}, "image"),
        ({"type": "audio", "audio": "data:audio/mp3;base64,AAAA", "format": "mp3"}, "audio"),
        ({"type": "document", "document": "data:a/pdf;base64,AAAA", "filename": "a.pdf"}, "file"),
    ],
)
def test_media_are_media_and_no_words(block: dict[str, Any], kind: str) -> None:
    trace = only({"role": "user", "content": [block]})
    dialect, (message,) = dialects.parse(trace.messages)
    assert [part.kind for part in message.parts if isinstance(part, Media)] == [kind]
    assert dialect.problems([message]) == []


def test_what_the_provider_ran_by_itself_is_no_call() -> None:
    used = {"type": "tool_use", "tool_type": "web_search", "id": "w1", "name": "search"}
    block = {**used, "arguments": "{}", "result": "found"}
    trace = only({"role": "user", "content": "Hi"}, {"role": "assistant", "content": [block]})
    dialect, messages = dialects.parse(trace.messages)
    assert (dialect.name, dialect.problems(messages)) == ("openai-chat", [])


def test_a_bad_sample_is_reported_with_its_place_and_the_rest_is_read() -> None:
    told: list[Skipped] = []
    bad = sample(2) | {"messages": [MESSAGES[0], {"content": "nobody's"}]}
    data = json.dumps(log(sample(), 7, bad, sample(3))).encode()
    found = list(read(io.BytesIO(data), on_problem=told.append))
    assert [trace.task for trace in found] == ["files/1", "files/3"]
    assert [problem.where for problem in told] == [
        "stream: samples[1]",
        "stream: samples[2]: messages[1]",
    ]


def test_a_cut_archive_gives_the_samples_before_the_cut() -> None:
    data = archive(sample(), sample(2), sample(3))
    whole = traces(data)
    lengths = set()
    for cut in range(1, len(data), 7):
        told: list[Skipped] = []
        try:
            found = list(read(io.BytesIO(data[:cut]), on_problem=told.append))
        except LogError:
            found = []
        else:
            assert told[0].where == "stream"
            assert "cut or damaged" in told[0].what
        assert [one.messages for one in found] == [one.messages for one in whole][: len(found)]
        lengths.add(len(found))
    assert lengths == {0, 1, 2, 3}


def test_a_sample_whose_messages_are_elsewhere_is_reported() -> None:
    told: list[Skipped] = []
    chunked = {"id": 2, "epoch": 1, "input": "Hi", "message_refs": [[0, 5]]}
    (trace,) = read(io.BytesIO(archive(sample(), chunked)), on_problem=told.append)
    assert trace.task == "files/1"
    assert [problem.where for problem in told] == ["stream/samples/2_epoch_1.json"]
