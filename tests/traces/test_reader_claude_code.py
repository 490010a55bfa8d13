"""Claude Code sessions: replies of several lines, results off the branch, retakes, subagents."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import pytest

from lre import dialects
from lre.errors import LogError
from lre.lint import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from realdata import DATA

Line = dict[str, Any]


def line(uuid: str, parent: str | None, kind: str, message: object = None, **more: object) -> Line:
    said = {} if message is None else {"message": message}
    head = {"parentUuid": parent, "isSidechain": False, "sessionId": "s-1", "uuid": uuid}
    return {**head, "type": kind, "timestamp": f"2026-01-01T00:00:{uuid}", **said, **more}


def prompt(uuid: str, parent: str | None, text: str, **more: object) -> Line:
    return line(uuid, parent, "user", {"role": "user", "content": text}, **more)


def reply(uuid: str, parent: str, name: str, *blocks: object, **more: object) -> Line:
    message = {"id": name, "role": "assistant", "type": "message", "content": [*blocks]}
    return line(uuid, parent, "assistant", message, **more)


def result(uuid: str, parent: str, call: str, text: str) -> Line:
    block = {"type": "tool_result", "tool_use_id": call, "content": text}
    return line(uuid, parent, "user", {"role": "user", "content": [block]}, toolUseResult={})


def say(text: str) -> Line:
    return {"type": "text", "text": text}


def use(call: str, **given: object) -> Line:
    return {"type": "tool_use", "id": call, "name": "Read", "input": given}


THOUGHT = {"type": "thinking", "thinking": "Look first.", "signature": "c2ln"}

SESSION = [
    {"type": "file-history-snapshot", "messageId": "1", "snapshot": {}, "isSnapshotUpdate": False},
    prompt("1", None, "What do a.py and b.py do, für Ada?"),
    reply("2", "1", "m1", THOUGHT),
    reply("3", "2", "m1", use("c1", file_path="a.py")),
    reply("4", "3", "m1", use("c2", file_path="b.py")),
    line("5", "4", "progress", data={"type": "hook_progress"}),
    result("6", "3", "c1", "a = 1"),
    result("7", "5", "c2", "b = 2"),
    line("8", "7", "system", subtype="turn_duration", durationMs=7),
    reply("9", "8", "m2", say("They set a and b.")),
]


def logged(*lines: Line) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode()


def traces(*lines: Line) -> list[Trace]:
    return list(read(io.BytesIO(logged(*lines)), strict=True))


def texts(trace: Trace) -> list[str]:
    """Give what is said in each entry, or the type of its first block."""
    contents = [entry["content"] for entry in trace.messages]
    return [one if isinstance(one, str) else one[0].get("text", one[0]["type"]) for one in contents]


class TestContract(ReaderContract):
    reader = "claude_code"

    def sample(self) -> bytes:
        return logged(*SESSION)


def test_the_lines_of_a_reply_are_one_entry_with_its_results_behind_it() -> None:
    (trace,) = traces(*SESSION)
    first, called, one, two, last = trace.messages
    assert first["content"] == "What do a.py and b.py do, für Ada?"
    assert called["content"] == [THOUGHT, use("c1", file_path="a.py"), use("c2", file_path="b.py")]
    assert [entry["content"][0]["tool_use_id"] for entry in (one, two)] == ["c1", "c2"]
    assert last["content"] == [say("They set a and b.")]
    assert (called["role"], one["role"], called["timestamp"]) == (
        "assistant",
        "user",
        "2026-01-01T00:00:2",
    )
    assert not problems(trace.messages, "anthropic")


def test_results_that_come_after_the_next_prompt_go_back_to_their_call() -> None:
    (trace,) = traces(*SESSION[:4], prompt("5", "3", "And hurry."), result("6", "3", "c1", "a = 1"))
    assert texts(trace) == [
        SESSION[1]["message"]["content"],
        "thinking",
        "tool_result",
        "And hurry.",
    ]


def test_of_branches_the_latest_is_read() -> None:
    (trace,) = traces(
        prompt("1", None, "Hello"),
        reply("2", "1", "m1", say("Hi")),
        prompt("3", "2", "Do it badly"),
        reply("4", "3", "m2", say("Done badly"), use("c1")),
        result("5", "4", "c1", "bad"),
        prompt("6", "2", "Do it well"),
        reply("7", "6", "m3", say("Done well")),
    )
    assert texts(trace) == ["Hello", "Hi", "Do it well", "Done well"]


def test_a_compaction_begins_a_session_of_the_same_task() -> None:
    before, after = traces(
        *SESSION,
        line("10", None, "system", subtype="compact_boundary", logicalParentUuid="9"),
        prompt("11", "10", "This session is being continued: …", isCompactSummary=True),
        reply("12", "11", "m3", say("Going on.")),
    )
    assert len(before.messages) == 5
    assert texts(after) == ["This session is being continued: …", "Going on."]
    assert before.task == after.task == "s-1"
    assert after.meta["where"] == "stream:12"


def test_a_subagent_in_the_same_file_is_a_session_of_its_own() -> None:
    agent = {"isSidechain": True, "agentId": "a7"}
    main, side = traces(
        prompt("1", None, "Find it"),
        reply("2", "1", "m1", use("c1")),
        prompt("3", None, "You search", **agent),
        reply("4", "3", "m2", say("Here it is"), **agent),
        result("5", "2", "c1", "Here it is"),
        reply("6", "5", "m3", say("Found")),
    )
    assert texts(main) == ["Find it", "tool_use", "tool_result", "Found"]
    assert texts(side) == ["You search", "Here it is"]
    assert (main.meta["sidechain"], side.meta["sidechain"]) == (False, True)
    assert main.task == side.task


def test_a_record_that_hangs_on_a_subagents_goes_on_where_its_own_side_was() -> None:
    main, side = traces(
        prompt("1", None, "Find it"),
        prompt("2", "1", "You search", isSidechain=True),
        reply("3", "2", "m1", say("Found")),
    )
    assert (texts(main), texts(side)) == (["Find it", "Found"], ["You search"])


def test_a_stream_of_output_is_read_by_session_and_by_subagent() -> None:
    """What `claude -p --output-format stream-json` writes; it holds no first prompt."""

    def streamed(uuid: str, kind: str, caller: str | None, **more: object) -> Line:
        about = {"parent_tool_use_id": caller, "session_id": "s-1"}
        return {"type": kind, "uuid": uuid, **about, **more}

    def spoke(uuid: str, caller: str | None, *blocks: object) -> Line:
        message = {"id": f"m{uuid}", "role": "assistant", "content": [*blocks]}
        return streamed(uuid, "assistant", caller, message=message)

    back = {"type": "tool_result", "tool_use_id": "c1", "content": "a = 1"}
    main, side = traces(
        {"type": "system", "subtype": "init", "session_id": "s-1", "uuid": "0", "tools": ["Task"]},
        streamed("1", "stream_event", None, event={"type": "message_start"}),
        spoke("2", None, use("c1")),
        spoke("3", "c1", say("Searching")),
        streamed("4", "user", None, message={"role": "user", "content": [back]}),
        spoke("5", None, say("a is 1")),
        {"type": "result", "subtype": "success", "session_id": "s-1", "uuid": "6"},
    )
    assert texts(main) == ["tool_use", "tool_result", "a is 1"]
    assert texts(side) == ["Searching"]
    assert (main.task, main.meta["sidechain"], side.meta["sidechain"]) == ("s-1", False, True)


def test_copied_history_keeps_the_task_of_the_session_it_comes_from() -> None:
    (trace,) = traces(
        prompt("1", None, "Hello", sessionId="old"),
        reply("2", "1", "m1", say("Hi"), sessionId="new"),
    )
    assert trace.task == "old"


def test_a_line_that_is_lost_does_not_tear_the_session_apart() -> None:
    told: list[Skipped] = []
    cut = logged(*SESSION[:7]) + b'{"parentUuid": "5", "uu\n' + logged(*SESSION[8:])
    (trace,) = read(io.BytesIO(cut), on_problem=told.append)
    assert texts(trace)[-1] == "They set a and b."
    assert [problem.where for problem in told] == ["stream:8"]


def test_a_reply_without_its_prompt_is_read() -> None:
    (trace,) = traces(*SESSION[2:])
    assert len(trace.messages) == 4


def test_errors_of_the_api_are_left_out_and_a_copied_record_is_read_once() -> None:
    error = reply("3", "2", "m2", say("API Error: 529"), isApiErrorMessage=True)
    hello = prompt("1", None, "Hello")
    (trace,) = traces(hello, hello, reply("2", "1", "m1", say("Hi")), error)
    assert texts(trace) == ["Hello", "Hi"]


@pytest.mark.parametrize("bad", [None, 7, [7], {"role": "user"}, {"role": "user", "content": [1]}])
def test_a_record_without_content_is_reported_and_the_rest_is_read(bad: object) -> None:
    told: list[Skipped] = []
    broken = {**prompt("2", "1", ""), "message": bad}
    lines = logged(prompt("1", None, "Hello"), broken, prompt("3", "2", "Still there?"))
    (trace,) = read(io.BytesIO(lines), on_problem=told.append)
    assert texts(trace) == ["Hello", "Still there?"]
    assert [problem.where for problem in told] == ["stream:2"]


def test_a_file_of_titles_alone_is_no_session() -> None:
    with pytest.raises(LogError, match="no known log format"):
        traces({"type": "summary", "summary": "Fix it", "leafUuid": "1"})


def test_real_sessions_are_read_whole() -> None:
    """Each reply once, each result behind its call: as counted over the raw lines."""
    if DATA is None or not (DATA / "agent/claude_code").is_dir():
        pytest.skip("agent/claude_code is not there: set LRE_DATA to the folder of the data")
    for path in sorted((DATA / "agent/claude_code").glob("*.jsonl")):
        lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
        said = [one["message"] for one in lines if one["type"] in ("user", "assistant")]
        replies = {one["id"] for one in said if one["role"] == "assistant"}
        by_user = sum(one["role"] == "user" for one in said)
        (trace,) = read(path, strict=True)
        roles = Counter(entry["role"] for entry in trace.messages)
        assert roles == {"assistant": len(replies), "user": by_user}
        assert _blocks(trace.messages) == _blocks(said)
        assert {problem.rule for problem in problems(trace.messages)} <= {
            "empty-text",
            "thinking-not-first",
        }
        assert dialects.recognise(trace.messages).name == "anthropic"


def test_real_streams_are_read_whole() -> None:
    """One of eight holds nothing but an error of the API; the others lack the first prompt."""
    if DATA is None or not (DATA / "formats/pydantic_ai").is_dir():
        pytest.skip("formats/pydantic_ai is not there: set LRE_DATA to the folder of the data")
    told: list[Skipped] = []
    found = list(read(DATA / "formats/pydantic_ai", on_problem=told.append))
    assert [problem.what for problem in told] == ["no session with messages can be read"]
    for trace in found:
        path = DATA / "formats/pydantic_ai" / trace.name
        lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
        said = [one["message"] for one in lines if one["type"] in ("user", "assistant")]
        assert _blocks(trace.messages) == _blocks(said)
        assert {problem.rule for problem in problems(trace.messages)} <= {"first-not-user"}
    assert len(found) == 7


def _blocks(messages: list[Any]) -> Counter[str]:
    contents = [one["content"] for one in messages]
    return Counter(json.dumps(one) for some in contents for one in some)
