"""A history is saved as JSON, whatever objects it was made of, and decides as before."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from anthropic.types import TextBlock, ToolUseBlock, Usage
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseFunctionToolCall

from lre import History
from lre.errors import InputError, LreError, MessageError, SettingError
from lre.policies.fifo import Fifo
from lre.testing.samples import SAMPLES
from lre.testing.wire import WRITERS, Turn

Entry = dict[str, Any]


def said(text: str, role: str = "user") -> Entry:
    return {"role": role, "content": text}


def same(history: History, other: History) -> bool:
    return history.eviction.receipt.to_dict() == other.eviction.receipt.to_dict()


def grown(messages: list[Any], **settings: Any) -> History:
    history = History(**settings)
    for message in messages:
        history.append(message)
    return history


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {"budget": 300},
    "a share": {"older_budget": "30%", "policy": "random", "segmenter": "react"},
    "pins": {"budget": 200, "pin": ["W\\d+", 0], "recent": 0, "counter": "estimate"},
    "beside": {"budget": 400, "system": [{"type": "text", "text": "Be brief."}], "tools": [{}]},
}


@pytest.mark.parametrize("dialect", SAMPLES)
@pytest.mark.parametrize("name", SETTINGS)
def test_a_saved_history_decides_as_before(name: str, dialect: str) -> None:
    history = grown(SAMPLES[dialect], **SETTINGS[name])
    saved = json.dumps(history.to_dict())
    again = History.from_dict(json.loads(saved))
    assert same(history, again)
    assert again.messages == history.messages
    turns = (Turn("user", ("Is that all?",)), Turn("assistant", ("It is.",)))
    for one in (history, again):
        one.extend([entry for turn in turns for entry in WRITERS[dialect](turn)])
    assert same(history, again)
    assert (
        json.loads(json.dumps(again.to_dict()))["messages"][: len(SAMPLES[dialect])]
        == (SAMPLES[dialect])
    )


def test_saving_changes_nothing() -> None:
    history = grown(SAMPLES["anthropic"], budget=300)
    before = copy.deepcopy(SAMPLES["anthropic"])
    history.to_dict()["messages"][0]["content"] = "changed"
    assert SAMPLES["anthropic"] == before


ANTHROPIC_REPLY = AnthropicMessage(
    id="msg_1",
    content=[
        TextBlock(type="text", text="Let me look."),
        ToolUseBlock(type="tool_use", id="toolu_1", name="look", input={"what": "HAT021"}),
    ],
    model="claude",
    role="assistant",
    type="message",
    usage=Usage(input_tokens=9, output_tokens=9),
)
CHAT_REPLY = ChatCompletionMessage.model_validate(
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "look", "arguments": '{"what": "HAT021"}'},
            }
        ],
    }
)
ITEM = ResponseFunctionToolCall(
    type="function_call", call_id="call_1", name="look", arguments='{"what": "HAT021"}'
)
WITH_SDK_OBJECTS: dict[str, list[Any]] = {
    "Anthropic blocks in a dict": [
        said("Look."),
        {"role": "assistant", "content": list(ANTHROPIC_REPLY.content)},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 seats"}],
        },
    ],
    "an Anthropic message": [said("Look."), ANTHROPIC_REPLY],
    "an OpenAI message": [
        said("Look."),
        CHAT_REPLY,
        {"role": "tool", "tool_call_id": "call_1", "content": "4 seats"},
    ],
    "OpenAI calls in a dict": [
        said("Look."),
        {"role": "assistant", "content": None, "tool_calls": CHAT_REPLY.tool_calls},
        {"role": "tool", "tool_call_id": "call_1", "content": "4 seats"},
    ],
    "a Responses item": [
        said("Look."),
        ITEM,
        {"type": "function_call_output", "call_id": "call_1", "output": "4 seats"},
    ],
}


@pytest.mark.parametrize("case", WITH_SDK_OBJECTS)
def test_sdk_objects_are_kept_as_they_are_and_saved_as_dicts(case: str) -> None:
    messages = WITH_SDK_OBJECTS[case]
    history = grown(messages, budget=4000)
    assert all(a is b for a, b in zip(history.messages, messages, strict=True))
    again = History.from_dict(json.loads(json.dumps(history.to_dict())))
    assert same(history, again)
    assert again.eviction.dialect == history.eviction.dialect
    assert "HAT021" in json.dumps(again.messages)


UNSAVABLE: dict[str, dict[str, Any]] = {
    "policy": {"policy": Fifo()},
    "counter": {"counter": len},
    "pin[1]": {"pin": [0, lambda raw: "keep" in raw]},
    "pin[0]": {"pin": [re.compile("W1")]},
}


@pytest.mark.parametrize("where", UNSAVABLE)
def test_a_setting_that_json_cannot_hold_is_named(where: str) -> None:
    history = grown([said("Hi")], budget=100, **UNSAVABLE[where])
    with pytest.raises(SettingError, match="is an object that JSON cannot hold") as caught:
        history.to_dict()
    assert caught.value.where == where


def test_a_message_that_json_cannot_hold_is_named() -> None:
    history = grown([said("Hi"), said("x") | {"extra": {"at": datetime.now(UTC)}}], budget=100)
    with pytest.raises(MessageError, match="datetime is an object that JSON cannot hold") as caught:
        history.to_dict()
    assert caught.value.where == "messages[1].extra.at"


def damaged() -> Iterator[tuple[str, Any]]:
    sound = grown([said("Hi")], budget=100).to_dict()
    yield "nothing", None
    yield "a list", [sound]
    yield "another format", {**sound, "format": "zip"}
    yield "a later version", {**sound, "version": 2}
    yield "no settings", {k: v for k, v in sound.items() if k != "settings"}
    yield "an unknown setting", {**sound, "settings": {**sound["settings"], "speed": 9}}
    yield "no messages", {k: v for k, v in sound.items() if k != "messages"}
    yield "a broken message", {**sound, "messages": [{"role": "nobody"}]}
    yield "a broken setting", {**sound, "settings": {**sound["settings"], "budget": -1}}


@pytest.mark.parametrize(("what", "data"), list(damaged()), ids=[w for w, _ in damaged()])
def test_what_is_no_saved_history_gets_one_clear_line(what: str, data: Any) -> None:
    with pytest.raises(LreError) as caught:
        History.from_dict(data)
    assert isinstance(caught.value, InputError | SettingError), what
    assert "\n" not in str(caught.value)
    assert caught.value.remedy
