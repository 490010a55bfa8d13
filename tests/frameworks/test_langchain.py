"""LangChain's own agent, with a checkpointer, runs within the budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from contract import BUDGET, STEPS, IntegrationContract, evicted, lookup, new_run, reference
from provider import Provider, record

pytest.importorskip("langchain")

from examples.langchain import Receipts, build
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

import lre.dialects
from lre.dialects.slots import with_texts
from lre.integrations.langchain import EvictionMiddleware
from lre.integrations.langchain_messages import Messages, plain_tools
from lre.messages import Media, Message, Reasoning, Text, ToolCall, ToolResult


class LangChainAgent:
    def __init__(self, url: str, middleware: EvictionMiddleware, store: Any) -> None:
        self.store, self.listener = store, Receipts()
        self.graph = create_agent(
            self.model(url), [lookup], middleware=[middleware], checkpointer=store
        )
        thread = {"thread_id": "one"}
        self.config = {
            "configurable": thread,
            "callbacks": [self.listener],
            "recursion_limit": 200,
        }

    @staticmethod
    def model(url: str) -> ChatOpenAI:
        return ChatOpenAI(model="tiny", base_url=f"{url}/v1", api_key="none", stream_usage=True)

    def ask(self, text: str) -> str:
        state = self.graph.invoke({"messages": [("user", text)]}, self.config)
        return str(state["messages"][-1].content)

    async def aask(self, text: str) -> str:
        state = await self.graph.ainvoke({"messages": [("user", text)]}, self.config)
        return str(state["messages"][-1].content)

    def stream(self, text: str) -> str:
        asked = {"messages": [("user", text)]}
        pieces = self.graph.stream(asked, self.config, stream_mode="messages")
        return "".join(str(piece.content) for piece, _ in pieces)

    def stored(self) -> str:
        messages = self.graph.get_state(self.config).values["messages"]
        return "\n".join(str(message.content) for message in messages)

    def told(self) -> Sequence[Any]:
        return self.listener.told


MODELS: dict[str, Callable[[str], Any]] = {
    "messages": lambda url: ChatAnthropic(model="tiny", base_url=url, api_key="none"),
    "responses": lambda url: ChatOpenAI(
        model="tiny",
        base_url=f"{url}/v1",
        api_key="none",
        use_responses_api=True,
        include=["reasoning.encrypted_content"],
        store=False,
    ),
}
THOUGHTS = {"messages": '"signature"', "responses": '"encrypted_content"'}


class TestLangChain(IntegrationContract):
    name = "langchain"

    def integration(self, url: str, **settings: Any) -> EvictionMiddleware:  # noqa: ARG002
        return EvictionMiddleware(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> LangChainAgent:
        return LangChainAgent(url, integration, store or InMemorySaver())

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        run, task = new_run()
        state = build([lookup]).invoke({"messages": [("user", task)]}, {"recursion_limit": 200})
        assert f"Turn 0 of {run} is done" in state["messages"][-1].text
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_spans_are_cut_and_what_is_left_is_word_for_word(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        results = {
            result for request in provider.seen[run] for m in request for result in m.results
        }
        assert any("tokens cut]" in text for _, text in results)
        for call_id, text in results:
            kept = [line for line in text.splitlines() if "tokens cut]" not in line]
            assert all(line in record(reference(call_id)) for line in kept)

    @pytest.mark.parametrize("granularity", ["unit", "span"])
    @pytest.mark.parametrize("api", ["messages", "responses"])
    def test_thoughts_and_calls_are_as_other_apis_want_them(
        self, provider: Provider, api: str, granularity: str
    ) -> None:
        run, task = new_run()
        ours = EvictionMiddleware(BUDGET, granularity=granularity)
        graph = create_agent(MODELS[api](provider.url), [lookup], middleware=[ours])
        state = graph.invoke({"messages": [("user", task)]}, {"recursion_limit": 200})
        assert provider.refused == []
        assert f"Turn 0 of {run} is done" in state["messages"][-1].text
        assert any(evicted(provider.seen[run]))
        last = json.dumps(provider.bodies[run][-1])
        assert THOUGHTS[api] in last

    def test_receipts_are_events_of_async_runs_too(self, provider: Provider) -> None:
        _, task = new_run()
        agent = self.agent(provider.url, EvictionMiddleware(BUDGET))
        asyncio.run(agent.aask(task))
        assert len(agent.told()) == STEPS

    def test_summaries_beside_it_change_nothing_but_the_state(self, provider: Provider) -> None:
        """The state is summed up at 40 messages; what is sent fits from then on as before."""
        run, task = new_run()
        sums = FakeListChatModel(responses=[task])
        summary = SummarizationMiddleware(sums, trigger=("messages", 40), keep=("messages", 20))
        receipts: list[Any] = []
        both = [summary, EvictionMiddleware(BUDGET, on_receipt=receipts.append)]
        graph = create_agent(LangChainAgent.model(provider.url), [lookup], middleware=both)
        state = graph.invoke({"messages": [("user", task)]}, {"recursion_limit": 400})
        assert "Here is a summary" in state["messages"][0].text
        assert f"Turn 0 of {run} is done" in state["messages"][-1].text
        assert provider.refused == []
        assert len(receipts) == STEPS
        assert all(receipt.after <= BUDGET for receipt in receipts)

    def test_tools_and_prompt_are_counted(self, provider: Provider) -> None:
        _, task = new_run()
        receipts: list[Any] = []
        ours = EvictionMiddleware(BUDGET, on_receipt=receipts.append)
        model = LangChainAgent.model(provider.url)
        for prompt in (None, "Audit with care. " * 100):
            graph = create_agent(model, [lookup], middleware=[ours], system_prompt=prompt)
            graph.invoke({"messages": [("user", task)]}, {"recursion_limit": 200})
        assert receipts[STEPS].before - receipts[0].before > 300


CLAUDE = AIMessage(
    [
        {"type": "thinking", "thinking": "Which of them? " * 20, "signature": "c2ln" * 100},
        {"type": "text", "text": "One line to keep.\n" + "Another line to cut.\n" * 40},
        {"type": "tool_use", "id": "t1", "name": "lookup", "input": {"ref": "R-1-a"}},
    ],
    tool_calls=[{"id": "t1", "name": "lookup", "args": {"ref": "R-1-a"}}],
)


class TestMessages:
    """What `Messages` makes of the messages of other providers."""

    def read(self, message: Any) -> Message:
        [read] = lre.dialects.read(lre.dialects.get("openai-chat"), [Messages().read(message)])
        return read

    def test_a_call_among_the_content_is_read_once(self) -> None:
        parts = self.read(CLAUDE).parts
        assert [part for part in parts if isinstance(part, ToolCall)] == [
            ToolCall("t1", "lookup", '{"ref": "R-1-a"}')
        ]
        assert not any("tool_use" in part.text for part in parts if isinstance(part, Text))

    @pytest.mark.parametrize(
        "block",
        [
            {"type": "thinking", "thinking": "Hm", "signature": "abcd"},
            {"type": "reasoning", "reasoning": "Hm", "extras": {"signature": "abcd"}},
            {"type": "reasoning", "summary": "Hm", "encrypted_content": "abcd"},
        ],
    )
    def test_thoughts_are_reasoning(self, block: dict[str, Any]) -> None:
        assert self.read(AIMessage([block])).parts[0] == Reasoning("Hm", 4)

    def test_a_cut_message_keeps_its_thoughts_and_calls(self) -> None:
        entry = Messages().read(CLAUDE)
        at = ("content", 1, "text")
        assert lre.dialects.get("openai-chat").slots(entry) == [at]
        cut = Messages().write(with_texts(entry, {at: "One line to keep."}), CLAUDE)
        thinking, text, use = cut.content
        assert [thinking, use] == [CLAUDE.content[0], CLAUDE.content[2]]
        assert text == {"type": "text", "text": "One line to keep."}
        assert cut.tool_calls == CLAUDE.tool_calls
        assert CLAUDE.text.startswith("One line to keep.\nAnother")

    def test_a_failed_tool_is_an_error(self) -> None:
        failed = ToolMessage("No such record", tool_call_id="t1", status="error")
        assert self.read(failed).parts == (ToolResult("t1", "No such record", is_error=True),)

    def test_a_call_that_could_not_be_read_still_has_its_answer(self) -> None:
        call = {"id": "t1", "name": "lookup", "args": "{ref", "error": "no JSON"}
        parts = self.read(AIMessage("", invalid_tool_calls=[call])).parts
        assert parts == (ToolCall("t1", "lookup", "{ref"),)

    @pytest.mark.parametrize(
        "block",
        [
            {"type": "image", "base64": "iVBOR" * 40_000, "mime_type": "image/png"},
            {"type": "image", "url": "https://example.org/a.png"},
        ],
    )
    def test_an_image_costs_what_an_image_costs(self, block: dict[str, Any]) -> None:
        assert self.read(HumanMessage([block])).parts == (Media("image", 1536),)

    def test_roles(self) -> None:
        said = [SystemMessage("a"), ChatMessage("b", role="developer"), AIMessageChunk("c")]
        assert [self.read(message).role for message in said] == ["system", "developer", "assistant"]

    def test_a_summary_is_a_message_of_the_users(self) -> None:
        assert Messages().write({"role": "user", "content": "Before: …"}, None) == HumanMessage(
            "Before: …"
        )

    def test_tools_that_cannot_be_written_break_nothing(self) -> None:
        assert plain_tools([object()]) is None
        assert plain_tools([lookup])[0]["function"]["name"] == "lookup"  # type: ignore[index]
