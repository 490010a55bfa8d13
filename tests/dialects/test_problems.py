"""What each provider would reject is found, and what it takes is not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from lre.dialects import DIALECTS, parse
from lre.messages import Message, Text, ToolCall, ToolResult

Entries = list[dict[str, Any]]


def found(dialect: str, entries: Entries) -> list[tuple[int, str]]:
    chosen, messages = parse(entries, dialect)
    problems = chosen.problems(messages)
    assert all(p.text and "\n" not in p.text and p.source for p in problems)
    assert [p.index for p in problems] == sorted(p.index for p in problems)
    return [(p.index, p.rule) for p in problems]


# OpenAI Chat Completions


def user(content: object = "Go") -> dict[str, Any]:
    return {"role": "user", "content": content}


def chat_call(*ids: str, **fields: Any) -> dict[str, Any]:
    calls = [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls, **fields}


def tool(call_id: str, content: object = "out") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


FLAT = {"id": "a", "name": "f", "arguments": {}}
CUSTOM = {"id": "a", "type": "custom", "custom": {"name": "f", "input": "x"}}
AS_DICT = {"id": "a", "type": "function", "function": {"name": "f", "arguments": {}}}

CHAT_CASES: dict[str, tuple[Entries, list[tuple[int, str]]]] = {
    "a tool loop": (
        [user(), chat_call("a", "b"), tool("b"), tool("a"), chat_call("c"), tool("c")],
        [],
    ),
    "ids used again": ([chat_call("a"), tool("a"), chat_call("a"), tool("a")], []),
    "system in the middle": ([user(), {"role": "system", "content": "x"}, user()], []),
    "a custom tool": ([chat_call(tool_calls=[CUSTOM]), tool("a")], []),
    "a refusal": ([{"role": "assistant", "content": None, "refusal": "no"}], []),
    "null tool_calls": ([{"role": "assistant", "content": "x", "tool_calls": None}], []),
    "no result": ([user(), chat_call("a", "b"), tool("a")], [(1, "call-without-result")]),
    "a result too late": (
        [chat_call("a"), user(), tool("a")],
        [(0, "call-without-result"), (2, "result-without-call")],
    ),
    "an orphan": ([user(), tool("a")], [(1, "result-without-call")]),
    "a result before its call": (
        [tool("a"), chat_call("a")],
        [(0, "result-without-call"), (1, "call-without-result")],
    ),
    "a call of the user's": (
        [chat_call("a", role="user"), tool("a")],
        [(0, "calls-role"), (0, "no-content"), (1, "result-without-call")],
    ),
    "an id twice": ([chat_call("a", "a"), tool("a")], [(0, "duplicate-call-id")]),
    "no id": (
        [chat_call(""), {"role": "tool", "content": "x"}],
        [(0, "missing-call-id"), (1, "missing-tool-call-id")],
    ),
    "a flat call": (
        [chat_call(tool_calls=[FLAT]), tool("a")],
        [(0, "arguments-not-text"), (0, "malformed-call")],
    ),
    "arguments as a dict": (
        [chat_call(tool_calls=[AS_DICT]), tool("a")],
        [(0, "arguments-not-text")],
    ),
    "no content": ([user(None), user([])], [(0, "no-content"), (1, "no-content")]),
    "an empty assistant": ([{"role": "assistant"}], [(0, "no-content")]),
    "no calls in the list": (
        [{"role": "assistant", "content": "x", "tool_calls": []}],
        [(0, "empty-tool-calls")],
    ),
    "a part of another API": ([user([{"type": "input_text", "text": "x"}])], [(0, "unknown-part")]),
}


@pytest.mark.parametrize("case", CHAT_CASES)
def test_chat(case: str) -> None:
    entries, expected = CHAT_CASES[case]
    assert found("openai-chat", entries) == expected


# OpenAI Responses


def call(call_id: str, kind: str = "function_call", **fields: Any) -> dict[str, Any]:
    return {"type": kind, "call_id": call_id, "name": "f", "arguments": "{}", **fields}


def output(call_id: str, kind: str = "function_call_output") -> dict[str, Any]:
    return {"type": kind, "call_id": call_id, "output": "out"}


REASONING = {"type": "reasoning", "summary": []}
ANSWER = {"type": "message", "role": "assistant", "content": "Done"}
SEARCH = {"type": "web_search_call", "id": "ws", "action": {}}

RESPONSES_CASES: dict[str, tuple[Entries, list[tuple[int, str]]]] = {
    "a tool loop": ([user(), REASONING, call("a"), output("a"), REASONING, ANSWER], []),
    "outputs in any order": ([call("a"), call("b"), user(), output("b"), output("a")], []),
    "other tools": (
        [call("a", "custom_tool_call"), output("a", "custom_tool_call_output"), SEARCH],
        [],
    ),
    "no output": ([user(), call("a"), ANSWER], [(1, "call-without-output")]),
    "no call": ([user(), output("a")], [(1, "output-without-call")]),
    "output before its call": (
        [output("a"), call("a")],
        [(0, "output-without-call"), (1, "call-without-output")],
    ),
    "two outputs": ([call("a"), output("a"), output("a")], [(2, "duplicate-output")]),
    "an id of two calls": (
        [call("a"), output("a"), call("a"), output("a")],
        [(2, "duplicate-call-id")],
    ),
    "an item twice": ([{"id": "m", **ANSWER}, {"id": "m", **ANSWER}], [(1, "duplicate-item")]),
    "reasoning alone": ([REASONING, user()], [(0, "reasoning-without-item")]),
    "reasoning before an output": (
        [call("a"), REASONING, output("a")],
        [(1, "reasoning-without-item")],
    ),
    "reasoning at the end": ([user(), REASONING], [(1, "reasoning-without-item")]),
}


@pytest.mark.parametrize("case", RESPONSES_CASES)
def test_responses(case: str) -> None:
    entries, expected = RESPONSES_CASES[case]
    assert found("openai-responses", entries) == expected


# Anthropic Messages


def says(*blocks: object) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def gives(*blocks: object) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def use(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {}}


def result(call_id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "out"}


def text(words: str = "x") -> dict[str, Any]:
    return {"type": "text", "text": words}


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
UNSIGNED = {"type": "thinking", "thinking": "hm"}
SERVER_USE = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}

ANTHROPIC_CASES: dict[str, tuple[Entries, list[tuple[int, str]]]] = {
    "a tool loop": (
        [
            user(),
            says(THOUGHT, text(), use("a"), use("b")),
            gives(result("b"), result("a")),
            says(text()),
        ],
        [],
    ),
    "results and then words": ([user(), says(use("a")), gives(result("a"), text())], []),
    "turns over several entries": (
        [user(), says(THOUGHT), says(text()), says(use("a")), gives(result("a")), gives(text())],
        [],
    ),
    "calls and results over several entries": (
        [user(), says(use("a")), says(use("b")), gives(result("b")), gives(result("a"))],
        [],
    ),
    "tools of the server's": ([user(), says(SERVER_USE, FOUND, text())], []),
    "an empty last assistant": ([user(), says()], []),
    "the assistant first": ([says(text()), user(), says(text())], [(1, "first-not-user")]),
    "no user at all": ([says(text()), says(text())], [(1, "first-not-user")]),
    "an unanswered call": ([user(), says(use("a")), user()], [(1, "use-without-result")]),
    "half a parallel group": (
        [user(), says(use("a"), use("b")), gives(result("a"))],
        [(1, "use-without-result")],
    ),
    "a result too late": (
        [user(), says(use("a")), user(), says(text()), gives(result("a"))],
        [(1, "use-without-result"), (4, "result-after-text"), (4, "result-without-use")],
    ),
    "an orphan": ([user(), gives(result("a"))], [(1, "result-without-use")]),
    "two results": (
        [user(), says(use("a")), gives(result("a"), result("a"))],
        [(2, "duplicate-result")],
    ),
    "an id twice": (
        [user(), says(use("a")), gives(result("a")), says(use("a")), gives(result("a"))],
        [(3, "duplicate-use-id")],
    ),
    "words before results": (
        [user(), says(use("a")), gives(text(), result("a"))],
        [(2, "result-after-text")],
    ),
    "an entry of words before results": (
        [user(), says(use("a")), user(), gives(result("a"))],
        [(3, "result-after-text")],
    ),
    "empty texts": (
        [user(), says(text(""), text("x")), user(" \n"), says(text())],
        [(1, "empty-text"), (2, "empty-text")],
    ),
    "empty content": ([user(""), says(), user()], [(0, "empty-content"), (1, "empty-content")]),
    "unsigned thinking": ([user(), says(UNSIGNED, text())], [(1, "thinking-unsigned")]),
    "late thinking": ([user(), says(text(), THOUGHT, text())], [(1, "thinking-not-first")]),
    "nothing but thinking": ([user(), says(THOUGHT), user()], [(1, "thinking-last")]),
    "white space at the end": ([user(), says(text("Well, "))], [(1, "trailing-space")]),
    "a system message": ([{"role": "system", "content": "x"}, user()], [(0, "system-role")]),
    "a call of the user's": (
        [user(), gives(use("a")), gives(result("a"))],
        [(1, "block-role"), (2, "result-without-use")],
    ),
    "a result of the assistant's": ([user(), says(result("a"))], [(1, "block-role")]),
    "an odd id": (
        [user(), says(use("a:1")), gives(result("a:1"))],
        [(1, "tool-id"), (2, "tool-id")],
    ),
}


@pytest.mark.parametrize("case", ANTHROPIC_CASES)
def test_anthropic(case: str) -> None:
    entries, expected = ANTHROPIC_CASES[case]
    assert found("anthropic", entries) == expected


# Gemini


def asks(words: str = "Go") -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": words}]}


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def back(*parts: dict[str, Any], role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


SIGNED = {"thoughtSignature": "s"}


def fcall(**beside: Any) -> dict[str, Any]:
    return {"functionCall": {"name": "f", "args": {}}, **beside}


def freply(**fields: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": "f", "response": {"output": "x"}, **fields}}


WORD = {"text": "x"}
COUNT, APART = "response-count", "response-without-call"
GEMINI_CASES: dict[str, tuple[Entries, list[tuple[int, str]]]] = {
    "a tool loop": (
        [asks(), model(WORD, fcall(**SIGNED), fcall()), back(freply(), freply()), model(WORD)],
        [],
    ),
    "the SDK's spelling and the role function": (
        [
            asks(),
            model({"function_call": {"name": "f"}, "thought_signature": b"s"}),
            back({"function_response": {"name": "f", "response": {}}}, role="function"),
        ],
        [],
    ),
    "responses and then words": ([asks(), model(fcall()), back(freply(), WORD)], []),
    "two entries of the user's": ([asks(), asks(), model(WORD)], []),
    "the model first": ([model(WORD), asks(), model(WORD)], [(1, "first-not-user")]),
    "calls after the model's words": (
        [asks(), model(WORD), model(fcall()), back(freply())],
        [(2, "call-after-model")],
    ),
    "half a parallel group": ([asks(), model(fcall(), fcall()), back(freply())], [(1, COUNT)]),
    "a response too many": ([asks(), model(fcall()), back(freply(), freply())], [(1, COUNT)]),
    "responses over two entries": (
        [asks(), model(fcall(), fcall()), back(freply()), back(freply())],
        [(1, COUNT), (3, APART)],
    ),
    "a response too late": (
        [asks(), model(fcall()), asks(), model(WORD), back(freply())],
        [(1, COUNT), (4, APART)],
    ),
    "no response": ([asks(), model(fcall()), asks()], [(1, COUNT)]),
    "an orphan": ([asks(), back(freply())], [(1, APART)]),
    "an orphan that begins": ([back(freply()), model(WORD)], [(0, APART), (1, "first-not-user")]),
    "no parts": ([asks(), {"role": "model"}, back()], [(1, "empty-parts"), (2, "empty-parts")]),
    "a part of nothing": ([asks(), model({"thought": True}, WORD)], [(1, "part-data")]),
    "a part of two things": (
        [asks(), model({**WORD, **fcall()}), back(freply())],
        [(1, "part-data")],
    ),
    "an empty text": ([asks(""), model({"text": "", **SIGNED})], [(0, "empty-text")]),
    "no name": (
        [asks(), model({"functionCall": {"args": {}}}), back(freply(name=""))],
        [(1, "missing-name"), (2, "missing-name")],
    ),
    "a response as text": (
        [asks(), model(fcall()), back(freply(response="42"))],
        [(2, "not-an-object")],
    ),
    "a call of the user's": (
        [asks(), back(fcall()), model(freply())],
        [(1, "part-role"), (2, "part-role")],
    ),
    "a signature lost": (
        [asks(), model(fcall(**SIGNED)), back(freply()), model(fcall()), back(freply())],
        [(3, "call-unsigned")],
    ),
    "a signature lost long ago": (
        [asks(), model(fcall()), back(freply()), model(fcall(**SIGNED)), back(freply())],
        [],
    ),
    "a model that signs nothing": ([asks(), model(fcall()), back(freply())], []),
}


@pytest.mark.parametrize("case", GEMINI_CASES)
def test_gemini(case: str) -> None:
    entries, expected = GEMINI_CASES[case]
    assert found("gemini", entries) == expected


# Bedrock Converse


def tool_use(call_id: str, **fields: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": call_id, "name": "f", "input": {}, **fields}}


def tool_result(call_id: str, **fields: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": call_id, "content": [{"text": "out"}], **fields}}


DOCUMENT = {"document": {"name": "a", "format": "pdf", "source": {"bytes": b"x"}}}
BEDROCK_CASES: dict[str, tuple[Entries, list[tuple[int, str]]]] = {
    "a tool loop": (
        [
            gives(WORD),
            says({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}, WORD),
            gives(WORD, {"cachePoint": {"type": "default"}}),
            says(tool_use("a"), tool_use("b")),
            gives(tool_result("b"), tool_result("a", status="error"), WORD),
            says(WORD),
        ],
        [],
    ),
    "two messages of the user's": ([gives(WORD), gives(WORD), says(WORD)], [(1, "same-role")]),
    "the assistant first": ([says(WORD), gives(WORD)], [(1, "first-not-user")]),
    "the assistant twice": ([gives(WORD), says(WORD), says(WORD)], [(2, "same-role")]),
    "an unanswered call": (
        [gives(WORD), says(tool_use("a")), gives(WORD)],
        [(1, "use-without-result")],
    ),
    "results over two messages": (
        [gives(WORD), says(tool_use("a"), tool_use("b")), *map(gives, map(tool_result, "ab"))],
        [(1, "use-without-result"), (3, "result-without-use"), (3, "same-role")],
    ),
    "an orphan": (
        [gives(WORD), says(WORD), gives(tool_result("a"))],
        [(2, "result-without-use")],
    ),
    "an id twice": (
        [gives(WORD), says(*[tool_use("a")] * 2), gives(*[tool_result("a")] * 2)],
        [(1, "duplicate-use"), (2, "duplicate-result")],
    ),
    "the same id in two turns": (
        [gives(WORD), *[says(tool_use("a")), gives(tool_result("a"))] * 2],
        [],
    ),
    "blank texts": (
        [gives({"text": " "}), says({"text": ""})],
        [(0, "blank-text"), (1, "blank-text")],
    ),
    "no content": ([gives(WORD), says(), gives(WORD)], [(1, "empty-content")]),
    "a block of nothing and one of two": (
        [gives({}, {**WORD, "cachePoint": {"type": "default"}})],
        [(0, "one-key"), (0, "one-key")],
    ),
    "a key that Converse has not": ([gives(WORD, {"thought": "x"})], [(0, "one-key")]),
    "calls on the wrong side": (
        [gives(tool_use("a")), says(tool_result("a"))],
        [(0, "block-role"), (1, "block-role")],
    ),
    "an odd id and name": (
        [gives(WORD), says(tool_use("a b", name="f.g")), gives(tool_result("a b"))],
        [(1, "tool-id"), (1, "tool-name"), (2, "tool-id")],
    ),
    "an input as text": (
        [gives(WORD), says(tool_use("a", input="{}")), gives(tool_result("a"))],
        [(1, "input-not-object")],
    ),
    "a failure without words": (
        [gives(WORD), says(tool_use("a")), gives(tool_result("a", content=[], status="error"))],
        [(2, "empty-error")],
    ),
    "a document alone": ([gives(DOCUMENT)], [(0, "document-without-text")]),
    "a document and words": ([gives(DOCUMENT, WORD)], []),
    "a system message": (
        [{"role": "system", "content": [WORD]}, gives(WORD)],
        [(0, "system-role")],
    ),
    "white space at the end": ([gives(WORD), says({"text": "Well, "})], [(1, "trailing-space")]),
}


@pytest.mark.parametrize("case", BEDROCK_CASES)
def test_bedrock(case: str) -> None:
    entries, expected = BEDROCK_CASES[case]
    assert found("bedrock", entries) == expected


@pytest.mark.parametrize("name", DIALECTS)
def test_every_rule_names_its_own_source(name: str) -> None:
    """Each of the cases above breaks some; together they break all that have a source."""
    cases = {
        "openai-chat": CHAT_CASES,
        "openai-responses": RESPONSES_CASES,
        "anthropic": ANTHROPIC_CASES,
        "gemini": GEMINI_CASES,
        "bedrock": BEDROCK_CASES,
    }[name]
    rules = import_module(f"lre.dialects.rules.{name.replace('-', '_')}")
    assert {rule for _, expected in cases.values() for _, rule in expected} == {*rules.SOURCES}


@pytest.mark.parametrize("name", DIALECTS)
def test_messages_without_raw_are_judged_as_they_would_be_written(name: str) -> None:
    dialect = DIALECTS[name]
    history = [
        Message("user", (Text("Go"),)),
        Message("assistant", (ToolCall("a", "f", "{}"), ToolCall("b", "f", "{}"))),
        Message("tool", (ToolResult("a", "1"), ToolResult("b", "2"))),
        Message("assistant", (Text("Done"),)),
    ]
    assert dialect.problems(history) == []
    assert [problem.index for problem in dialect.problems(history[:2])] == [1] * (
        2 if name == "openai-responses" else 1
    )


@pytest.mark.parametrize("name", DIALECTS)
def test_an_empty_list_has_no_problem(name: str) -> None:
    assert DIALECTS[name].problems([]) == []
