"""Pydantic AI's own agent, with its message history, runs within the budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, Callable, Sequence
from typing import Any

import pytest
from contract import BUDGET, STEPS, IntegrationContract, evicted, lookup, new_run, reference
from provider import Provider, record

pytest.importorskip("pydantic_ai")

from examples.pydantic_ai import build
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, ModelRetry, Tool
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import (
    AudioUrl,
    BinaryContent,
    CapabilityLoadDeltaPart,
    CompactionPart,
    ImageUrl,
    InstructionDeltaPart,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

import lre.dialects
from lre.dialects.slots import slot_text, with_texts
from lre.integrations.pydantic_ai import Eviction
from lre.integrations.pydantic_ai_messages import Messages, is_held
from lre.messages import Media, Message, Reasoning, Text, ToolCall, ToolResult


class PydanticAgent:
    """Builds the agent anew for every turn, and loads the history from JSON, as after a restart."""

    def __init__(self, url: str, eviction: Eviction, store: bytes = b"[]") -> None:
        self.url, self.eviction, self.store, self.spans = (
            url,
            eviction,
            store,
            InMemorySpanExporter(),
        )

    def agent(self) -> Agent:
        model = OpenAIChatModel(
            "tiny", provider=OpenAIProvider(base_url=f"{self.url}/v1", api_key="none")
        )
        tracing = TracerProvider()
        tracing.add_span_processor(SimpleSpanProcessor(self.spans))
        told = Instrumentation(InstrumentationSettings(tracer_provider=tracing))
        return Agent(model, tools=[lookup], capabilities=[told, self.eviction])

    def history(self) -> list[Any]:
        return list(ModelMessagesTypeAdapter.validate_json(self.store))

    def keep(self, result: Any) -> str:
        self.store = result.all_messages_json()
        return str(result.output)

    def ask(self, text: str) -> str:
        return self.keep(self.agent().run_sync(text, message_history=self.history()))

    async def aask(self, text: str, **settings: Any) -> str:
        async with self.agent() as agent:
            return self.keep(await agent.run(text, message_history=self.history(), **settings))

    def stream(self, text: str) -> str:
        async def read(_: Any, events: AsyncIterable[Any]) -> None:
            async for _event in events:
                pass

        return asyncio.run(self.aask(text, event_stream_handler=read))

    def stored(self) -> str:
        return self.store.decode()

    def told(self) -> Sequence[Any]:
        return [span.attributes for span in self.spans.get_finished_spans()]


MODELS: dict[str, Callable[[str], Any]] = {
    "messages": lambda url: AnthropicModel(
        "tiny", provider=AnthropicProvider(base_url=url, api_key="none")
    ),
    "responses": lambda url: OpenAIResponsesModel(
        "gpt-5", provider=OpenAIProvider(base_url=f"{url}/v1", api_key="none")
    ),
}
THOUGHTS = {"messages": '"signature"', "responses": '"encrypted_content"'}


class TestPydanticAI(IntegrationContract):
    name = "pydantic_ai"

    def integration(self, url: str, **settings: Any) -> Eviction:  # noqa: ARG002
        return Eviction(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> PydanticAgent:
        return PydanticAgent(url, integration, store or b"[]")

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        run, task = new_run()
        answer = build([lookup]).run_sync(task).output
        assert f"Turn 0 of {run} is done" in answer
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_receipts_are_attributes_of_the_requests_span(self, provider: Provider) -> None:
        _, task = new_run()
        agent = self.agent(provider.url, Eviction(BUDGET))
        agent.ask(task)
        spans = agent.spans.get_finished_spans()
        told = [span.name for span in spans if "lre.tokens.after" in (span.attributes or {})]
        assert told == ["chat tiny"] * STEPS

    @pytest.mark.parametrize("granularity", ["unit", "span"])
    @pytest.mark.parametrize("api", ["messages", "responses"])
    def test_thoughts_and_calls_are_as_other_apis_want_them(
        self, provider: Provider, api: str, granularity: str
    ) -> None:
        run, task = new_run()
        agent = Agent(
            MODELS[api](provider.url),
            tools=[lookup],
            capabilities=[Eviction(BUDGET, granularity=granularity)],
        )
        answer = agent.run_sync(task).output
        assert provider.refused == []
        assert f"Turn 0 of {run} is done" in answer
        assert any(evicted(provider.seen[run]))
        assert THOUGHTS[api] in json.dumps(provider.bodies[run][-1])

    def test_prompt_and_tools_are_counted(self, provider: Provider) -> None:
        receipts: list[Any] = []
        eviction = Eviction(BUDGET, on_receipt=receipts.append)
        agent = self.agent(provider.url, eviction).agent()
        for said in (None, "Audit with care. " * 100):
            agent.run_sync("Hello", instructions=said)
        bare, instructed = receipts[0], receipts[len(receipts) // 2]
        assert bare.before > 40  # without the tool it is 8
        assert instructed.before - bare.before > 300

    def test_a_tool_that_asks_for_another_try_is_answered(self, provider: Provider) -> None:
        run, task = new_run()

        def lookup(ref: str) -> str:
            """Look a record up by its reference."""
            if ref.endswith("3-a"):
                raise ModelRetry("Ask again.")
            return record(ref)

        agent = self.agent(provider.url, Eviction(BUDGET)).agent()
        with agent.override(tools=[Tool(lookup, max_retries=9)]):
            answer = agent.run_sync(task).output
        assert f"Turn 0 of {run} is done" in answer
        assert provider.refused == []

    def test_spans_are_cut_and_what_is_left_is_word_for_word(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.agent(provider.url, Eviction(BUDGET, granularity="span"))
        agent.ask(task)
        assert provider.refused == []
        results = {
            result for request in provider.seen[run] for m in request for result in m.results
        }
        assert any("tokens cut]" in text for _, text in results)
        for call_id, text in results:
            kept = [line for line in text.splitlines() if "tokens cut]" not in line]
            assert all(line in record(reference(call_id)) for line in kept)
        assert "tokens cut]" not in agent.stored()

    def test_a_request_is_edited_and_its_list_is_not(self) -> None:
        """What tells of tools stays beside the user's own pins, and other results go."""
        steps = [step(number, "tool-search" if number == 0 else None) for number in range(20)]
        messages = [ModelRequest([UserPromptPart("Go")]), *(one for two in steps for one in two)]
        asked = ModelRequestContext(
            model=TestModel(),
            messages=[*messages],
            model_settings=None,
            model_request_parameters=ModelRequestParameters(),
        )
        sent = asyncio.run(Eviction(1500, pin="R-2-a").before_model_request(CONTEXT, asked))
        assert asked.messages == messages
        told = [part.tool_call_id for m in sent.messages for part in m.parts[:1] if step_of(part)]
        assert told[:4] == ["t0", "t0", "t2", "t2"]
        assert told[-2:] == ["t19", "t19"]
        assert len(told) < 30

    def test_instructions_that_were_changed_on_the_way_stay(self) -> None:
        steps = [one for number in range(20) for one in step(number)]
        changed = InstructionDeltaPart(id=None, content="Name every courier.")
        steps[5].parts.append(changed)
        messages = [ModelRequest([UserPromptPart("Go")]), *steps]
        for pin in ((), ["R-9-a"], {"R-9-a"}):
            asked = ModelRequestContext(
                model=TestModel(),
                messages=[*messages],
                model_settings=None,
                model_request_parameters=ModelRequestParameters(),
            )
            sent = asyncio.run(Eviction(1500, pin=pin).before_model_request(CONTEXT, asked))
            assert len(sent.messages) < len(messages)
            assert (steps[19] in sent.messages) is bool(pin)
            assert any(changed in message.parts for message in sent.messages)


CONTEXT: Any = None  # of the run: not looked at


def step(number: int, kind: Any = None) -> list[Any]:
    """Make a step: a call and its result, of the tool search or of the tool `lookup`."""
    found = {"discovered_tools": []} if kind else record(f"R-{number}-a")
    name = "search_tools" if kind else "lookup"
    call = ToolCallPart(name, {"ref": f"R-{number}-a"}, f"t{number}")
    result = ToolReturnPart(name, found, f"t{number}", tool_kind=kind)
    return [ModelResponse([call]), ModelRequest([result])]


def step_of(part: Any) -> bool:
    return isinstance(part, ToolCallPart | ToolReturnPart)


ANSWER = ModelResponse(
    [
        ThinkingPart("Which? " * 40, signature="c2ln" * 100, provider_name="anthropic"),
        TextPart("One line to keep.\n" + "Another line to cut.\n" * 40, id="msg_1"),
        ToolCallPart("lookup", {"ref": "a"}, "t1"),
        ToolCallPart("lookup", '{"ref": "b"}', "t2"),
    ]
)
RESULTS = ModelRequest(
    [
        ToolReturnPart("lookup", {"rows": ["x"] * 40}, "t1"),
        ToolReturnPart("lookup", "No such record", "t2", outcome="failed"),
    ]
)


def read(message: Any) -> Message:
    [one] = lre.dialects.read(lre.dialects.get("anthropic"), [Messages().read(message)])
    return one


def cut(message: Any, text: str) -> Any:
    """Put a text in the place of the longest that may be cut."""
    entry = Messages().read(message)
    slots = lre.dialects.get("anthropic").slots(entry)
    longest = max(slots, key=lambda slot: len(slot_text(entry, slot)))
    return Messages().write(with_texts(entry, {longest: text}), message)


class TestMessages:
    """What `Messages` makes of each kind of part."""

    def test_an_answer_is_one_message_with_its_thoughts_and_calls(self) -> None:
        thought, said, *calls = read(ANSWER).parts
        assert thought == Reasoning("Which? " * 40, sealed=400)
        assert said == Text(ANSWER.parts[1].content)
        assert calls == [
            ToolCall("t1", "lookup", '{"ref": "a"}'),
            ToolCall("t2", "lookup", '{"ref": "b"}'),
        ]

    def test_several_results_are_one_message(self) -> None:
        data, failed = read(RESULTS).parts
        assert isinstance(data, ToolResult)
        assert data.text.startswith('{"rows":["x","x"')
        assert failed == ToolResult("t2", "No such record", is_error=True)

    def test_a_cut_answer_keeps_thoughts_and_calls_and_loses_the_stored_text(self) -> None:
        changed = cut(ANSWER, "One line to keep.")
        assert changed.parts[1] == TextPart("One line to keep.")
        assert changed.parts[0] is ANSWER.parts[0]
        assert changed.parts[2:] == ANSWER.parts[2:]
        assert ANSWER.parts[1].id == "msg_1"

    def test_a_cut_result_is_a_text_and_the_other_is_as_it_was(self) -> None:
        changed = cut(RESULTS, '{"rows": …')
        assert changed.parts[0].content == '{"rows": …'
        assert changed.parts[0].tool_call_id == "t1"
        assert changed.parts[1] is RESULTS.parts[1]

    def test_files_among_a_prompt_survive_a_cut(self) -> None:
        image = ImageUrl("https://example.org/a.png")
        prompt = ModelRequest([UserPromptPart(["Look", image, "at all of this"])])
        assert cut(prompt, "at").parts[0].content == ["Look", image, "at"]

    @pytest.mark.parametrize(
        ("file", "media"),
        [
            (ImageUrl("https://example.org/a.png"), Media("image", 1600)),
            (BinaryContent(b"PNG" * 9999, media_type="image/png"), Media("image", 1600)),
            (AudioUrl("https://example.org/a"), Media("document", 5000)),
        ],
    )
    def test_files_have_a_price(self, file: Any, media: Media) -> None:
        assert read(ModelRequest([UserPromptPart([file])])).parts == (media,)
        result = read(ModelRequest([ToolReturnPart("shot", [file], "t1")]))
        assert result.parts == (ToolResult("t1", "", media=(media,)),)

    def test_a_summary_is_a_prompt(self) -> None:
        summary = Messages().write({"role": "user", "content": "Before: …"}, None)
        assert summary.parts[0].content == "Before: …"

    @pytest.mark.parametrize(
        "part",
        [
            SystemPromptPart("Be brief."),
            ToolReturnPart("search_tools", {"discovered_tools": []}, "t1", tool_kind="tool-search"),
            CapabilityLoadDeltaPart(loaded=["weather"]),
        ],
    )
    def test_what_says_which_tools_are_there_is_held(self, part: Any) -> None:
        assert is_held(Messages().read(ModelRequest([part])))
        assert not is_held(Messages().read(RESULTS))

    def test_what_the_provider_compacted_is_held(self) -> None:
        part = CompactionPart("Before: …", provider_name="anthropic")
        assert is_held(Messages().read(ModelResponse([part])))
