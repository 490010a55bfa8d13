"""Microsoft Agent Framework's own agent, with a session, runs within the budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from contract import BUDGET, STEPS, Agent, IntegrationContract, evicted, lookup, new_run
from provider import Provider

pytest.importorskip("agent_framework")

import agent_framework as af
from agent_framework_openai import OpenAIChatClient, OpenAIChatCompletionClient
from examples.agent_framework import build
from openai import AsyncOpenAI
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import lre
from lre.integrations import Fitter
from lre.integrations.agent_framework import EvictionMiddleware, Messages


class Listener(af.ChatMiddleware):  # type: ignore[misc]
    """Stands behind the eviction, and reads what it left in the metadata."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    async def process(
        self, context: af.ChatContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        self.told.append(context.metadata.get("lre.receipt"))
        await call_next()


class FrameworkAgent:
    """Builds client and agent anew for each turn: an event loop of its own runs each."""

    client: type[Any] = OpenAIChatCompletionClient
    options: Mapping[str, Any] = {}

    def __init__(self, url: str, middleware: EvictionMiddleware, store: Any) -> None:
        self.url, self.middleware, self.listener = url, middleware, Listener()
        self.session = af.AgentSession.from_dict(json.loads(store)) if store else af.AgentSession()

    @property
    def store(self) -> str:
        return json.dumps(self.session.to_dict())

    @asynccontextmanager
    async def _agent(self) -> AsyncIterator[af.Agent]:
        async with AsyncOpenAI(base_url=f"{self.url}/v1", api_key="none") as openai:
            yield af.Agent(
                self.client(model="tiny", async_client=openai),
                "You audit.",
                tools=[lookup],
                middleware=[self.middleware, self.listener],
                default_options=dict(self.options),
            )

    def ask(self, text: str) -> str:
        return asyncio.run(self.aask(text))

    async def aask(self, text: str) -> str:
        async with self._agent() as agent:
            return str((await agent.run(text, session=self.session)).text)

    def stream(self, text: str) -> str:
        return asyncio.run(self._stream(text))

    async def _stream(self, text: str) -> str:
        async with self._agent() as agent:
            stream = agent.run(text, session=self.session, stream=True)
            return "".join([update.text async for update in stream])

    def stored(self) -> str:
        return self.store

    def told(self) -> Sequence[Any]:
        return self.listener.told


class TestAgentFramework(IntegrationContract):
    name = "agent_framework"

    def integration(self, url: str, **settings: Any) -> EvictionMiddleware:  # noqa: ARG002
        return EvictionMiddleware(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return FrameworkAgent(url, integration, store)

    def test_sections_are_cut_within_what_stays(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET, granularity="span")
        agent.ask(task)
        assert provider.refused == []
        shown = [text for m in provider.seen[run][-1] for _, text in m.results]
        assert any("\n  07 " not in text for text in shown), "no result was cut"
        whole = agent.stored()
        assert whole is not None
        assert "tokens cut]" not in whole

    def test_the_session_carries_no_flags(self, provider: Provider) -> None:
        _, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        assert "_excluded" not in (agent.stored() or "_excluded")

    def test_receipts_are_spans_below_the_agent(
        self, provider: Provider, spans: InMemorySpanExporter
    ) -> None:
        _, task = new_run()
        self.fitted(provider.url, budget=BUDGET).ask(task)
        told = spans.get_finished_spans()
        agent = next(span for span in told if span.name.startswith("invoke_agent"))
        ours = [span for span in told if span.name == "lre.evict"]
        assert len(ours) == STEPS
        assert {span.parent.span_id for span in ours if span.parent} == {agent.context.span_id}
        assert len({(span.attributes or {})["gen_ai.conversation.id"] for span in ours}) == 1

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run, task = new_run()
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        answer = asyncio.run(build([lookup]).run(task)).text
        assert f"Turn 0 of {run} is done" in answer
        assert any(evicted(provider.seen[run]))


class ResponsesAgent(FrameworkAgent):
    """The session keeps the messages, not the provider: else there is nothing to fit."""

    client = OpenAIChatClient
    options: Mapping[str, Any] = {"store": False}


class TestAgentFrameworkOverResponses(IntegrationContract):
    name = "agent_framework"

    def integration(self, url: str, **settings: Any) -> EvictionMiddleware:  # noqa: ARG002
        return EvictionMiddleware(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return ResponsesAgent(url, integration, store)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        trace.set_tracer_provider(TracerProvider())
    provider, exporter = trace.get_tracer_provider(), InMemorySpanExporter()
    assert isinstance(provider, TracerProvider)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


def call(call_id: str) -> af.Content:
    return af.Content.from_function_call(call_id, "lookup", arguments={"ref": call_id})


def result(call_id: str, text: Any = "42") -> af.Content:
    return af.Content.from_function_result(call_id, result=text)


class TestMessages:
    @pytest.mark.parametrize(
        "content",
        [
            af.Content.from_text("Hi"),
            af.Content.from_text_reasoning(text="Hm", protected_data="sealed"),
            af.Content.from_data(b"picture", "image/png"),
            af.Content.from_uri("https://example.org/a.pdf", media_type="application/pdf"),
            af.Content.from_hosted_file("file-1"),
            af.Content.from_error(message="broke"),
            af.Content.from_usage({"input_token_count": 3}),
            af.Content.from_code_interpreter_tool_call(call_id="c"),
            af.Content.from_code_interpreter_tool_result(
                call_id="c", outputs=[af.Content.from_text("7")]
            ),
            af.Content.from_mcp_server_tool_call("c", "search", arguments={"q": "x"}),
            af.Content.from_mcp_server_tool_result("c", output=[af.Content.from_text("7")]),
            af.Content.from_function_approval_request("a", call("c")),
            call("c"),
            result("c"),
            result("c", [af.Content.from_text("7"), af.Content.from_data(b"p", "image/png")]),
            af.Content("function_result", call_id="c", result={"plain": 1}),
        ],
        ids=lambda content: str(content.type),
    )
    def test_contents_of_every_kind_come_back_as_they_were(self, content: af.Content) -> None:
        message = af.Message("assistant", [af.Content.from_text("Look:"), content])
        entry = Messages().read(message)
        assert lre.evict([{"role": "user", "content": "Hi"}, entry], budget=9000).is_unchanged
        assert Messages().write(entry, message).contents[1] is content

    def test_a_cut_goes_into_a_copy(self) -> None:
        rich = [af.Content.from_text("long text"), af.Content.from_data(b"p", "image/png")]
        message = af.Message("tool", [result("a", rich), result("b")], message_id="m7")
        entry = Messages().read(message)
        entry["content"][0]["content"][0] = {"type": "text", "text": "long"}
        cut = Messages().write(entry, message)
        assert (cut.contents[0].items[0].text, cut.contents[0].result) == ("long", "long")
        assert cut.contents[0].items[1] is rich[1]
        assert cut.contents[1] is message.contents[1]
        assert (cut.message_id, cut.contents[0].call_id) == ("m7", "a")
        assert message.contents[0].result == "long text"

    def test_a_summary_is_a_message_of_the_users(self) -> None:
        summary = Messages().write({"role": "user", "content": "So far: 42"}, None)
        assert (summary.role, summary.text) == ("user", "So far: 42")

    def test_results_far_from_their_calls_go_with_them(self) -> None:
        task = af.Message("user", ["Look all of it up."])
        late = [
            message
            for i in range(12)
            for message in (
                af.Message("assistant", [call(f"a{i}"), call(f"b{i}")]),
                af.Message("tool", [result(f"a{i}", f"owner u{i}0{i}, " * 30)]),
                af.Message("user", ["Wait."]),
                af.Message("tool", [result(f"b{i}", f"token t{i}0{i}, " * 30)]),
            )
        ]
        fitted = Fitter[af.Message]("test", Messages(), budget=2500)([task, *late])
        contents = [content for message in fitted.messages for content in message.contents]
        calls = {content.call_id for content in contents if content.type == "function_call"}
        results = {content.call_id for content in contents if content.type == "function_result"}
        assert fitted.is_changed
        assert calls == results

    def test_a_list_that_a_session_restored_is_the_same_to_us(self) -> None:
        failed = af.Content.from_function_result("c", result="no", exception="Traceback: secret")
        message = af.Message("tool", [failed, result("d")])
        again = af.Message.from_dict(message.to_dict())
        assert Messages().read(again) == Messages().read(message)
