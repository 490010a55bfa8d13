"""Small agents on the OpenAI SDK's own clients run within the budget, on both APIs."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, ids, lookup, new_run
from loops import FUNCTION, REF, ChatAgent, ResponsesAgent

pytest.importorskip("openai")

from examples.openai import run as run_example
from openai import AsyncOpenAI, AzureOpenAI, BadRequestError, OpenAI
from provider import Provider, record, serving

from lre.errors import BudgetError
from lre.integrations.openai import wrap


def clients(url: str) -> tuple[OpenAI, AsyncOpenAI]:
    there: Any = {"base_url": f"{url}/v1", "api_key": "none", "max_retries": 0}
    return OpenAI(**there), AsyncOpenAI(**there)


class RawAgent(ChatAgent):
    def answer(self) -> Any:
        raw = self.client.chat.completions.with_raw_response.create(**self.request())
        assert raw.status_code == 200
        return raw.parse().choices[0].message


class ParsingAgent(ChatAgent):
    def answer(self) -> Any:
        strict = {**FUNCTION, "strict": True, "parameters": {**REF, "additionalProperties": False}}
        request = {**self.request(), "tools": [{"type": "function", "function": strict}]}
        return self.client.chat.completions.parse(**request).choices[0].message


class OpenAIContract(IntegrationContract):
    name = "openai"
    kind: type[Any]

    def integration(self, url: str, **settings: Any) -> Any:
        client, later = clients(url)
        return wrap(client, **settings), wrap(later, **settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:  # noqa: ARG002
        agent: Agent = self.kind(integration, [] if store is None else store)
        return agent


class TestChat(OpenAIContract):
    kind = ChatAgent

    @pytest.mark.parametrize("kind", [RawAgent, ParsingAgent])
    def test_raw_and_parsed_responses_are_fitted_too(self, provider: Provider, kind: Any) -> None:
        run, task = new_run()
        assert run in kind(self.integration(provider.url, budget=BUDGET), []).ask(task)
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))


class TestResponses(OpenAIContract):
    kind = ResponsesAgent

    def test_reasoning_stays_with_what_it_led_to(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET).ask(task)
        last = provider.bodies[run][-1]["input"]
        reasoning = [item for item in last if item.get("type") == "reasoning"]
        assert 0 < len(reasoning) < 31
        assert all(item["encrypted_content"] for item in reasoning)

    def test_tokens_are_counted_of_what_would_be_sent(self, provider: Provider) -> None:
        _, task = new_run()
        agent: Any = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        given = {"model": "tiny", "input": agent.store}
        short = agent.client.responses.input_tokens.count(**given)
        whole = clients(provider.url)[0].responses.input_tokens.count(**given)
        assert short.input_tokens < whole.input_tokens / 2

    def test_what_the_api_keeps_is_left_alone(self, provider: Provider) -> None:
        client, _ = self.integration(provider.url, budget=20)
        items = long_list("run-kept/32")
        for there in ({"previous_response_id": "resp_1"}, {"conversation": "conv_1"}):
            client.responses.create(model="tiny", input=items, **there)
        assert [len(seen) for seen in provider.seen["kept"]] == [len(items)] * 2

    def test_text_as_input_is_left_alone(self, provider: Provider) -> None:
        client, _ = self.integration(provider.url, budget=20)
        client.responses.create(model="tiny", input="run-text/32 " * 100)
        assert provider.seen["text"][0][0].text == "run-text/32 " * 100


def long_list(name: str) -> list[Any]:
    return [
        {"role": role, "content": f"{name} {record(f'R-{at}')}"}
        for at in range(12)
        for role in ("user", "assistant")
    ]


class TestTheExample:
    def test_of_the_guide_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, task = new_run()
        tools = [{"type": "function", "function": FUNCTION}]
        with serving() as provider:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "none")
            assert run in run_example(task, {"lookup": lookup}, tools)
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
            wrapped = wrap(client, budget=1000)
            assert type(wrapped) is type(client)
            assert wrapped is not client
            assert vars(client) == before
            assert wrapped._client is client._client

    def test_with_options_goes_on_fitting(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        other = client.with_options(timeout=7).copy(max_retries=1)
        assert (other.timeout, other.max_retries) == (7, 1)
        sent = long_list("run-other/32")
        other.chat.completions.create(model="tiny", messages=sent)
        assert len(provider.seen["other"][0]) < len(sent)

    def test_the_list_given_is_not_changed(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        sent = long_list("run-same/32")
        client.chat.completions.create(model="tiny", messages=sent)
        assert sent == long_list("run-same/32")

    def test_clients_for_azure_are_fitted_too(self, provider: Provider) -> None:
        client = AzureOpenAI(azure_endpoint=provider.url, api_key="none", api_version="1")
        sent = long_list("run-azure/32")
        wrap(client, budget=1000).chat.completions.create(model="tiny", messages=sent)
        assert len(provider.seen["azure"][0]) < len(sent)

    def test_errors_are_the_apis_own(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        orphan: Any = {"role": "tool", "tool_call_id": "call_x", "content": "?"}
        with pytest.raises(BadRequestError, match="preceeding message with 'tool_calls'"):
            client.chat.completions.create(model="tiny", messages=[orphan])

    def test_other_resources_are_not_touched(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        with pytest.raises(Exception, match="no such path: /v1/embeddings"):
            client.embeddings.create(model="tiny", input="text")

    def test_async_streams_are_fitted(self, provider: Provider) -> None:
        later = wrap(clients(provider.url)[1], budget=1000)
        sent = long_list("run-async/1")

        async def said() -> str:
            pieces = await later.chat.completions.create(model="tiny", messages=sent, stream=True)
            return "".join([p.choices[0].delta.content or "" async for p in pieces])

        assert "is done" in asyncio.run(said())
        assert len(provider.seen["async"][0]) < len(sent)

    def test_spans_are_cut_within_results(self, provider: Provider) -> None:
        client = wrap(clients(provider.url)[0], budget=BUDGET, granularity="span")
        agent, (run, task) = ChatAgent((client, None), []), new_run()
        agent.ask(task)
        assert provider.refused == []
        last = provider.seen[run][-1]
        assert any(len(text) < len(record("R-0-a")) for m in last for _, text in m.results)
        assert len({call for m in last for call, _ in m.results}) == len(ids(last))

    def test_a_setting_that_cannot_be_used_is_told_at_once(self, provider: Provider) -> None:
        with pytest.raises(BudgetError):
            wrap(clients(provider.url)[0], budget=-1)

    def test_the_integration_logs_what_went(
        self, provider: Provider, caplog: pytest.LogCaptureFixture
    ) -> None:
        client = wrap(clients(provider.url)[0], budget=1000)
        with caplog.at_level(logging.INFO, logger="lre.integrations.openai"):
            client.chat.completions.create(model="tiny", messages=long_list("run-log/32"))
        assert any("tokens" in message for message in caplog.messages)
