"""LlamaIndex's function agent, with a chat store, runs within the budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run
from provider import Provider, serving

pytest.importorskip("llama_index.core")

from examples.llama_index import MEMORY, build
from examples.llama_index_memory import build as build_engine
from llama_index.core.agent.workflow import AgentStream, FunctionAgent
from llama_index.core.base.llms.types import ThinkingBlock, ToolCallBlock
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms import ChatMessage, CitableBlock, ImageBlock, TextBlock
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from pydantic import BaseModel, Field

from lre.integrations.llama_index import EvictionEvent, EvictionLLM, Messages
from lre.integrations.llama_index_memory import EvictionMemory

EVERYTHING = 10**9  # tokens


class Listener(BaseEventHandler):  # type: ignore[misc]
    """Hears the events of a run."""

    told: list[Any] = Field(default_factory=list)

    def handle(self, event: Any, **_: Any) -> None:
        if isinstance(event, EvictionEvent):
            self.told.append(event)


def model(url: str) -> OpenAI:
    return OpenAI("gpt-4o-mini", api_base=f"{url}/v1", api_key="none", reuse_client=False)


class LlamaIndexAgent:
    def __init__(self, llm: EvictionLLM, store: str | None) -> None:
        self.llm, self.listener = llm, Listener()
        get_dispatcher().event_handlers = [self.listener]
        self.memory = ChatMemoryBuffer(token_limit=EVERYTHING, chat_store=SimpleChatStore())
        self.memory.set([ChatMessage.model_validate(one) for one in json.loads(store or "[]")])

    async def run(self, text: str, *, streams: bool) -> tuple[str, str]:
        agent = FunctionAgent(
            llm=self.llm, tools=[lookup], system_prompt="You audit records.", streaming=streams
        )
        handler = agent.run(text, memory=self.memory, max_iterations=100)
        pieces = [e.delta async for e in handler.stream_events() if isinstance(e, AgentStream)]
        return str(await handler), "".join(pieces)

    async def aask(self, text: str) -> str:
        return (await self.run(text, streams=False))[0]

    def ask(self, text: str) -> str:
        return asyncio.run(self.aask(text))

    def stream(self, text: str) -> str:
        return asyncio.run(self.run(text, streams=True))[1]

    @property
    def store(self) -> str:
        return json.dumps([message.model_dump(mode="json") for message in self.memory.get_all()])

    def stored(self) -> str:
        return self.store

    def told(self) -> Sequence[Any]:
        return self.listener.told


class TestLlamaIndex(IntegrationContract):
    name = "llama_index"

    def integration(self, url: str, **settings: Any) -> EvictionLLM:
        return EvictionLLM(model(url), **settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:  # noqa: ARG002
        return LlamaIndexAgent(integration, store)

    def test_results_can_be_cut_line_by_line(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        results = [text for m in provider.seen[run][-1] for _, text in m.results]
        assert any(" tokens cut]" in text for text in results)


@pytest.fixture
def provider() -> Any:
    with serving() as provider:
        yield provider


def test_the_example_of_the_guide_runs(provider: Provider) -> None:
    async def ask(text: str) -> str:
        agent = build(model(provider.url), [lookup])
        return str(await agent.run(text, memory=MEMORY, max_iterations=100))

    run, task = new_run()
    assert f"Turn 0 of {run} is done" in asyncio.run(ask(task))
    assert provider.refused == []
    assert any(evicted(provider.seen[run]))
    assert len(MEMORY.get_all()) > 64


def test_the_wrapped_model_calls_tools_and_streams_by_itself(provider: Provider) -> None:
    run, task = new_run()
    llm = EvictionLLM(model(provider.url), budget=BUDGET)
    tools = [FunctionTool.from_defaults(lookup)]
    response = llm.chat_with_tools(tools, task)
    assert [call.tool_name for call in llm.get_tool_calls_from_response(response)] == ["lookup"]
    assert len([*llm.stream_chat_with_tools(tools, task)]) > 1
    assert llm.metadata.model_name == "gpt-4o-mini"
    assert len(provider.seen[run]) == 2


def test_tools_count(provider: Provider) -> None:
    receipts: list[Any] = []
    llm = EvictionLLM(model(provider.url), budget=BUDGET, on_receipt=receipts.append)
    llm.chat([ChatMessage("Hi")])
    llm.chat_with_tools([FunctionTool.from_defaults(lookup)], "Hi")
    assert receipts[0].before < receipts[1].before


def test_structured_answers_go_through_the_budget(provider: Provider) -> None:
    class Found(BaseModel):
        """What was found."""

        ref: str

    receipts: list[Any] = []
    llm = EvictionLLM(model(provider.url), budget=BUDGET, on_receipt=receipts.append)
    with pytest.raises(KeyError, match="lookup"):  # the scripted model knows no schema
        llm.as_structured_llm(Found).chat([ChatMessage("Which?")])
    assert len(receipts) == 1


def test_each_block_but_texts_survives_a_cut() -> None:
    call = ToolCallBlock(tool_call_id="a", tool_name="lookup", tool_kwargs={"ref": "R-1"})
    thought = ThinkingBlock(content="Hm.", additional_information={"signature": "sealed"})
    cited = CitableBlock(title="Book", source="shelf", content="A page.")
    blocks = [thought, TextBlock(text="One."), ImageBlock(url="http://a/b.png"), cited, call]
    message = ChatMessage(role="assistant", blocks=[*blocks, TextBlock(text="Two.")])
    translator = Messages()
    entry = translator.read(message)
    assert translator.write(entry, message) == message
    entry["content"][0]["text"] = "[cut]"
    cut = translator.write(entry, message)
    assert cut.blocks == [thought, TextBlock(text="[cut]"), *message.blocks[2:]]
    assert message.blocks[1].text == "One."


def test_calls_that_stand_beside_the_blocks_are_seen() -> None:
    called = {"id": "a", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}
    message = ChatMessage(role="assistant", additional_kwargs={"tool_calls": [called]})
    assert Messages().read(message)["tool_calls"] == [called]


def test_a_chat_engine_reads_less_of_its_memory_than_it_holds(provider: Provider) -> None:
    run, task = new_run()
    store = SimpleChatStore()
    engine = build_engine(model(provider.url), store)
    for step in range(24):
        note = f"Note {step} of {task} {lookup(str(step))}"
        engine._memory.put_messages([ChatMessage(note), ChatMessage("Noted.", role="assistant")])
    engine.chat("Go on.")
    assert len(provider.seen[run][0]) < 49
    assert len(store.get_messages(engine._memory.chat_store_key)) == 50
    assert engine._memory.get() == asyncio.run(engine._memory.aget())


def test_a_memory_begins_with_a_history_and_keeps_its_store() -> None:
    store = SimpleChatStore()
    history = [ChatMessage("Hi")]
    memory = EvictionMemory.from_defaults(history, budget=400, chat_store=store)
    assert store.get_messages(memory.chat_store_key) == memory.get() == history
    memory.reset()
    assert memory.get_all() == []
