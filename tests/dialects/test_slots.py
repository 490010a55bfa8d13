"""Only what was said or given back may be cut; copies share what they leave alone."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from anthropic.types import Message as Reply
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseOutputMessage
from openai.types.responses.response_input_item import FunctionCallOutput

from lre.dialects import DIALECTS, Dialect
from lre.dialects.slots import Path, slot_text, with_texts
from lre.errors import MessageError
from lre.testing.strategies import junk, mangled

CHAT, RESPONSES, ANTHROPIC, GEMINI, BEDROCK = DIALECTS.values()
THOUGHT = {"type": "thinking", "thinking": "x", "signature": "x"}
REFUSAL = {"type": "refusal", "refusal": "x"}
IMAGE = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"text": "x"}'}}
USE = {"type": "tool_use", "id": "x", "name": "x", "input": {"text": "x"}}
LINK = [{"type": "url_citation", "start_index": 0, "end_index": 1}]


def text(words: str = "x", kind: str = "text", **beside: Any) -> dict[str, Any]:
    return {"type": kind, "text": words, **beside}


def said(content: object, role: str = "assistant", **beside: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **beside}


def output(kind: str, value: object) -> dict[str, Any]:
    return {"type": f"{kind}_output", "call_id": "c", "output": value}


def result(content: object, kind: str = "tool_result") -> dict[str, Any]:
    return {"type": kind, "tool_use_id": "x", "content": content}


def contents(*parts: object) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def responded(**response: object) -> dict[str, Any]:
    return {"functionResponse": {"name": "f", "response": response}}


def answered(*blocks: object) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": "x", "content": list(blocks)}}


TOLD: Path = ("parts", 0, "functionResponse", "response")
WHOLE: Path = ("content",)


def block(place: int) -> Path:
    return ("content", place, "text")


ENTRIES: list[tuple[Dialect, Any, list[Path]]] = [
    (CHAT, said("x", "user", name="x"), [WHOLE]),
    (CHAT, said("x", "tool", tool_call_id="x"), [WHOLE]),
    (CHAT, said("x", tool_calls=[CALL], reasoning_content="x"), [WHOLE]),
    (CHAT, said([text(), IMAGE, text(), "x"]), [block(0), block(2), ("content", 3)]),
    (CHAT, said(None, tool_calls=[CALL], refusal="x"), []),
    (CHAT, said([REFUSAL, THOUGHT, text("")]), []),
    (CHAT, said("x", annotations=LINK), []),
    (RESPONSES, said("x", "user"), [WHOLE]),
    (RESPONSES, said([REFUSAL, text(kind="input_text")], type="message"), [block(1)]),
    (RESPONSES, said([text(kind="output_text", annotations=[])]), [block(0)]),
    (RESPONSES, said([text(kind="output_text", annotations=LINK)]), []),
    (RESPONSES, output("function_call", "x"), [("output",)]),
    (RESPONSES, output("custom_tool_call", "x"), [("output",)]),
    (RESPONSES, output("local_shell_call", "x"), [("output",)]),
    (RESPONSES, output("function_call", [text(kind="input_text")]), [("output", 0, "text")]),
    (RESPONSES, output("computer_call", {"type": "computer_screenshot", "image_url": "x"}), []),
    (RESPONSES, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "x"}, []),
    (RESPONSES, {"type": "mcp_call", "id": "c", "name": "f", "arguments": "x", "output": "x"}, []),
    (RESPONSES, {"type": "reasoning", "summary": [text()], "content": [text()]}, []),
    (RESPONSES, {"id": "x", "content": "x"}, []),
    (ANTHROPIC, said("x", "user"), [WHOLE]),
    (ANTHROPIC, said([result("x")], "user"), [("content", 0, "content")]),
    (ANTHROPIC, said([result([IMAGE, text()])], "user"), [("content", 0, "content", 1, "text")]),
    (ANTHROPIC, said([result(None), text(cache_control={"type": "x"})], "user"), [block(1)]),
    (ANTHROPIC, said([THOUGHT, text(), USE]), [block(1)]),
    (ANTHROPIC, said([text(citations=[{"type": "char_location"}])]), []),
    (ANTHROPIC, said([result([text()], "mcp_tool_result")]), []),
    (GEMINI, contents({"text": "x"}, "x"), [("parts", 0, "text"), ("parts", 1)]),
    (GEMINI, {"role": "user", "parts": "x"}, [("parts",)]),
    (GEMINI, contents({"text": "x", "thought": True}), []),
    (GEMINI, contents({"text": "x", "thoughtSignature": "x"}), []),
    (GEMINI, contents({"functionCall": {"name": "x", "args": {"text": "x"}}}), []),
    (GEMINI, contents(responded(output="x", seconds=2)), [(*TOLD, "output")]),
    (GEMINI, contents(responded(error="x")), [(*TOLD, "error")]),
    (GEMINI, contents(responded(city="x")), []),
    (
        GEMINI,
        contents({"function_response": {"response": {"result": "x"}}}),
        [("parts", 0, "function_response", "response", "result")],
    ),
    (BEDROCK, said([{"text": "x"}, {"cachePoint": {"type": "default"}}]), [block(0)]),
    (
        BEDROCK,
        said([answered({"json": {"text": "x"}}, {"text": "x"}), {"text": ""}], "user"),
        [("content", 0, "toolResult", "content", 1, "text")],
    ),
    (BEDROCK, said([{"reasoningContent": {"reasoningText": {"text": "x"}}}]), []),
    (BEDROCK, said([{"toolUse": {"toolUseId": "x", "input": {"text": "x"}}}]), []),
    (BEDROCK, said([{"citationsContent": {"content": [{"text": "x"}]}}]), []),
    (BEDROCK, said([{"guardContent": {"text": {"text": "x"}}}], "user"), []),
]


@pytest.mark.parametrize(("dialect", "entry", "paths"), ENTRIES)
def test_what_was_said_or_given_back_may_be_cut_and_nothing_else(
    dialect: Dialect, entry: Any, paths: list[Path]
) -> None:
    assert dialect.slots(entry) == paths
    assert [slot_text(entry, path) for path in paths] == ["x"] * len(paths)


REPLY = Reply.model_validate(
    said([THOUGHT, text(), text(citations=None)], id="msg_1", type="message", model="claude")
    | {"stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}
)
OBJECTS: list[tuple[Dialect, Any, list[Path]]] = [
    (CHAT, ChatCompletionMessage.model_validate(said("x", tool_calls=[CALL])), [WHOLE]),
    (
        RESPONSES,
        ResponseOutputMessage.model_validate(
            said([text(kind="output_text", annotations=[])], id="m", type="message")
            | {"status": "completed"}
        ),
        [block(0)],
    ),
    (
        RESPONSES,
        FunctionCallOutput.model_validate(output("function_call", [text(kind="input_text")])),
        [("output", 0, "text")],
    ),
    (ANTHROPIC, REPLY, [block(1), block(2)]),
]


@pytest.mark.parametrize(("dialect", "entry", "paths"), OBJECTS)
def test_sdk_objects_are_copied_as_what_they_are(
    dialect: Dialect, entry: Any, paths: list[Path]
) -> None:
    before = entry.model_dump()
    assert dialect.slots(entry) == paths
    cut = with_texts(entry, dict.fromkeys(paths, "y"))
    assert type(cut) is type(entry)
    assert [slot_text(cut, path) for path in paths] == ["y"] * len(paths)
    assert entry.model_dump() == before
    for path in paths:
        cut = with_texts(cut, {path: "x"})
    assert cut.model_dump() == before


def test_sdk_blocks_within_a_dict_are_found_and_copied() -> None:
    blocks = REPLY.content
    cut = with_texts(said(blocks), {block(1): "y"})["content"]
    assert [one is other for one, other in zip(cut, blocks, strict=True)] == [True, False, True]
    assert type(cut[1]) is type(blocks[1])
    assert [slot_text(content, (1, "text")) for content in (blocks, cut)] == ["x", "y"]


def test_only_what_lies_on_the_paths_is_copied() -> None:
    entry = said([text("a"), IMAGE, text("b")], tool_calls=[CALL], meta={"at": [1]})
    cut = with_texts(entry, {block(2): "c"})
    assert cut == {**entry, "content": [text("a"), IMAGE, text("c")]}
    assert all(cut[key] is entry[key] for key in ("tool_calls", "meta"))
    assert all(cut["content"][place] is entry["content"][place] for place in (0, 1))
    assert entry["content"][2] == text("b")


def test_without_texts_the_entry_itself_comes_back() -> None:
    entry = said("x")
    assert with_texts(entry, {}) is entry


class Dumps:
    """Has what an SDK object has at least."""

    content = "x"

    def model_dump(self, **_: object) -> dict[str, Any]:
        return said(self.content)


def test_what_cannot_be_copied_becomes_a_dict() -> None:
    frozen = MappingProxyType(said((text(),)))
    assert with_texts(frozen, {block(0): "y"}) == said((text("y"),))
    foreign: Any = Dumps()
    assert with_texts(foreign, {WHOLE: "y"}) == said("y")


@pytest.mark.parametrize("path", [WHOLE, block(7), ("content", 0, "image")])
def test_a_path_that_leads_to_no_text_is_named(path: Path) -> None:
    with pytest.raises(MessageError, match=r"no text is there @ content.*: take a path from"):
        with_texts(said([text()]), {path: "y"})


ODD = st.sampled_from(sorted(DIALECTS)).flatmap(
    lambda name: st.tuples(st.just(DIALECTS[name]), mangled(name) | st.lists(junk(), max_size=3))
)


@given(ODD)
def test_odd_entries_have_no_slots_or_sound_ones(case: tuple[Dialect, list[Any]]) -> None:
    dialect, entries = case
    before = repr(entries)
    for entry in entries:
        for path in dialect.slots(entry):
            assert slot_text(entry, path)
            assert slot_text(with_texts(entry, {path: "y"}), path) == "y"
    assert repr(entries) == before
