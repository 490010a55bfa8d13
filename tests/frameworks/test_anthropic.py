"""Small agents on Anthropic's own clients, and the SDK's tool runner, run within the budget."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run
from loops import TOOL, MessagesAgent

pytest.importorskip("anthropic")

from anthropic import Anthropic, AnthropicVertex, AsyncAnthropic, BadRequestError, beta_tool
from examples.anthropic import run as run_example
from provider import Provider, record, serving

from lre.integrations.anthropic import wrap


def clients(url: str) -> tuple[Anthropic, AsyncAnthropic]:
    there: Any = {"base_url": url, "api_key": "none", "max_retries": 0}
    return Anthropic(**there), AsyncAnthropic(**there)


class BetaAgent(MessagesAgent):
    def answer(self) -> Any:
        return self.client.beta.messages.create(**self.request())


class CachingAgent(MessagesAgent):
    """Marks the last message for the prompt cache, as the API's guides show."""

    def answer(self) -> Any:
        messages = copy.deepcopy(self.store)
        if isinstance(messages[-1]["content"], list):
            messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
        return self.client.messages.create(**{**self.request(), "messages": messages})


class TestAnthropic(IntegrationContract):
    name = "anthropic"

    def integration(self, url: str, **settings: Any) -> Any:
        client, later = clients(url)
        return wrap(client, **settings), wrap(later, **settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:  # noqa: ARG002
        return MessagesAgent(integration, [] if store is None else store)

    def test_thoughts_stay_whole_and_signed(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET).ask(task)
        blocks = [b for m in provider.bodies[run][-1]["messages"] for b in _listed(m)]
        thoughts = [block for block in blocks if block["type"] == "thinking"]
        assert 0 < len(thoughts) < 20
        assert all(thought["signature"] for thought in thoughts)

    def test_beta_messages_are_fitted_too(self, provider: Provider) -> None:
        run, task = new_run()
        agent = BetaAgent(self.integration(provider.url, budget=BUDGET), [])
        assert run in agent.ask(task)
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_marks_for_the_prompt_cache_may_move_on(self, provider: Provider) -> None:
        run, task = new_run()
        agent = CachingAgent(self.integration(provider.url, budget=BUDGET), [])
        agent.ask(task)
        agent.ask("Go on, please.")
        assert any(evicted(provider.seen[run]))
        self.demand_sticky(provider, run)
        assert "cache_control" in str(provider.bodies[run][-2])

    def test_marks_stay_on_what_is_cut(self, provider: Provider) -> None:
        client, _ = self.integration(provider.url, budget=400, granularity="span", oversize="span")
        mark = {"type": "ephemeral"}
        call = {"type": "tool_use", "id": "call_x", "name": "lookup", "input": {}}
        whole = "\n".join(map(record, "abcdefgh"))
        result = {"type": "tool_result", "tool_use_id": "call_x", "content": whole}
        sent: Any = [
            {"role": "user", "content": "run-marks/32"},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [{**result, "cache_control": mark}]},
        ]
        client.messages.create(model="tiny", max_tokens=9, messages=sent)
        [cut] = provider.bodies["marks"][0]["messages"][-1]["content"]
        assert len(cut["content"]) < len(whole)
        assert cut["cache_control"] == mark

    def test_marks_do_not_make_a_list_a_new_one(self, provider: Provider) -> None:
        read: list[Any] = []

        def pinned(message: Any) -> bool:
            read.append(message)
            return False

        agent = CachingAgent(self.integration(provider.url, budget=BUDGET, pin=pinned), [])
        agent.ask(new_run()[1])
        assert 0 < len(read) < 2 * len(agent.store)  # not all with each request

    def test_the_tool_runner_of_the_sdk_is_fitted(self, provider: Provider) -> None:
        run, task = new_run()
        client, _ = self.integration(provider.url, budget=BUDGET)
        asked = {"tools": [beta_tool(lookup)], "messages": [{"role": "user", "content": task}]}
        runner = client.beta.messages.tool_runner(
            model="tiny", max_tokens=1000, thread=False, **asked
        )
        assert f"Turn 0 of {run} is done" in runner.until_done().content[-1].text
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_a_thread_that_the_api_keeps_is_left_alone(self, provider: Provider) -> None:
        client, _ = self.integration(provider.url, budget=20)
        sent = [{"role": "user", "content": f"run-kept/32 {record(f'R-{at}')}"} for at in range(9)]
        thread = {"type": "continue", "previous_message_id": "msg_0"}
        client.beta.messages.create(model="tiny", max_tokens=9, messages=sent, thread=thread)
        assert len(provider.seen["kept"][0]) == len(sent)

    def test_tokens_are_counted_of_what_would_be_sent(self, provider: Provider) -> None:
        _, task = new_run()
        agent: Any = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        given = {"model": "tiny", "messages": agent.store}
        short = agent.client.messages.count_tokens(**given)
        whole = clients(provider.url)[0].messages.count_tokens(**given)
        assert short.input_tokens < whole.input_tokens / 2

    def test_spans_are_cut_within_results(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET, granularity="span").ask(task)
        assert provider.refused == []
        last = provider.seen[run][-1]
        assert any(len(text) < len(record("R-0-a")) for m in last for _, text in m.results)


def _listed(message: Any) -> list[Any]:
    return message["content"] if isinstance(message["content"], list) else []


class TestTheExample:
    def test_of_the_guide_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, task = new_run()
        with serving() as provider:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
            assert run in run_example(task, {"lookup": lookup}, [TOOL])
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))


class TestTheClient:
    @pytest.fixture
    def provider(self) -> Any:
        with serving() as provider:
            yield provider

    def test_is_of_the_same_class_and_the_callers_own_stays_as_it_was(
        self, provider: Provider
    ) -> None:
        for client in clients(provider.url):
            before = dict(vars(client))
            wrapped: Any = wrap(client, budget=1000)
            assert type(wrapped) is type(client)
            assert wrapped is not client
            assert vars(client) == before

    def test_with_options_and_middleware_go_on_fitting(self, provider: Provider) -> None:
        passed: list[str] = []

        def middleware(request: Any, call_next: Any) -> Any:
            passed.append(str(request))
            return call_next(request)

        client = wrap(clients(provider.url)[0], budget=1000)
        other = client.with_options(timeout=7).with_middleware(middleware)
        sent: Any = [
            {"role": role, "content": f"run-other/32 {record(f'R-{at}')}"}
            for at in range(12)
            for role in ("user", "assistant")
        ]
        other.messages.create(model="tiny", max_tokens=9, messages=sent)
        assert other.timeout == 7
        assert len(passed) == 1
        assert len(provider.seen["other"][0]) < len(sent)

    def test_clients_for_other_clouds_are_fitted_too(self) -> None:
        """They make their resources at once, and not when these are asked for."""
        httpx = pytest.importorskip("httpx2")
        pytest.importorskip("google.auth")
        bodies: list[Any] = []

        def answer(request: Any) -> Any:
            bodies.append(json.loads(request.content))
            return httpx.Response(400, json={"error": {"message": "enough"}})

        there = httpx.Client(transport=httpx.MockTransport(answer))
        client = AnthropicVertex(region="r", project_id="p", access_token="t", http_client=there)  # noqa: S106
        sent: Any = [{"role": "user", "content": record(f"R-{at}")} for at in range(24)]
        wrapped = wrap(client, budget=1000)
        resources: Any = (wrapped.messages, wrapped.beta.messages, client.messages)
        for messages in resources:
            with pytest.raises(BadRequestError):
                messages.create(model="tiny", max_tokens=9, messages=sent)
        assert [len(body["messages"]) < 24 for body in bodies] == [True, True, False]

    def test_errors_are_the_apis_own(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        orphan: Any = {"type": "tool_result", "tool_use_id": "call_x", "content": "?"}
        with pytest.raises(BadRequestError, match="unexpected `tool_use_id` found"):
            client.messages.create(
                model="tiny", max_tokens=9, messages=[{"role": "user", "content": [orphan]}]
            )
