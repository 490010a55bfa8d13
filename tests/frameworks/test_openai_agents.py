"""The OpenAI Agents SDK, with a session of its own, runs within the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run

pytest.importorskip("agents")

from agents import (
    Agent as SdkAgent,
)
from agents import (
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    SQLiteSession,
    function_tool,
    handoff,
    set_trace_processors,
)
from agents.run import CallModelData, ModelInputData
from agents.tracing import TracingProcessor
from examples.openai_agents import run as run_example
from openai import AsyncOpenAI
from provider import Provider, record, serving

from lre.integrations.openai_agents import input_filter


class Spans(TracingProcessor):  # type: ignore[misc]
    """Collects the spans of the SDK's own traces."""

    def __init__(self) -> None:
        self.data: list[Any] = []

    def on_span_end(self, span: Any) -> None:
        self.data.append(span.span_data.export())

    def on_span_start(self, span: Any) -> None: ...

    def on_trace_start(self, trace: Any) -> None: ...

    def on_trace_end(self, trace: Any) -> None: ...

    def shutdown(self) -> None: ...

    def force_flush(self) -> None: ...


class SessionAgent:
    model: type[Any] = OpenAIResponsesModel

    def __init__(self, url: str, integration: Any, store: Any) -> None:
        self.store, self.spans, self.url = store, Spans(), url
        set_trace_processors([self.spans])
        self.config = RunConfig(call_model_input_filter=integration, workflow_name="audit")

    def build(self, client: AsyncOpenAI) -> SdkAgent[Any]:
        return SdkAgent(
            name="auditor",
            instructions="Be brief.",
            tools=[function_tool(lookup)],
            model=self.model(model="tiny", openai_client=client),
            model_settings=ModelSettings(
                store=False, response_include=["reasoning.encrypted_content"]
            ),
        )

    def client(self) -> AsyncOpenAI:
        return AsyncOpenAI(base_url=f"{self.url}/v1", api_key="none", max_retries=0)

    def options(self) -> Any:
        return {"session": self.store, "run_config": self.config, "max_turns": 100}

    def ask(self, text: str) -> str:
        loop = asyncio.new_event_loop()  # threads have none of their own
        try:
            return loop.run_until_complete(self.aask(text))
        finally:
            loop.close()

    async def aask(self, text: str) -> str:
        async with self.client() as client:
            result = await Runner.run(self.build(client), text, **self.options())
            return str(result.final_output)

    def stream(self, text: str) -> str:
        async def said() -> str:
            async with self.client() as client:
                result = Runner.run_streamed(self.build(client), text, **self.options())
                events = [event async for event in result.stream_events()]
            return "".join(
                event.data.delta
                for event in events
                if event.type == "raw_response_event"
                and event.data.type == "response.output_text.delta"
            )

        return asyncio.run(said())

    def stored(self) -> str:
        return str(asyncio.run(self.store.get_items())).replace("\\n", "\n")

    def told(self) -> Sequence[Any]:
        return [data for data in self.spans.data if data.get("name") == "lre.receipt"]


class ChatAgent(SessionAgent):
    model = OpenAIChatCompletionsModel


class TestResponses(IntegrationContract):
    name = "openai_agents"
    kind: type[SessionAgent] = SessionAgent

    def integration(self, url: str, **settings: Any) -> Any:  # noqa: ARG002
        return input_filter(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return self.kind(url, integration, store or SQLiteSession("one"))

    def test_spans_are_cut_within_results(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        last = provider.seen[run][-1]
        assert any(len(text) < len(record("R-0-a")) for m in last for _, text in m.results)

    def test_instructions_and_tools_are_counted(self, provider: Provider) -> None:
        receipts: list[Any] = []
        agent: Any = self.fitted(provider.url, budget=BUDGET, on_receipt=receipts.append)
        agent.ask("Say run-count/1 is done.")
        assert receipts[0].before > 60  # the task alone has some fifteen

    def test_what_is_handed_to_another_agent_is_fitted(self, provider: Provider) -> None:
        run, task = new_run()
        agent: Any = self.fitted(provider.url, budget=BUDGET)

        async def handed() -> Any:
            async with agent.client() as client:
                worker = agent.build(client)
                to_worker = handoff(worker, tool_name_override="lookup")  # what the model calls
                desk = worker.clone(name="desk", tools=[], handoffs=[to_worker])
                return await Runner.run(desk, task, **agent.options())

        result = asyncio.run(handed())
        assert result.last_agent.name == "auditor"
        assert run in result.final_output
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))


class TestChat(TestResponses):
    kind = ChatAgent


class TestTheExample:
    def test_of_the_guide_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, task = new_run()
        set_trace_processors([Spans()])  # nothing is sent elsewhere
        with serving() as provider:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "none")
            assert run in run_example(task, [function_tool(lookup)])
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))


def test_instructions_tools_and_handoffs_are_counted() -> None:
    receipts: list[Any] = []
    fit = input_filter(BUDGET, on_receipt=receipts.append)
    plain, other = SdkAgent(name="clerk"), SdkAgent(name="expert")
    armed = plain.clone(tools=[function_tool(lookup)])
    for agent, said in ((plain, None), (plain, "Be brief."), (armed, None), (plain, None)):
        handoffs = [other] if len(receipts) == 3 else []
        given = ModelInputData([{"role": "user", "content": "Hi"}], said)
        fit(CallModelData(given, agent.clone(handoffs=handoffs), None))
    bare, instructed, with_tools, with_handoffs = (receipt.before for receipt in receipts)
    assert bare < instructed
    assert bare < with_tools
    assert bare < with_handoffs
