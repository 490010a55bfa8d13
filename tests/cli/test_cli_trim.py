"""`lre trim` prints the messages that stay, and says what it did."""

from __future__ import annotations

import bz2
import gzip
import inspect
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import lre
from lre.cli.trim import trim
from lre.scorer import shipped

Chat = list[dict[str, Any]]
Run = Callable[..., Result]
Save = Callable[..., str]


def printed(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_what_stays_is_printed_word_for_word_and_in_order(run: Run, save: Save, chat: Chat) -> None:
    kept = printed(run("trim", save(chat), "--budget", "50%"))
    assert kept == lre.evict(chat, budget="50%").messages
    assert 0 < len(kept) < len(chat)


def test_a_session_under_budget_comes_back_whole(run: Run, save: Save, chat: Chat) -> None:
    assert printed(run("trim", save(chat), "--budget", "100000")) == chat


@pytest.mark.parametrize("budget", ["1500", "25%", " 1.5e3 ", "12.5%"])
def test_budgets_are_numbers_or_shares(run: Run, save: Save, chat: Chat, budget: str) -> None:
    for option, name in (("--budget", "budget"), ("--older-budget", "older_budget")):
        expected: Any = {name: budget}
        assert (
            printed(run("trim", save(chat), option, budget)) == lre.evict(chat, **expected).messages
        )


def test_a_summary_goes_to_standard_error(run: Run, save: Save, chat: Chat) -> None:
    result = run("trim", save(chat), "--budget", "50%")
    assert result.stderr == lre.evict(chat, budget="50%").receipt.summary() + "\n"


def test_quiet_says_nothing(run: Run, save: Save, chat: Chat) -> None:
    lines = "\n".join(json.dumps({"messages": chat}) for _ in range(2)) + "\n{"
    result = run("trim", save(lines), "--budget", "50%", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")


def test_json_is_the_object_that_programs_rely_on(run: Run, save: Save, chat: Chat) -> None:
    data = printed(run("trim", save(chat), "--budget", "50%", "--json"))
    assert data == lre.evict(chat, budget="50%").to_dict()
    assert set(data) >= {"messages", "dialect", "tokens", "over_budget", "decisions"}
    assert set(data["tokens"]) == {"before", "after"}
    fields = {"unit", "messages", "verdict", "reason", "score", "tokens"}
    assert all(set(decision) >= fields for decision in data["decisions"])
    assert {decision["verdict"] for decision in data["decisions"]} <= {"kept", "cut", "evicted"}
    places = [index for decision in data["decisions"] for index in decision["messages"]]
    assert sorted(places) == list(range(len(chat)))


def test_over_budget_is_said_and_no_failure(run: Run, save: Save, chat: Chat) -> None:
    result = run("trim", save(chat), "--budget", "10", "--json")
    data = printed(result)
    assert data["over_budget"] is True
    assert {d["reason"] for d in data["decisions"] if d["verdict"] == "kept"} <= {
        "pinned",
        "recent",
    }
    assert "OVER BUDGET" in result.stderr


def test_standard_input_is_read(run: Run, save: Save, chat: Chat) -> None:
    stdin = json.dumps(chat).encode()
    assert printed(run("trim", "-", "--budget", "50%", stdin=stdin)) == printed(
        run("trim", save(chat), "--budget", "50%")
    )


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_logs_are_read(
    run: Run, save: Save, chat: Chat, pack: Callable[[bytes], bytes]
) -> None:
    packed = save(pack(json.dumps(chat).encode()))
    assert printed(run("trim", packed, "--budget", "50%")) == lre.evict(chat, budget="50%").messages


def test_one_message_a_line_is_one_session(run: Run, save: Save, chat: Chat) -> None:
    lines = "\n".join(map(json.dumps, chat))
    assert printed(run("trim", save(lines), "--budget", "100000")) == chat


def test_a_request_to_anthropic_counts_system_and_tools(run: Run, save: Save) -> None:
    request = {
        "system": [{"type": "text", "text": "Be brief."}],
        "tools": [{"name": "look_up", "description": "Find it.", "input_schema": {}}],
        "messages": [
            {"role": "user", "content": "Where is order W2378156?"},
            {"role": "assistant", "content": [_use("toolu_1")]},
            {"role": "user", "content": [_result("toolu_1")]},
        ],
    }
    data = printed(run("trim", save(request), "--budget", "5000", "--json"))
    bare = printed(run("trim", save(request["messages"]), "--budget", "5000", "--json"))
    assert data["dialect"] == bare["dialect"] == "anthropic"
    assert data["messages"] == request["messages"]
    assert data["tokens"]["before"] > bare["tokens"]["before"] + 10


def _use(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "look_up", "input": {"order": "W2378156"}}


def _result(name: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": "shipped"}


def test_responses_items_are_read_with_their_instructions(run: Run, save: Save) -> None:
    items = [
        {"role": "user", "content": "Where is order W2378156?"},
        {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "shipped"},
    ]
    request = {"instructions": "Be brief, and never promise a date.", "input": items}
    data = printed(run("trim", save(request), "--budget", "5000", "--json"))
    bare = printed(run("trim", save(items), "--budget", "5000", "--json"))
    assert (data["dialect"], data["messages"]) == ("openai-responses", items)
    assert data["tokens"]["before"] > bare["tokens"]["before"]


def test_the_first_session_of_many_is_taken_and_the_others_are_told(run: Run, save: Save) -> None:
    log = save("".join(json.dumps({"messages": _hello(k)}) + "\n" for k in range(3)))
    result = run("trim", log, "--budget", "1000")
    assert printed(result) == _hello(0)
    assert result.stderr.startswith("log.json#0: one of 3 sessions; --session K picks one, from 0")
    assert printed(run("trim", log, "--budget", "1000", "--session", "2")) == _hello(2)


def _hello(number: int) -> Chat:
    return [{"role": "user", "content": f"Hello {number}"}]


def test_skipped_records_are_told_one_a_line_and_strict_stops(run: Run, save: Save) -> None:
    log = save(json.dumps({"messages": _hello(0)}) + "\n{broken\n7\n")
    result = run("trim", log, "--budget", "1000")
    assert printed(result) == _hello(0)
    skipped = [line for line in result.stderr.splitlines() if line.startswith("skipped: ")]
    assert [line.split(": ")[1] for line in skipped] == [f"{log}:2", f"{log}:3"]
    strict = run("trim", log, "--budget", "1000", "--strict")
    assert (strict.exit_code, strict.stdout) == (2, "")
    assert f"@ {log}:2" in strict.stderr


def test_pinned_patterns_stay(run: Run, save: Save, chat: Chat) -> None:
    few = ("--budget", "25%", "--recent", "1")
    plain = json.dumps(printed(run("trim", save(chat), *few)))
    assert "R002XQ, seat" not in plain
    assert "R005XQ, seat" not in plain
    args = (*few, "--pin", r"seat [2]C\b", "--pin", "R005XQ, seat")
    pinned = json.dumps(printed(run("trim", save(chat), *args)))
    assert "R002XQ, seat" in pinned
    assert "R005XQ, seat" in pinned


def test_options_reach_evict(run: Run, save: Save, chat: Chat) -> None:
    args = ("--recent", "2", "--policy", "fifo", "--counter", "estimate", "--segmenter", "turns")
    data = printed(
        run("trim", save(chat), "--budget", "50%", *args, "--dialect", "openai-chat", "--json")
    )
    expected = lre.evict(
        chat,
        budget="50%",
        recent=2,
        policy="fifo",
        counter="estimate",
        segmenter="turns",
        dialect="openai-chat",
    )
    assert data == expected.to_dict()


def test_defaults_are_those_of_evict() -> None:
    defaults = {name: p.default for name, p in inspect.signature(lre.evict).parameters.items()}
    options = {param.name: param for param in trim.params}
    for name in ("policy", "granularity", "recent", "counter", "segmenter"):
        assert options[name].default == defaults[name]
        assert f"By default {defaults[name]}." in str(getattr(options[name], "help", ""))


def test_a_trained_scorer_decides(run: Run, save: Save, chat: Chat) -> None:
    paper = shipped("agent-paper")
    even = replace(paper, weight=np.zeros(len(paper.weight)), bias=0.0)
    args = ("--policy", "lre-paper", "--scorer", save(even.to_json(), "even.json"), "--json")
    data = printed(run("trim", save(chat), "--budget", "50%", *args))
    assert {decision["score"] for decision in data["decisions"]} == {0.5}


def test_a_scorer_of_another_kind_is_refused(run: Run, save: Save, chat: Chat) -> None:
    scorer = save(shipped("agent-paper").to_json(), "paper.json")
    result = run("trim", save(chat), "--budget", "50%", "--scorer", scorer)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "`lre train --recipe agent`" in result.stderr


def test_spans_are_cut_where_they_are_asked_for(run: Run, save: Save, chat: Chat) -> None:
    args = ("--older-budget", "300", "--granularity", "span")
    data = printed(run("trim", save(chat), *args, "--json"))
    assert data == lre.evict(chat, older_budget=300, granularity="span").to_dict()
    assert "cut" in {decision["verdict"] for decision in data["decisions"]}
    whole = printed(run("trim", save(chat), *args[:2], "--json"))
    assert {decision["verdict"] for decision in whole["decisions"]} == {"kept", "evicted"}


def test_text_is_printed_as_it_is(run: Run, save: Save, chat: Chat) -> None:
    out = run("trim", save(chat), "--budget", "100000").stdout
    assert "Jörg Müller" in out
    assert "订单" in out


def test_lone_surrogates_come_back_as_they_came(run: Run, save: Save) -> None:
    log = save('[{"role": "user", "content": "cut \\ud83d here"}]')
    result = run("trim", log, "--budget", "1000")
    assert printed(result) == [{"role": "user", "content": "cut \ud83d here"}]
    assert "\\ud83d" in result.stdout_bytes.decode("utf-8")


def test_nan_comes_back_as_it_came(run: Run, save: Save) -> None:
    out = run("trim", save('[{"role": "user", "content": "x", "p": NaN}]'), "--budget", "9").stdout
    assert '"p": NaN' in out
