"""AutoGen's assistant agent, with saved states, runs within the budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run
from heard import Heard
from provider import Provider

pytest.importorskip("autogen_agentchat")

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import ModelClientStreamingChunkEvent
from autogen_core import EVENT_LOGGER_NAME, FunctionCall, Image
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    SystemMessage,
    UserMessage,
)
from autogen_ext.models.openai import OpenAIChatCompletionClient
from examples.autogen import build

from lre.integrations.autogen import EvictionContext, Messages

MODEL = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "family": "unknown",
}


def client(url: str) -> OpenAIChatCompletionClient:
    return OpenAIChatCompletionClient(
        model="tiny", base_url=f"{url}/v1", api_key="none", model_info=MODEL
    )


class AutoGenAgent:
    def __init__(self, url: str, context: Callable[[], EvictionContext], state: Any) -> None:
        self.url, self.context, self.listener = url, context(), Heard(EVENT_LOGGER_NAME)
        if state:
            asyncio.run(self.assistant().load_state(state))

    def assistant(self, *, streams: bool = False) -> AssistantAgent:
        return AssistantAgent(
            "clerk",
            client(self.url),
            tools=[lookup],
            model_context=self.context,
            model_client_stream=streams,
            max_tool_iterations=100,
        )

    async def events(self, text: str, *, streams: bool = False) -> list[Any]:
        assistant = self.assistant(streams=streams)
        events = [event async for event in assistant.run_stream(task=text)]
        await assistant._model_client.close()
        return events

    def ask(self, text: str) -> str:
        return asyncio.run(self.aask(text))

    async def aask(self, text: str) -> str:
        return str((await self.events(text))[-1].messages[-1].content)

    def stream(self, text: str) -> str:
        events = asyncio.run(self.events(text, streams=True))
        pieces = [e.content for e in events if isinstance(e, ModelClientStreamingChunkEvent)]
        return "".join(pieces)

    @property
    def store(self) -> Any:
        return asyncio.run(self.assistant().save_state())

    def stored(self) -> str:
        return json.dumps(self.store)

    def told(self) -> Sequence[Any]:
        return self.listener.texts


class TestAutoGen(IntegrationContract):
    name = "autogen"

    def integration(self, url: str, **settings: Any) -> Any:  # noqa: ARG002
        return partial(EvictionContext, **settings)  # a context belongs to one agent

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return AutoGenAgent(url, integration, store)

    def test_the_example_of_the_guide_runs(self, provider: Provider) -> None:
        async def ask(text: str) -> str:
            agent = build(client(provider.url), [lookup])
            result = await agent.run(task=text)
            await agent._model_client.close()
            return str(result.messages[-1].content)

        run, task = new_run()
        assert f"Turn 0 of {run} is done" in asyncio.run(ask(task))
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_results_can_be_cut_line_by_line(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET, granularity="span")
        agent.ask(task)
        assert provider.refused == []
        results = [text for m in provider.seen[run][-1] for _, text in m.results]
        cut = [text for text in results if " tokens cut]" in text]
        assert cut, "no result was cut"


def the_kinds() -> list[LLMMessage]:
    """Give one message of each kind that AutoGen has."""
    calls = [FunctionCall(id=i, name="lookup", arguments='{"ref": "R-1"}') for i in "ab"]
    results = [
        FunctionExecutionResult(call_id="a", name="lookup", content="found"),
        FunctionExecutionResult(call_id="b", name="lookup", content="no such", is_error=True),
    ]
    return [
        SystemMessage(content="Be brief."),
        UserMessage(content=["What is this?", _image()], source="user"),
        AssistantMessage(content=calls, thought="Two at once.", source="clerk"),
        FunctionExecutionResultMessage(content=results),
        AssistantMessage(content="A dot.", thought="It is small.", source="clerk"),
    ]


def _image() -> Image:
    from PIL.Image import new

    return Image(new("RGB", (1, 1)))


def test_each_kind_comes_back_with_another_text_and_all_else_as_it_was() -> None:
    translator = Messages()
    for message in the_kinds():
        entry = translator.read(message)
        assert translator.write(entry, message) == message
        for block in entry["content"]:
            key = {"text": "text", "tool_result": "content"}.get(block["type"])
            if key:
                block[key] = "[cut]"
        cut = translator.write(entry, message)
        assert type(cut) is type(message)
        assert ("[cut]" in str(cut)) == (message.type != "AssistantMessage" or cut != message)
        assert "[cut]" not in str(message)
        assert getattr(cut, "thought", None) == getattr(message, "thought", None)


def test_parallel_results_stay_in_one_message() -> None:
    context = EvictionContext(budget=400, recent=1, initial_messages=_long())
    shown = asyncio.run(context.get_messages())
    assert len(shown) < len(_long())
    for before, after in pairwise(shown):
        if isinstance(before, AssistantMessage) and isinstance(before.content, list):
            assert isinstance(after, FunctionExecutionResultMessage)
            assert [r.call_id for r in after.content] == [c.id for c in before.content]


def _long() -> list[LLMMessage]:
    messages: list[LLMMessage] = [UserMessage(content="Audit all records.", source="user")]
    for step in range(12):
        ids = [f"{step}-{letter}" for letter in "ab"]
        calls = [FunctionCall(id=i, name="lookup", arguments="{}") for i in ids]
        results = [
            FunctionExecutionResult(call_id=i, name="lookup", content=lookup(i)) for i in ids
        ]
        messages.append(AssistantMessage(content=calls, source="clerk"))
        messages.append(FunctionExecutionResultMessage(content=results))
    return messages


def test_system_and_tools_count() -> None:
    receipts: list[Any] = []
    besides: tuple[dict[str, Any], ...] = (
        {},
        {"system": "Be brief.", "tools": [{"name": "lookup"}]},
    )
    for beside in besides:
        context = EvictionContext(
            budget=8000, initial_messages=_long(), on_receipt=receipts.append, **beside
        )
        asyncio.run(context.get_messages())
    assert receipts[0].before < receipts[1].before


def test_a_context_is_a_component() -> None:
    context = EvictionContext(budget=8000, granularity="span", initial_messages=_long()[:1])
    again = EvictionContext.load_component(context.dump_component())
    assert again.dump_component() == context.dump_component()
    assert asyncio.run(again.get_messages()) == _long()[:1]
