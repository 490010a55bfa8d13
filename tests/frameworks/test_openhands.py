"""OpenHands' own agent and conversation, with its event store on disk, run within the budget."""

from __future__ import annotations

import json
import logging
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from contract import BUDGET, IntegrationContract, evicted, lookup, new_run
from contract import Agent as ContractAgent
from provider import Provider

pytest.importorskip("openhands.sdk", reason="openhands-sdk wants Python 3.12 or newer")

from examples.openhands import build
from openhands.sdk import LLM, Agent, Conversation, Tool, register_tool
from openhands.sdk.context.condenser import PipelineCondenser
from openhands.sdk.context.view import View
from openhands.sdk.conversation.response_utils import get_agent_final_response
from openhands.sdk.event import (
    ActionEvent,
    AgentErrorEvent,
    Condensation,
    LLMConvertibleEvent,
    MessageEvent,
    ObservationEvent,
)
from openhands.sdk.llm import ImageContent, Message, MessageToolCall, TextContent, ThinkingBlock
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor
from pydantic import SecretStr

from lre.integrations.openhands import CutEvent, Events, EvictionCondenser


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let folders that are made here go with those of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


class LookupAction(Action):  # type: ignore[misc]
    ref: str


class LookupObservation(Observation):  # type: ignore[misc]
    pass


class LookupExecutor(ToolExecutor[LookupAction, LookupObservation]):  # type: ignore[misc]
    def __call__(self, action: LookupAction, conversation: Any = None) -> LookupObservation:  # noqa: ARG002
        observed: LookupObservation = LookupObservation.from_text(lookup(action.ref))
        return observed


class LookupTool(ToolDefinition[LookupAction, LookupObservation]):  # type: ignore[misc]
    name: ClassVar[str] = "lookup"

    @classmethod
    def create(cls, *_: Any, **__: Any) -> Sequence[LookupTool]:
        return [
            cls(
                description="Look a record up.",
                action_type=LookupAction,
                observation_type=LookupObservation,
                executor=LookupExecutor(),
            )
        ]


register_tool("lookup", LookupTool)


class Listener(logging.Handler):
    """Hears what the framework's logger is told."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.told: list[Any] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(vars(record))


class OpenHandsAgent:
    def __init__(self, url: str, condenser: EvictionCondenser, store: Any) -> None:
        self.url, self.condenser = url, condenser
        self.store: tuple[str, uuid.UUID] = store or (tempfile.mkdtemp(), uuid.uuid4())
        self.folder: str = self.store[0]
        self.id: uuid.UUID = self.store[1]
        self.listener = Listener()
        logger = logging.getLogger("openhands.lre")
        logger.addHandler(self.listener)
        logger.setLevel(logging.DEBUG)
        self.conversation = self._conversation(stream=False)

    def _conversation(self, stream: bool) -> Any:
        key = SecretStr("none")
        llm = LLM(model="openai/tiny", base_url=f"{self.url}/v1", api_key=key, stream=stream)
        agent = Agent(
            llm=llm,
            tools=[Tool(name="lookup")],
            include_default_tools=[],
            system_prompt="You audit.",
            condenser=self.condenser,
        )
        return Conversation(
            agent,
            workspace=self.folder,
            persistence_dir=self.folder,
            conversation_id=self.id,
            visualizer=None,
            token_callbacks=[lambda _: None] if stream else None,
        )

    def ask(self, text: str) -> str:
        self.conversation.send_message(text)
        self.conversation.run()
        return str(get_agent_final_response(self.conversation.state.events))

    async def aask(self, text: str) -> str:
        self.conversation.send_message(text)
        await self.conversation.arun()
        return str(get_agent_final_response(self.conversation.state.events))

    def stream(self, text: str) -> str:
        self.conversation = self._conversation(stream=True)
        return self.ask(text)

    def stored(self) -> str:
        files = sorted(Path(self.folder).rglob("event*.json"))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def told(self) -> Sequence[Any]:
        return self.listener.told


class TestOpenHands(IntegrationContract):
    name = "openhands"

    def integration(self, url: str, **settings: Any) -> EvictionCondenser:  # noqa: ARG002
        return EvictionCondenser(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> ContractAgent:
        return OpenHandsAgent(url, integration, store)

    def test_streamed_requests_are_streamed(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET).stream(task)
        assert all(body["stream"] for body in provider.bodies[run])

    def test_the_event_store_learns_of_nothing(self, provider: Provider) -> None:
        run, task = new_run()
        agent = OpenHandsAgent(provider.url, EvictionCondenser(BUDGET, granularity="span"), None)
        agent.ask(task)
        assert any(evicted(provider.seen[run]))
        events = agent.conversation.state.events
        assert not [event for event in events if isinstance(event, Condensation | CutEvent)]
        assert len(View.from_events(events).events) > len(provider.bodies[run][-1]["messages"])

    def test_sections_are_cut_within_what_stays(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        shown = [text for m in provider.seen[run][-1] for _, text in m.results]
        assert any("\n  07 " not in text for text in shown), "no result was cut"

    def test_what_json_cannot_hold_is_left_out_of_the_store(self) -> None:
        condenser = EvictionCondenser(8000, low=0.5, pin=lambda _: False)
        stored = json.loads(condenser.model_dump_json())
        assert stored["settings"] == {"low": 0.5}
        assert EvictionCondenser.model_validate(stored).settings == {"low": 0.5}
        fork = EvictionCondenser.model_validate(condenser.model_dump())
        assert fork.settings == condenser.settings

    def test_it_stands_in_a_pipeline(self, provider: Provider) -> None:
        run, task = new_run()
        pipeline = PipelineCondenser(condensers=[EvictionCondenser(BUDGET)])
        OpenHandsAgent(provider.url, pipeline, None).ask(task)
        assert any(evicted(provider.seen[run]))

    def test_the_example_of_the_guide_runs(
        self, provider: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        run, task = new_run()
        monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        agent = build([Tool(name="lookup")])
        conversation = Conversation(agent, workspace=tmp_path, visualizer=None)
        conversation.send_message(task)
        conversation.run()
        answer = get_agent_final_response(conversation.state.events)
        assert f"Turn 0 of {run} is done" in answer
        assert any(evicted(provider.seen[run]))


def action(call_id: str, response: str, thought: str = "", **more: Any) -> ActionEvent:
    call = MessageToolCall(id=call_id, name="lookup", arguments="{}", origin="completion")
    return ActionEvent(
        thought=[TextContent(text=thought)] if thought else [],
        tool_name="lookup",
        tool_call_id=call_id,
        tool_call=call,
        llm_response_id=response,
        **more,
    )


def observation(call_id: str, text: str = "42") -> ObservationEvent:
    return ObservationEvent(
        observation=LookupObservation.from_text(text),
        action_id="a",
        tool_name="lookup",
        tool_call_id=call_id,
    )


def message(role: Any, *content: TextContent | ImageContent) -> MessageEvent:
    source: Any = "user" if role == "user" else "agent"
    return MessageEvent(source=source, llm_message=Message(role=role, content=content))


class TestEvents:
    def test_actions_of_one_response_go_together(self) -> None:
        steps = [
            event
            for i in range(12)
            for event in (
                action(f"a{i}", f"r{i}", "Both."),
                action(f"b{i}", f"r{i}"),
                observation(f"a{i}", f"owner u{i}0{i}, " * 30),
                observation(f"b{i}", f"token t{i}0{i}, " * 30),
            )
        ]
        view = View(events=[message("user", TextContent(text="Look all of it up.")), *steps])
        short = EvictionCondenser(4000).condense(view)
        kept = [event.tool_call_id for event in short.events[1:]]
        assert 0 < len(kept) < len(steps)
        assert all(kept.count(f"{letter}{call[1:]}") == 2 for call in kept for letter in "ab")
        assert len(view.events) == 1 + len(steps)

    def test_reasoning_goes_with_its_action(self) -> None:
        thinking = ThinkingBlock(thinking="Hm", signature="sealed")
        entry = Events().read(action("a", "r", "Look.", thinking_blocks=[thinking]))
        kinds = [block["type"] for block in entry["content"]]
        assert kinds == ["thinking", "text", "tool_use"]
        assert entry["content"][0]["signature"] == "sealed"

    def test_errors_are_results(self) -> None:
        error = AgentErrorEvent(error="no such tool", tool_name="x", tool_call_id="c")
        assert Events().read(error)["content"][0]["is_error"] is True

    def test_a_cut_keeps_images_and_ids(self) -> None:
        picture = ImageContent(image_urls=["data:image/png;base64,AA", "https://example.org/b"])
        event = message("user", picture, TextContent(text="long text"))
        entry = Events().read(event)
        assert [block["type"] for block in entry["content"]] == ["image", "image", "text"]
        entry["content"][2]["text"] = "long"
        cut = Events().write(entry, event)
        assert cut.id == event.id
        assert [*cut.to_llm_message().content] == [picture, TextContent(text="long")]
        assert event.llm_message.content[1] == TextContent(text="long text")

    def test_a_thought_that_is_cut_stays_an_action(self) -> None:
        event = action("a", "r", "long thought")
        entry = Events().read(event)
        entry["content"][0]["text"] = "long"
        cut = Events().write(entry, event)
        [sent] = LLMConvertibleEvent.events_to_messages([cut])
        assert [*sent.content] == [TextContent(text="long")]
        assert sent.tool_calls == [event.tool_call]

    def test_a_summary_is_the_frameworks_own_kind(self) -> None:
        summary = Events().write({"role": "user", "content": "So far: 42"}, None)
        assert summary.to_llm_message().content == [TextContent(text="So far: 42")]
