"""Strands' agent, with a session manager, runs within the budget."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run, size
from provider import Provider

pytest.importorskip("strands")

import strands
from examples.strands import build, receipts
from strands.agent.conversation_manager import SlidingWindowConversationManager
from strands.models.openai import OpenAIModel
from strands.session import FileSessionManager
from strands.types.exceptions import ContextWindowOverflowException

from lre.integrations.strands import EvictionManager


class SmallModel(OpenAIModel):  # type: ignore[misc]
    """A model whose window holds so many characters."""

    window = 1_000_000

    async def stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        if len(json.dumps(messages)) > self.window:
            raise ContextWindowOverflowException("maximum context length")
        async for event in super().stream(messages, *args, **kwargs):
            yield event


class StrandsAgent:
    def __init__(self, url: str, manager: Any, store: Any, window: int = 1_000_000) -> None:
        client = {"base_url": f"{url}/v1", "api_key": "none"}
        model = SmallModel(client_args=client, model_id="tiny")
        model.window = window
        self.store = store or tempfile.mkdtemp()
        self.pieces: list[str] = []
        self.agent = strands.Agent(
            model=model,
            tools=[strands.tool(lookup)],
            system_prompt="You audit records.",
            conversation_manager=manager,
            session_manager=FileSessionManager("one", storage_dir=self.store),
            agent_id="clerk",
            callback_handler=self.hear,
        )

    def hear(self, data: str = "", **_: Any) -> None:
        self.pieces.append(data)

    def ask(self, text: str) -> str:
        return str(self.agent(text))

    async def aask(self, text: str) -> str:
        return str(await self.agent.invoke_async(text))

    def stream(self, text: str) -> str:
        self.agent(text)
        return "".join(self.pieces)

    def stored(self) -> str:
        files = sorted(Path(self.store).rglob("message_*.json"))
        return "\n".join(json.dumps(json.loads(file.read_text())) for file in files)

    def told(self) -> Sequence[Any]:
        return [trace.to_dict() for trace in self.agent.event_loop_metrics.traces]


class TestStrands(IntegrationContract):
    name = "strands"

    def integration(self, url: str, **settings: Any) -> EvictionManager:  # noqa: ARG002
        return EvictionManager(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return StrandsAgent(url, integration, store)

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        run, task = new_run()
        result = build([strands.tool(lookup)], str(tmp_path))(task)
        assert f"Turn 0 of {run} is done" in str(result)
        assert [told["lre.tokens.after"] for told in receipts(result)][-1] <= 4000
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_the_agents_own_messages_stay_whole(self, provider: Provider) -> None:
        run, task = new_run()
        agent: Any = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        assert any(evicted(provider.seen[run]))
        assert len(agent.agent.messages) == 64
        assert len(provider.seen[run][-1]) < 64

    def test_when_the_window_overflows_less_is_sent(self, provider: Provider) -> None:
        run, task = new_run()
        manager = EvictionManager(budget=20_000)
        agent = StrandsAgent(provider.url, manager, None, window=12_000)
        assert f"Turn 0 of {run} is done" in agent.ask(task)
        assert provider.refused == []
        assert max(map(size, provider.seen[run])) < 12_000
        assert len(agent.agent.messages) == 64
        kept = manager.get_state()["budget"]
        assert kept < 20_000
        again = EvictionManager(budget=20_000)
        StrandsAgent(provider.url, again, agent.store)
        assert again.get_state()["budget"] == kept

    def test_prompt_and_tools_are_counted(self, provider: Provider) -> None:
        def first(prompt: str | None, *tools: Any) -> int:
            receipts: list[Any] = []
            agent = StrandsAgent(provider.url, None, None).agent
            manager = EvictionManager(BUDGET, on_receipt=receipts.append)
            strands.Agent(
                agent.model, tools=[*tools], system_prompt=prompt, conversation_manager=manager
            )("Hello")
            return int(receipts[0].before)

        bare = first(None)
        assert first("Audit with care. " * 100) - bare > 300
        assert first(None, strands.tool(lookup)) - bare > 30

    def test_when_nothing_more_can_go_the_model_is_heard(self, provider: Provider) -> None:
        _, task = new_run()
        agent = StrandsAgent(provider.url, EvictionManager(budget=20_000), None, window=20)
        with pytest.raises(ContextWindowOverflowException):
            agent.ask(task)

    def test_a_session_of_another_manager_comes_back_whole(self, provider: Provider) -> None:
        _, task = new_run()
        first = StrandsAgent(provider.url, SlidingWindowConversationManager(8), None)
        first.ask(task)
        second = StrandsAgent(provider.url, EvictionManager(budget=BUDGET), first.store)
        assert len(first.agent.messages) < 64 == len(second.agent.messages)

    def test_results_can_be_cut_line_by_line(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        results = [text for m in provider.seen[run][-1] for _, text in m.results]
        assert any(" tokens cut]" in text for text in results)
