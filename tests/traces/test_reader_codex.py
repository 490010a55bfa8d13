"""Codex rollouts: items as they stand, compactions, turns taken back, files without payloads."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from lre.lint import problems
from lre.testing.readers import ReaderContract
from lre.traces import Skipped, Trace, read
from realdata import DATA

Line = dict[str, Any]

TIME = "2026-01-01T00:00:00Z"


def line(kind: str, **payload: object) -> Line:
    return {"timestamp": TIME, "type": kind, "payload": payload}


def item(kind: str, **fields: object) -> Line:
    return line("response_item", type=kind, **fields)


def message(role: str, text: str) -> Line:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def prompt(text: str) -> list[Line]:
    return [message("user", text), line("event_msg", type="user_message", message=text)]


META = line(
    "session_meta",
    id="s-2",
    forked_from_id="s-1",
    cli_version="0.140.0",
    base_instructions={"text": "You code."},
)
SESSION = [
    META,
    message("developer", "Be brief, für Ada."),
    *prompt("Which files are there?"),
    line("turn_context", turn_id="t1", model="gpt-5.5"),
    item("reasoning", summary=[], encrypted_content="c2VhbGVk"),
    item("function_call", name="exec", arguments='{"cmd": "ls"}', call_id="c1"),
    item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
    item("function_call_output", call_id="c1", output="a.py"),
    item("custom_tool_call_output", call_id="c2", output="Done"),
    line("event_msg", type="token_count", info=None),
    message("assistant", "There is a.py."),
    line("event_msg", type="agent_message", message="There is a.py."),
]


def logged(*lines: Line) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode()


def traces(*lines: Line) -> list[Trace]:
    return list(read(io.BytesIO(logged(*lines)), strict=True))


def said(trace: Trace) -> list[str]:
    contents = [one.get("content", [{}])[0] for one in trace.messages]
    return [one.get("text", "") for one in contents]


class TestContract(ReaderContract):
    reader = "codex"

    def sample(self) -> bytes:
        return logged(*SESSION)


def test_items_are_handed_on_as_they_stand_with_their_time() -> None:
    (trace,) = traces(*SESSION)
    items = [one["payload"] for one in SESSION if one["type"] == "response_item"]
    assert trace.messages == [{**one, "timestamp": TIME} for one in items]
    assert not problems(trace.messages, "openai-responses")


def test_a_session_has_its_instructions_and_the_task_of_its_lineage() -> None:
    (trace,) = traces(*SESSION)
    assert (trace.system, trace.task) == ("You code.", "s-1")
    assert (trace.meta["session"], trace.meta["model"]) == ("s-2", "gpt-5.5")
    del (meta := json.loads(json.dumps(META)))["payload"]["forked_from_id"]
    assert traces(meta, *SESSION[1:])[0].task == "s-2"


def test_a_compaction_begins_a_session_with_what_it_left() -> None:
    left = [message("user", "Which files?")["payload"], {"type": "compaction", "id": "x"}]
    compacted = line("compacted", message="", replacement_history=left)
    before, after = traces(*SESSION, compacted, *prompt("Go on."), message("assistant", "Done."))
    assert len(before.messages) == 8
    assert after.messages[:2] == left
    assert said(after)[2:] == ["Go on.", "Done."]
    assert before.task == after.task
    assert after.meta["where"] == "stream:14"


def test_an_older_compaction_leaves_the_prompts_and_the_summary() -> None:
    compacted = line("compacted", message="They asked for files.")
    _, after = traces(*SESSION, compacted, *prompt("Go on."))
    assert said(after) == [
        "Be brief, für Ada.",
        "Which files are there?",
        "They asked for files.",
        "Go on.",
    ]


def test_turns_that_were_rolled_back_are_left_out() -> None:
    back = line("event_msg", type="thread_rolled_back", num_turns=2)
    rest = [*prompt("Now this."), message("assistant", "No."), *prompt("Well?"), back]
    (trace,) = traces(*SESSION, *rest, *prompt("That instead."))
    assert said(trace)[-2:] == ["There is a.py.", "That instead."]


def test_files_without_payloads_are_read_too() -> None:
    head = {"id": "s-0", "timestamp": TIME, "instructions": "You code."}
    items = [one["payload"] for one in SESSION if one["type"] == "response_item"]
    (trace,) = traces(head, {"record_type": "state"}, *items)
    assert trace.messages == items
    assert (trace.meta["reader"], trace.task, trace.system) == ("codex", "s-0", "You code.")


def test_records_of_another_log_are_no_items() -> None:
    told: list[Skipped] = []
    foreign = {"type": "user.message", "data": {"content": "Hi"}}
    found = list(read(io.BytesIO(logged(*SESSION, foreign)), on_problem=told.append))
    assert [said(one) for one in found] == [said(one) for one in traces(*SESSION)]
    assert [one.what for one in told] == ["no record of a rollout: skipped"]


def test_copies_of_the_worktree_are_no_messages() -> None:
    (trace,) = traces(*SESSION, item("ghost_snapshot", ghost_commit={"id": "abc"}))
    assert len(trace.messages) == 8


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (7, "stream:2"),
        ({"timestamp": TIME, "type": "response_item", "payload": None}, "stream:2: payload"),
        ({"timestamp": TIME, "type": [], "payload": {}}, "stream:2: type"),
        (item("message", role="boss", content="Hi"), "stream:2: role"),
        (item("message", role="user", content=[7]), "stream:2: content[0]"),
        (
            line("compacted", replacement_history=[None, item("message", role="user")["payload"]]),
            "stream:2: payload.replacement_history[0]",
        ),
    ],
)
def test_what_is_no_item_is_reported_with_its_path_and_skipped(bad: Any, place: str) -> None:
    told: list[Skipped] = []
    traced = list(read(io.BytesIO(logged(META, bad, *SESSION[1:])), on_problem=told.append))
    assert said(traced[-1])[-1] == "There is a.py."
    assert [problem.where for problem in told] == [place]


def test_an_open_call_at_the_end_stays() -> None:
    (trace,) = traces(*SESSION[:7])
    assert trace.messages[-1]["call_id"] == "c1"


def test_real_rollouts_are_read_whole() -> None:
    """As counted over the raw lines; one file is cut, with two calls still open."""
    if DATA is None or not (DATA / "formats/codex").is_dir():
        pytest.skip("formats/codex is not there: set LRE_DATA to the folder of the data")
    unanswered = []
    for path in sorted((DATA / "formats/codex").glob("*.jsonl")):
        lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
        items = [one["payload"] for one in lines if one["type"] == "response_item"]
        (trace,) = read(path, strict=True)
        assert [{**one, "timestamp": ""} for one in items] == [
            {**one, "timestamp": ""} for one in trace.messages
        ]
        assert trace.system == lines[0]["payload"]["base_instructions"]["text"]
        found = problems(trace.messages)
        assert {problem.rule for problem in found} <= {"call-without-output"}
        unanswered.append(len(found))
    assert sorted(unanswered) == [0, 0, 2]


def test_rollouts_that_were_joined_are_sessions_of_their_own() -> None:
    first, second = (line("session_meta", id=name) for name in ("s-1", "s-2"))
    found = traces(first, *prompt("One?"), first, *prompt("Two?"), second, *prompt("Three?"))
    assert [(one.task, said(one)) for one in found] == [
        ("s-1", ["One?", "Two?"]),
        ("s-2", ["Three?"]),
    ]


def test_a_fork_with_the_head_of_where_it_comes_from_is_one_session() -> None:
    found = traces(META, line("session_meta", id="s-1"), *prompt("One?"))
    assert [(one.task, said(one)) for one in found] == [("s-1", ["One?"])]
