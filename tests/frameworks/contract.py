"""What every integration has to hold: whole runs of the real framework against a strict provider.

A test of an integration subclasses `IntegrationContract` and builds an `Agent`.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Protocol

import pytest
from provider import Provider, Seen, record, serving

__all__ = ["Agent", "IntegrationContract", "lookup"]

BUDGET = 5000
STEPS = 32  # requests of one turn of the user's: 31 with calls, then the answer


def lookup(ref: str) -> str:
    """Look a record up by its reference."""
    return record(ref)


class Agent(Protocol):
    """An agent of the framework, with the tool `lookup`, talking to the provider."""

    def ask(self, text: str) -> str:
        """Run one turn of the user's, and give the final text."""
        ...

    async def aask(self, text: str) -> str:
        """Run one turn in async code."""
        ...

    def stream(self, text: str) -> str:
        """Run one turn with streamed answers."""
        ...

    @property
    def store(self) -> Any:
        """Where the framework keeps messages over a restart; None where it does not."""
        ...

    def stored(self) -> str | None:
        """Give all that the framework's own store holds, as one text; None where it has none."""
        ...

    def told(self) -> Sequence[Any]:
        """Give the receipts that reached the framework's own logging or tracing."""
        ...


class IntegrationContract:
    """Inherit, name the integration, and build an agent.

    Attributes
    ----------
    name : str
        As in `lre.integrations.INTEGRATIONS`.
    modes : tuple of str
        The ways to run that the framework has: of "ask", "aask", "stream".
    """

    name: str
    modes: tuple[str, ...] = ("ask", "aask", "stream")

    def integration(self, url: str, **settings: Any) -> Any:
        """Build the one line that a user writes, with these settings."""
        raise NotImplementedError

    def agent(self, url: str, integration: Any, store: Any = None) -> Agent:
        """Build an agent with it that talks to the provider at `url`, over a store or a new one."""
        raise NotImplementedError

    def fitted(self, url: str, **settings: Any) -> Agent:
        """Build an agent that is fitted with these settings."""
        return self.agent(url, self.integration(url, **settings))

    def play(self, agent: Agent, mode: str, task: str) -> str:
        """Run one turn in one of the modes."""
        if mode == "aask":
            return asyncio.run(agent.aask(task))
        return agent.stream(task) if mode == "stream" else agent.ask(task)

    @pytest.fixture
    def provider(self) -> Any:
        with serving() as provider:
            yield provider

    @pytest.fixture(params=["ask", "aask", "stream"])
    def mode(self, request: pytest.FixtureRequest) -> str:
        mode: str = request.param
        if mode not in self.modes:
            pytest.skip(f"{self.name} has no {mode}")
        return mode

    def test_a_run_of_thirty_turns_is_accepted_and_fits(
        self, provider: Provider, mode: str
    ) -> None:
        run, task = new_run()
        answer = self.play(self.fitted(provider.url, budget=BUDGET), mode, task)
        assert provider.refused == []
        assert f"Turn 0 of {run} is done" in answer
        seen = provider.seen[run]
        assert len(seen) == STEPS
        assert any(evicted(seen)), "nothing was evicted"
        for request in seen:
            assert size(request) < 4 * BUDGET * 1.2  # characters: some three and a half a token

    def test_what_is_shown_is_what_the_tools_said(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET).ask(task)
        results = {
            result for request in provider.seen[run] for m in request for result in m.results
        }
        assert len(results) > STEPS
        for call_id, text in results:
            assert record(reference(call_id)) in text

    def test_what_went_stays_gone_and_cuts_are_rare(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=BUDGET).ask(task)
        seen = provider.seen[run]
        gone: set[str] = set()
        for before, after in pairwise(seen):
            gone |= ids(before) - ids(after)
            assert not gone & ids(after)
        cuts = sum(bool(ids(before) - ids(after)) for before, after in pairwise(seen))
        assert 1 <= cuts <= STEPS / 4

    def test_a_next_turn_goes_on_from_what_is_left(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        agent.ask("Go on, please.")
        self.demand_sticky(provider, run)

    def test_after_a_restart_the_same_is_gone(self, provider: Provider) -> None:
        run, task = new_run()
        first = self.fitted(provider.url, budget=BUDGET)
        first.ask(task)
        if first.store is None:
            pytest.skip(f"{self.name} keeps no messages over a restart")
        integration = self.integration(provider.url, budget=BUDGET)
        second = self.agent(provider.url, integration, first.store)
        second.ask("Go on, please.")
        self.demand_sticky(provider, run)

    def demand_sticky(self, provider: Provider, run: str) -> None:
        """Demand that two turns were played, were accepted, and that nothing came back."""
        seen = provider.seen[run]
        assert provider.refused == []
        assert len(seen) == 2 * STEPS
        for before, after in pairwise(seen):
            came = ids(after) - ids(before)
            assert not came & {i for request in seen[: seen.index(before)] for i in ids(request)}

    def test_the_store_keeps_everything(self, provider: Provider) -> None:
        run, task = new_run()
        agent = self.fitted(provider.url, budget=BUDGET)
        agent.ask(task)
        stored = agent.stored()
        if stored is None:
            pytest.skip(f"{self.name} has no store of its own")
        called = {call for request in provider.seen[run] for m in request for call in m.calls}
        assert len(called) >= STEPS
        missing = [call for call in called if f"{reference(call)} found" not in stored]
        assert not missing

    def test_under_budget_nothing_changes(self, provider: Provider) -> None:
        run, task = new_run()
        self.fitted(provider.url, budget=1_000_000).ask(task)
        assert not any(evicted(provider.seen[run]))

    def test_two_threads_at_once_stay_apart(self, provider: Provider) -> None:
        runs = [new_run() for _ in range(2)]
        shared = self.integration(provider.url, budget=BUDGET)
        agents = [self.agent(provider.url, shared) for _ in runs]
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(a.ask, task) for a, (_, task) in zip(agents, runs, strict=True)]
            answers = [future.result() for future in asked]
        assert provider.refused == []
        for (run, _), answer in zip(runs, answers, strict=True):
            assert f"Turn 0 of {run} is done" in answer
            assert len(provider.seen[run]) == STEPS
            others = {m.text for request in provider.seen[run] for m in request}
            assert not any(other in text for other, _ in runs if other != run for text in others)

    def test_on_an_error_within_everything_is_sent(
        self, provider: Provider, caplog: pytest.LogCaptureFixture
    ) -> None:
        run, task = new_run()
        with caplog.at_level(logging.ERROR, logger="lre.integrations"):
            answer = self.fitted(provider.url, budget=BUDGET, pin=_breaks).ask(task)
        assert f"Turn 0 of {run} is done" in answer
        assert not any(evicted(provider.seen[run]))
        told = [r for r in caplog.records if r.name == f"lre.integrations.{self.name}"]
        assert len(told) == 1
        assert "sent unchanged" in told[0].message

    def test_receipts_reach_the_caller_and_the_framework(self, provider: Provider) -> None:
        _, task = new_run()
        receipts: list[Any] = []
        agent = self.fitted(provider.url, budget=BUDGET, on_receipt=receipts.append)
        agent.ask(task)
        assert len(receipts) >= STEPS
        assert receipts[-1].after <= BUDGET < receipts[-1].before
        assert any("lre.tokens.after" in str(told) for told in agent.told())


def _breaks(_: object) -> bool:
    raise RuntimeError("a predicate of the user's that fails")


def new_run() -> tuple[str, str]:
    """Name a run, and write its task."""
    run = uuid.uuid4().hex[:12]
    return run, f"Audit the records of run-{run}/{STEPS}, one by one, with the tool lookup."


def ids(request: Sequence[Seen]) -> set[str]:
    """Give the ids of all results that a request shows."""
    return {call_id for message in request for call_id, _ in message.results}


def evicted(requests: Sequence[Sequence[Seen]]) -> list[set[str]]:
    """Give what each request lacks of what the one before it had."""
    return [ids(before) - ids(after) for before, after in pairwise(requests)]


def size(request: Sequence[Seen]) -> int:
    """Count the characters of a request."""
    return sum(len(m.text) + sum(len(text) for _, text in m.results) for m in request)


def reference(call_id: str) -> str:
    """Give the reference that a call asked for; the story numbers both alike."""
    return call_id.replace("call_", "R-").replace("_", "-")
