"""The agents of smolagents, those that call tools and those that write code, within the budget.

What smolagents sends are plain texts: the wires here read calls and results out of them, and have
the model call tools as each kind of agent wants it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from contract import BUDGET, STEPS, IntegrationContract, evicted, new_run
from provider import Call, Provider, Reply, Seen, record
from provider.chat import Chat

pytest.importorskip("smolagents")

from examples.smolagents import build
from smolagents import (
    AgentLogger,
    ChatMessage,
    CodeAgent,
    LogLevel,
    MessageRole,
    Model,
    OpenAIModel,
    ToolCallingAgent,
    tool,
)
from smolagents.agents import EMPTY_PROMPT_TEMPLATES

import lre.dialects
from lre.dialects.slots import slot_text, with_texts
from lre.integrations.smolagents import EvictionModel, Messages
from lre.messages import Media, Message, Text, ToolCall, ToolResult
from lre.units import segment


@tool  # type: ignore[untyped-decorator]
def lookup(ref: str) -> str:
    """Look a record up by its reference.

    Args:
        ref: The reference.
    """
    return record(ref)


class Texts(Chat):
    """Chat Completions, with calls and results written out in the texts."""

    def seen(self, body: Any) -> list[Seen]:
        return [_read(message) for message in super().seen(body)]

    def reply(self, reply: Reply, body: Any) -> Any:
        return super().reply(self.said(reply), body)

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:
        return super().stream(self.said(reply), body)

    def said(self, reply: Reply) -> Reply:
        """End a run with a call of `final_answer`."""
        if reply.calls:
            return reply
        answer = Call(f"call_{reply.number}_z", "final_answer", {"answer": reply.text})
        return replace(reply, text="", calls=(answer,))


class Code(Texts):
    """The same for agents that write code: calls are lines of it."""

    def said(self, reply: Reply) -> Reply:
        lines = [f"print(lookup(ref={call.arguments['ref']!r}))" for call in reply.calls]
        code = "\n".join(lines or [f"final_answer({reply.text!r})"])
        return Reply(reply.number, f"Thought: go on.\n<code>\n{code}\n</code>")


def _read(message: Seen) -> Seen:
    found = re.split(r"R-(\d+)-([ab]) found:", message.text)
    results = tuple(
        (f"call_{number}_{letter}", f"R-{number}-{letter} found:{rest}")
        for number, letter, rest in zip(found[1::3], found[2::3], found[3::3], strict=True)
    )
    asked = re.findall(r"'ref': 'R-(\d+)-([ab])'|ref='R-(\d+)-([ab])'", message.text)
    calls = tuple("call_{}_{}".format(*filter(None, one)) for one in asked)
    return Seen(message.role, message.text, calls, results)


class Listener(AgentLogger):  # type: ignore[misc]
    """Hears what the agents' logger is told, and prints nothing."""

    def __init__(self) -> None:
        super().__init__(LogLevel.OFF)
        self.told: list[Any] = []

    def log(self, *args: Any, **_: Any) -> None:
        self.told += args


PROMPTS = {**EMPTY_PROMPT_TEMPLATES, "system_prompt": "You audit records."}
"""Their own prompt for code agents would take up half the budget."""


class SmolAgent:
    kind: Any = ToolCallingAgent

    def __init__(self, model: EvictionModel, logger: Listener, steps: Any) -> None:
        self.model, self.logger = model, logger
        self.agent, self.streaming = (self.build(stream_outputs=on) for on in (False, True))
        self.store = steps or []
        self.agent.memory.steps = self.streaming.memory.steps = self.store

    def build(self, **settings: Any) -> Any:
        settings |= {"logger": self.logger, "max_steps": 2 * STEPS, "prompt_templates": PROMPTS}
        return self.kind([lookup], self.model, **settings)

    def ask(self, text: str) -> str:
        return str(self.agent.run(text, reset=False))

    async def aask(self, text: str) -> str:
        raise NotImplementedError

    def stream(self, text: str) -> str:
        *_, last = self.streaming.run(text, reset=False, stream=True)
        return str(last.output)

    def stored(self) -> str:
        return "\n".join(getattr(step, "observations", None) or "" for step in self.store)

    def told(self) -> Sequence[Any]:
        return self.logger.told


class SmolCodeAgent(SmolAgent):
    kind = CodeAgent


class Both(IntegrationContract):
    """What holds for both kinds of agents."""

    name = "smolagents"
    modes = ("ask", "stream")
    wire: type[Texts] = Texts
    harness: type[SmolAgent] = SmolAgent

    @pytest.fixture(autouse=True)
    def _texts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("provider.server.WIRES", (self.wire(),))

    def integration(self, url: str, **settings: Any) -> EvictionModel:
        model = OpenAIModel("tiny", f"{url}/v1", api_key="none")
        return EvictionModel(model, logger=Listener(), **settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> SmolAgent:  # noqa: ARG002
        return self.harness(integration, integration._logger, store)

    def test_spans_are_cut_and_memory_is_not(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET, granularity="span")
        agent.ask(task)
        assert provider.refused == []
        texts = [m.text for request in provider.seen[run] for m in request]
        assert any("tokens cut]" in text for text in texts)
        assert "tokens cut]" not in str(agent.stored())

    def test_plans_are_made_within_the_budget(self, provider: Provider) -> None:
        _, task = new_run()
        receipts: list[Any] = []
        model = self.integration(provider.url, budget=BUDGET, on_receipt=receipts.append)
        agent = self.harness(model, Listener(), None).build(planning_interval=8)
        agent.run(task)
        assert provider.refused == []
        assert all(receipt.after <= BUDGET for receipt in receipts)
        assert len(receipts) > STEPS


class TestToolCallingAgent(Both):
    def test_the_example_of_the_guide_runs(
        self,
        provider: Provider,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        run, task = new_run()
        answer = build([lookup]).run(task)
        assert f"Turn 0 of {run} is done" in answer
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))
        assert "lre.tokens.after=" in capsys.readouterr().out


class TestCodeAgent(Both):
    wire = Code
    harness = SmolCodeAgent


class Bare(Model):  # type: ignore[misc]
    """A model that cannot stream, and reads calls in its own way."""

    def __init__(self) -> None:
        super().__init__(model_id="bare", temperature=0.5)
        self.asked: list[Any] = []

    def generate(self, messages: Any, **settings: Any) -> ChatMessage:
        self.asked.append((messages, settings))
        return ChatMessage(MessageRole.ASSISTANT, "Hi")

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        return replace(message, content="parsed")


class TestEvictionModel:
    def test_all_else_is_the_models_own(self) -> None:
        bare = Bare()
        model = EvictionModel(bare, BUDGET)
        assert isinstance(model, Model)
        assert model.model_id == "bare"
        assert not hasattr(model, "generate_stream")
        assert model.to_dict() == bare.to_dict()
        assert model.parse_tool_calls(ChatMessage(MessageRole.ASSISTANT, "")).content == "parsed"

    def test_a_copy_asks_the_same_model(self) -> None:
        bare = Bare()
        copy.copy(EvictionModel(bare, BUDGET)).generate([ChatMessage(MessageRole.USER, "Hi")])
        assert len(bare.asked) == 1

    def test_it_hands_on_the_very_list_if_nothing_has_to_go(self) -> None:
        bare, messages = Bare(), [ChatMessage(MessageRole.USER, "Hi")]
        assert EvictionModel(bare, BUDGET)(messages, stop_sequences=["."]).content == "Hi"
        [(asked, settings)] = bare.asked
        assert asked is messages
        assert settings == {"stop_sequences": ["."]}

    def test_tools_are_counted(self) -> None:
        receipts: list[Any] = []
        model = EvictionModel(Bare(), BUDGET, on_receipt=receipts.append)
        for tools in (None, [lookup]):
            model.generate([ChatMessage(MessageRole.USER, "Hi")], tools_to_call_from=tools)
        assert receipts[1].before > receipts[0].before + 30


def said(role: MessageRole, *texts: str) -> ChatMessage:
    return ChatMessage(role, [{"type": "text", "text": text} for text in texts])


def read(*messages: ChatMessage) -> list[Message]:
    entries = [Messages().read(message) for message in messages]
    return lre.dialects.read(lre.dialects.get("anthropic"), entries)


class TestMessages:
    """What `Messages` makes of the messages of a step."""

    def test_a_step_is_one_turn(self) -> None:
        step = [
            said(MessageRole.ASSISTANT, "Let me look."),
            said(MessageRole.TOOL_CALL, "Calling tools: lookup"),
            said(MessageRole.TOOL_RESPONSE, "Observation: 42"),
        ]
        messages = read(said(MessageRole.USER, "Go"), *step)
        assert messages[2].parts == (ToolCall("", "", "Calling tools: lookup"),)
        assert messages[3].parts == (ToolResult("", "Observation: 42"),)
        assert [unit.messages for unit in segment(messages)] == [(0,), (1, 2, 3)]

    def test_an_observation_is_cut_as_text(self) -> None:
        message = said(MessageRole.TOOL_RESPONSE, "Observation: " + "4" * 99)
        entry = Messages().read(message)
        [slot] = lre.dialects.get("anthropic").slots(entry)
        cut = Messages().write(with_texts(entry, {slot: "Observation: 4"}), message)
        assert cut == said(MessageRole.TOOL_RESPONSE, "Observation: 4")
        assert slot_text(entry, slot) == message.content[0]["text"]

    def test_an_image_has_its_price_and_survives(self) -> None:
        image = {"type": "image", "image": object()}
        message = ChatMessage(MessageRole.USER, [{"type": "text", "text": "Look"}, image])
        assert read(message)[0].parts == (Text("Look"), Media("image", 1600))
        entry = with_texts(Messages().read(message), {("content", 0, "text"): "L"})
        assert Messages().write(entry, message).content == [{"type": "text", "text": "L"}, image]

    def test_a_summary_is_a_message_of_the_users(self) -> None:
        summary = Messages().write({"role": "user", "content": "Before: …"}, None)
        assert summary == said(MessageRole.USER, "Before: …")
