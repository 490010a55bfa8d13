"""Small agents on LiteLLM's SDK, its router and its proxy run within the budget."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from contract import BUDGET, Agent, IntegrationContract, evicted, lookup, new_run
from litellm_proxy import Proxy, is_installed, proxying
from loops import FUNCTION, TOOL, ChatAgent, ListAgent, MessagesAgent, ResponsesAgent

pytest.importorskip("litellm")
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # nothing is fetched

import litellm
from litellm.integrations.custom_logger import CustomLogger
from provider import Provider, record, serving

from lre.integrations.litellm import EvictionHook


class Log(CustomLogger):  # type: ignore[misc]
    """Keeps what LiteLLM hands to those that log."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []

    async def async_log_success_event(self, kwargs: Any, *_: Any, **__: Any) -> None:
        self.told.append(kwargs["litellm_params"].get("litellm_metadata"))


@pytest.fixture(autouse=True)
def callbacks() -> Iterator[None]:
    """Give each test callbacks of its own."""
    yield
    litellm.callbacks = []
    litellm.logging_callback_manager._reset_all_callbacks()


class SdkAgent:
    def __init__(self, url: str, hook: EvictionHook, store: list[Any]) -> None:
        self.hook, self.store, self.log = hook, store, Log()
        litellm.callbacks = [hook, self.log]
        self.there = {"model": "openai/tiny", "api_base": f"{url}/v1", "api_key": "none"}

    def request(self) -> Any:
        tools = [{"type": "function", "function": FUNCTION}]
        return {**self.there, "messages": [*self.store], "tools": tools, "max_retries": 0}

    def goes_on(self, message: Any) -> bool:
        self.store.append(message)
        for call in message.tool_calls or ():
            text = lookup(**json.loads(call.function.arguments))
            self.store.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return bool(message.tool_calls)

    async def answer(self) -> Any:
        return await litellm.acompletion(**self.request())

    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        while self.goes_on((await self.answer()).choices[0].message):
            pass
        await asyncio.sleep(0.2)  # LiteLLM logs behind the caller's back
        return str(self.store[-1].content)

    def ask(self, text: str) -> str:
        return asyncio.run(self.aask(text))

    def stream(self, text: str) -> str:
        return asyncio.run(self.said(text))

    async def said(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        said = ""
        while True:
            pieces = await litellm.acompletion(**self.request(), stream=True)
            chunks = [piece async for piece in pieces]
            said += "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
            whole: Any = litellm.stream_chunk_builder(chunks)
            if not self.goes_on(whole.choices[0].message):
                return said

    def stored(self) -> str:
        return "\n".join(map(str, self.store)).replace("\\n", "\n")

    def told(self) -> Sequence[Any]:
        return self.log.told


class SyncAgent(SdkAgent):
    def ask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        while True:
            request = self.request()
            request["messages"] = self.hook.fit(self.store, request["tools"])
            if not self.goes_on(litellm.completion(**request).choices[0].message):
                return str(self.store[-1].content)


class RouterAgent(SdkAgent):
    async def answer(self) -> Any:
        deployment = {"model_name": "small", "litellm_params": self.there}
        router = litellm.Router(model_list=[deployment], num_retries=0)
        return await router.acompletion(**{**self.request(), "model": "small"})


class SdkResponsesAgent(SdkAgent):
    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        tools = [{"type": "function", **FUNCTION}]
        while True:
            response: Any = await litellm.aresponses(input=[*self.store], tools=tools, **self.there)
            items = [item.model_dump(exclude_none=True) for item in response.output]
            calls = [item for item in items if item["type"] == "function_call"]
            self.store += items
            for call in calls:
                output = lookup(**json.loads(call["arguments"]))
                result = {"type": "function_call_output", "call_id": call["call_id"]}
                self.store.append({**result, "output": output})
            if not calls:
                return str(items[-1]["content"][0]["text"])


class SdkMessagesAgent(SdkAgent):
    async def aask(self, text: str) -> str:
        self.store.append({"role": "user", "content": text})
        there = {**self.there, "model": "anthropic/tiny"}
        there["api_base"] = there["api_base"].removesuffix("/v1")
        while True:
            answer: Any = await litellm.anthropic.messages.acreate(
                messages=[*self.store], tools=[TOOL], max_tokens=1000, **there
            )
            self.store.append({"role": "assistant", "content": answer["content"]})
            results = [
                {"type": "tool_result", "tool_use_id": b["id"], "content": lookup(**b["input"])}
                for b in answer["content"]
                if b["type"] == "tool_use"
            ]
            if not results:
                return str(answer["content"][-1]["text"])
            self.store.append({"role": "user", "content": results})


WAYS = [SyncAgent, RouterAgent, SdkResponsesAgent, SdkMessagesAgent]


class TestSdk(IntegrationContract):
    name = "litellm"

    def integration(self, url: str, **settings: Any) -> EvictionHook:  # noqa: ARG002
        return EvictionHook(**settings)

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        return SdkAgent(url, integration, [] if store is None else store)

    @pytest.mark.parametrize("kind", WAYS)
    def test_all_ways_to_call_are_fitted(self, provider: Provider, kind: type[SdkAgent]) -> None:
        run, task = new_run()
        agent = kind(provider.url, EvictionHook(budget=BUDGET), [])
        assert f"Turn 0 of {run} is done" in agent.ask(task)
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    @pytest.mark.parametrize("kind", [SdkAgent, SdkResponsesAgent, SdkMessagesAgent])
    def test_receipts_do_not_go_to_the_provider(self, provider: Provider, kind: Any) -> None:
        run, task = new_run()
        kind(provider.url, EvictionHook(budget=BUDGET), []).ask(task)
        assert not any("lre.tokens" in json.dumps(body) for body in provider.bodies[run])

    def test_a_list_that_the_proxy_shortened_is_not_fitted_again(self) -> None:
        receipts: list[Any] = []
        hook = EvictionHook(budget=300, on_receipt=receipts.append)
        messages = [{"role": "user", "content": record(f"R-{at}")} for at in range(20)]
        data = {"model": "small", "messages": messages, "metadata": {"team": "blue"}}
        asked = asyncio.run(hook.async_pre_call_hook(None, None, data, "acompletion"))
        sent = asyncio.run(hook.async_pre_call_deployment_hook(asked, "acompletion"))
        assert len(receipts) == 1
        assert sent is asked
        assert len(sent["messages"]) < len(messages)
        assert sent["metadata"]["team"] == "blue"
        assert data == {"model": "small", "messages": messages, "metadata": {"team": "blue"}}

    def test_other_calls_are_left_alone(self) -> None:
        hook = EvictionHook(budget=10)
        asked = {"model": "small", "input": ["some text"] * 99}
        sent = asyncio.run(hook.async_pre_call_deployment_hook(asked, "aembedding"))
        assert sent is asked


class TestTheExample:
    def test_of_the_guide_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, task = new_run()
        tools = [{"type": "function", "function": FUNCTION}]
        with serving() as provider:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{provider.url}/v1")
            monkeypatch.setenv("OPENAI_API_KEY", "none")
            run_example = importlib.import_module("examples.litellm").run
            assert run in asyncio.run(run_example(task, {"lookup": lookup}, tools))
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Provider, Proxy]]:
    folder = tmp_path_factory.mktemp("proxy")
    with serving() as provider, proxying(provider.url, folder) as proxy:
        yield provider, proxy


@pytest.mark.skipif(not is_installed(), reason="litellm[proxy] is not installed here")
class TestProxy:
    def agent(self, proxy: Proxy, kind: type[ListAgent]) -> Any:
        there: Any = {"api_key": proxy.key, "max_retries": 0, "timeout": 60}
        if kind is MessagesAgent:
            anthropic = pytest.importorskip("anthropic")
            return kind((anthropic.Anthropic(base_url=proxy.url, **there), None), [])
        openai = pytest.importorskip("openai")
        there["base_url"] = f"{proxy.url}/v1"
        return kind((openai.OpenAI(**there), openai.AsyncOpenAI(**there)), [])

    @pytest.mark.parametrize("kind", [ChatAgent, ResponsesAgent, MessagesAgent])
    def test_all_its_apis_are_fitted(
        self, both: tuple[Provider, Proxy], kind: type[ListAgent]
    ) -> None:
        provider, proxy = both
        run, task = new_run()
        assert f"Turn 0 of {run} is done" in self.agent(proxy, kind).ask(task)
        assert provider.refused == []
        assert any(evicted(provider.seen[run]))

    def test_streams_are_fitted(self, both: tuple[Provider, Proxy]) -> None:
        provider, proxy = both
        run, task = new_run()
        assert f"Turn 0 of {run} is done" in self.agent(proxy, ChatAgent).stream(task)
        assert any(evicted(provider.seen[run]))

    def test_two_clients_at_once_stay_apart(self, both: tuple[Provider, Proxy]) -> None:
        provider, proxy = both
        runs = [new_run() for _ in range(2)]
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda r: self.agent(proxy, ChatAgent).ask(r[1]), runs))
        assert all(run in answer for (run, _), answer in zip(runs, said, strict=True))
        assert all(any(evicted(provider.seen[run])) for run, _ in runs)

    def test_receipts_reach_its_callbacks(self, both: tuple[Provider, Proxy]) -> None:
        provider, proxy = both
        run, task = new_run()
        self.agent(proxy, ChatAgent).ask(task)
        time.sleep(2)  # the proxy logs behind its clients' backs
        told = [json.loads(line) for line in proxy.told.read_text().splitlines()]
        assert all(receipt["lre.tokens.after"] <= 4000 for receipt in told)
        assert any(receipt["lre.units.evicted"] for receipt in told)
        assert "lre.tokens" not in json.dumps(provider.bodies[run])
