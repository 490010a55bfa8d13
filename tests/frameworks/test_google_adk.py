"""Google ADK's runner, with sessions in SQLite, runs within the budget."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from contract import BUDGET, STEPS, Agent, IntegrationContract, evicted, ids, lookup, new_run, size
from provider import Provider, serving

pytest.importorskip("google.adk")

from examples.google_adk import build
from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.models import Gemini, LlmRequest
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.adk.tools import LongRunningFunctionTool
from google.genai import types
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from lre.integrations.google_adk import Contents, EvictionPlugin

SPANS = InMemorySpanExporter()
WHO = {"user_id": "auditor", "session_id": "one"}


@pytest.fixture(scope="module", autouse=True)
def _traced() -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(SPANS))
    trace.set_tracer_provider(provider)


@pytest.fixture
def provider() -> Any:
    with serving() as provider:
        yield provider


class AdkAgent:
    def __init__(self, model: Any, plugin: EvictionPlugin, store: Any) -> None:
        self.store = store or str(Path(tempfile.mkdtemp()) / "sessions.db")
        self.model, self.plugin, self.tool = model, plugin, lookup

    def runner(self) -> Runner:
        clerk = LlmAgent(name="clerk", model=self.model, instruction="Audit.", tools=[self.tool])
        app = App(name="audit", root_agent=clerk, plugins=[self.plugin])
        return Runner(
            app=app, session_service=SqliteSessionService(self.store), auto_create_session=True
        )

    def ask(self, text: str) -> str:
        return asyncio.run(self.aask(text))

    async def aask(self, text: str, mode: StreamingMode = StreamingMode.NONE) -> str:
        asked = types.Content(role="user", parts=[types.Part(text=text)])
        config = RunConfig(streaming_mode=mode)
        events = [
            event
            async for event in self.runner().run_async(**WHO, new_message=asked, run_config=config)
        ]
        wanted = [event for event in events if event.partial or mode is StreamingMode.NONE]
        parts = [part for event in wanted if event.content for part in event.content.parts or ()]
        return "".join(part.text or "" for part in parts)

    async def events(self, asked: types.Content, **config: Any) -> list[Any]:
        settings = RunConfig(**config)
        run = self.runner().run_async(**WHO, new_message=asked, run_config=settings)
        return [event async for event in run]

    def stream(self, text: str) -> str:
        return asyncio.run(self.aask(text, StreamingMode.SSE))

    def session(self) -> list[Any]:
        service = SqliteSessionService(self.store)
        session: Any = asyncio.run(service.get_session(app_name="audit", **WHO))
        events: list[Any] = session.events
        return events

    def first_call(self) -> types.FunctionCall:
        return next(call for event in self.session() for call in event.get_function_calls())

    def stored(self) -> str:
        return "\n".join(str(event.content) for event in self.session())

    def told(self) -> Sequence[Any]:
        spans = SPANS.get_finished_spans()
        return [dict(span.attributes or {}) for span in spans if span.name != "lre.evict"]


class TestGoogleAdk(IntegrationContract):
    name = "google_adk"

    def integration(self, url: str, **settings: Any) -> EvictionPlugin:  # noqa: ARG002
        return EvictionPlugin(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        model = Gemini(model="gemini-tiny", base_url=url, client_kwargs={"api_key": "none"})
        return AdkAgent(model, integration, store)

    def test_a_long_running_call_can_be_answered_after_it_left_the_view(
        self, provider: Provider
    ) -> None:
        run, task = new_run()
        agent: Any = self.fitted(provider.url, budget=BUDGET)
        agent.tool = LongRunningFunctionTool(pending)
        with pytest.raises(LlmCallsLimitExceededError):
            asyncio.run(agent.events(said("user", task), max_llm_calls=STEPS - 1))
        assert "call_0_a" not in ids(provider.seen[run][-1])
        told = types.FunctionResponse(
            id=agent.first_call().id, name="lookup", response={"result": "Approved."}
        )
        approved = types.Content(role="user", parts=[types.Part(function_response=told)])
        events = asyncio.run(agent.events(approved))
        assert f"Turn 0 of {run} is done" in events[-1].content.parts[0].text
        assert provider.refused == []

    def test_results_can_be_cut_line_by_line(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        results = [text for m in provider.seen[run][-1] for _, text in m.results]
        assert any(" tokens cut]" in text for text in results)


def test_the_example_of_the_guide_runs(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", provider.url)
    run, task = new_run()
    events = asyncio.run(build([lookup]).run_debug(task, quiet=True))
    assert f"Turn 0 of {run} is done" in events[-1].content.parts[0].text
    assert provider.refused == []
    assert any(evicted(provider.seen[run]))


def test_over_litellm_the_same_is_sent(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    from google.adk.models.lite_llm import LiteLlm

    run, task = new_run()
    model = LiteLlm(model="openai/tiny", api_base=f"{provider.url}/v1", api_key="none")
    answer = AdkAgent(model, EvictionPlugin(budget=BUDGET), None).ask(task)
    assert f"Turn 0 of {run} is done" in answer
    assert provider.refused == []
    assert any(evicted(provider.seen[run]))
    assert max(map(size, provider.seen[run])) < 4 * BUDGET * 1.2


def test_a_pending_call_is_never_folded() -> None:
    waiting = call("approve")
    asked = said("user", "Audit all records.")
    steps = [one for i in range(12) for one in (call("lookup"), answer("lookup", lookup(f"R-{i}")))]
    request = LlmRequest(contents=[asked, waiting, said("user", "Meanwhile, go on."), *steps])
    send(EvictionPlugin(budget=500, recent=1), request)
    assert len(request.contents) < 27
    assert request.contents[1] is waiting


def test_parts_that_are_no_texts_survive_a_cut() -> None:
    thought = types.Part(text="Hm.", thought=True)
    picture = types.Part(inline_data=types.Blob(data=b"png", mime_type="image/png"))
    signed = types.Part(
        function_call=types.FunctionCall(name="lookup", args={}), thought_signature=b"sealed"
    )
    asked = types.Content(
        role="user", parts=[picture, types.Part(text=lookup("R-1") + lookup("R-2"))]
    )
    contents = [said("user", "Audit."), said("model", "Of what?"), asked]
    contents += [types.Content(role="model", parts=[thought, signed]), answer("lookup", "found")]
    before = [content.model_copy(deep=True) for content in contents]
    request = LlmRequest(contents=[*contents])
    send(EvictionPlugin(budget=1430, low=1, recent=0, granularity="span"), request)
    cut = request.contents[2]
    assert " tokens cut]" in cut.parts[1].text
    assert cut.parts[0] == picture
    assert request.contents[3:] == before[3:]
    assert contents == before


def test_instruction_and_tools_count() -> None:
    receipts: list[Any] = []
    plugin = EvictionPlugin(budget=8000, on_receipt=receipts.append)
    declared = types.Tool(function_declarations=[types.FunctionDeclaration(name="lookup")])
    parts = said("user", "Be brief.")
    instructed = [{"system_instruction": one} for one in ("Be brief.", parts)]
    for config in ({}, {"tools": [declared]}, *instructed):
        send(plugin, LlmRequest(contents=[said("user", "Hi")], config=config))
    bare, with_tools, text, content = (receipt.before for receipt in receipts)
    assert bare < with_tools
    assert bare < text == content


def test_a_summary_becomes_a_content_of_the_users() -> None:
    entry = {"role": "user", "parts": [{"text": "So far: nothing."}]}
    assert Contents().write(entry, None) == said("user", "So far: nothing.")


def pending(ref: str) -> dict[str, str]:
    """Look a record up once somebody approves."""
    return {"status": "pending", "record": lookup(ref)}


pending.__name__ = "lookup"


def said(role: str, text: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


def call(name: str) -> types.Content:
    called = types.FunctionCall(name=name, args={})
    return types.Content(role="model", parts=[types.Part(function_call=called)])


def answer(name: str, text: str) -> types.Content:
    told = types.FunctionResponse(name=name, response={"result": text})
    return types.Content(role="user", parts=[types.Part(function_response=told)])


def send(plugin: EvictionPlugin, request: LlmRequest) -> None:
    context = SimpleNamespace(session=SimpleNamespace(id="one"))
    asyncio.run(plugin.before_model_callback(callback_context=context, llm_request=request))
