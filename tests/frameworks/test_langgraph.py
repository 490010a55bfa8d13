"""LangGraph's prebuilt agent, with SQLite for a checkpointer, runs within the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from contract import BUDGET, STEPS, IntegrationContract, evicted, lookup, new_run
from provider import Provider
from pydantic import BaseModel

pytest.importorskip("langgraph.prebuilt")

from examples.langchain import Receipts
from examples.langgraph import build
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.prebuilt import create_react_agent

from lre.integrations.langgraph import pre_model_hook


class LangGraphAgent:
    """Opens the database and builds the graph anew for every turn, as after a restart."""

    def __init__(self, url: str, hook: Any, store: Path) -> None:
        self.url, self.hook, self.store, self.listener = url, hook, store, Receipts()
        self.config = {
            "configurable": {"thread_id": "one"},
            "callbacks": [self.listener],
            "recursion_limit": 300,
        }

    def graph(self, saver: Any) -> Any:
        model = ChatOpenAI(model="tiny", base_url=f"{self.url}/v1", api_key="none")
        return create_react_agent(model, [lookup], pre_model_hook=self.hook, checkpointer=saver)

    def ask(self, text: str) -> str:
        with SqliteSaver.from_conn_string(str(self.store)) as saver:
            state = self.graph(saver).invoke({"messages": [("user", text)]}, self.config)
        return str(state["messages"][-1].content)

    async def aask(self, text: str) -> str:
        async with AsyncSqliteSaver.from_conn_string(str(self.store)) as saver:
            state = await self.graph(saver).ainvoke({"messages": [("user", text)]}, self.config)
        return str(state["messages"][-1].content)

    def stream(self, text: str) -> str:
        asked = {"messages": [("user", text)]}
        with SqliteSaver.from_conn_string(str(self.store)) as saver:
            pieces = self.graph(saver).stream(asked, self.config, stream_mode="messages")
            return "".join(str(piece.content) for piece, _ in pieces)

    def stored(self) -> str:
        with SqliteSaver.from_conn_string(str(self.store)) as saver:
            messages = self.graph(saver).get_state(self.config).values["messages"]
        return "\n".join(str(message.content) for message in messages)

    def told(self) -> Sequence[Any]:
        return self.listener.told


class TestLangGraph(IntegrationContract):
    name = "langgraph"

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def integration(self, url: str, **settings: Any) -> Any:  # noqa: ARG002
        return pre_model_hook(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> LangGraphAgent:
        fresh = self.folder / f"{len(list(self.folder.iterdir()))}.sqlite"
        if store is None:
            fresh.touch()
        return LangGraphAgent(url, integration, store or fresh)

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        run, task = new_run()
        state = build([lookup]).invoke({"messages": [("user", task)]}, {"recursion_limit": 300})
        assert f"Turn 0 of {run} is done" in state["messages"][-1].text
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_receipts_are_events_of_async_runs_too(self, provider: Provider) -> None:
        _, task = new_run()
        agent = self.agent(provider.url, pre_model_hook(BUDGET))
        asyncio.run(agent.aask(task))
        assert len(agent.told()) == STEPS

    def test_prompt_and_tools_are_counted_where_they_are_given(self) -> None:
        receipts: list[Any] = []
        state = {"messages": [HumanMessage("Hi")]}
        for beside in ({}, {"system": "Audit with care.", "tools": [lookup]}):
            pre_model_hook(BUDGET, on_receipt=receipts.append, **beside)(state)
        assert receipts[1].before > receipts[0].before + 40

    def test_a_state_may_be_a_model_of_pydantic(self) -> None:
        class State(BaseModel):
            messages: list[AnyMessage]

        state = State(messages=[HumanMessage("Hi")])
        assert pre_model_hook(BUDGET)(state) == {"llm_input_messages": state.messages}
