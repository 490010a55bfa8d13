"""What OpenTelemetry is told, by its real SDK with everything kept in memory."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import lre
from lre.errors import MessageError
from lre.integrations import Fitter, Native
from lre.telemetry import DURATION_BUCKETS, TOKEN_BUCKETS, facts, observed

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

SECRET = "the vault opens with kx7-4471"  # noqa: S105 - a text that must not be told
CHAT: list[Any] = [
    {"role": "user", "content": f"Note {i}: {SECRET}, T-{i}00{i}"} for i in range(40)
]
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "observability.md"


class Told:
    """All that was told since the last look."""

    def __init__(self) -> None:
        with observed() as tell:  # asks for the instruments before there is any provider
            tell(lre.evict(CHAT, budget=10_000).receipt)
        self.exporter = InMemorySpanExporter()
        delta = AggregationTemporality.DELTA
        self.reader = InMemoryMetricReader({Counter: delta, Histogram: delta})
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        trace.set_tracer_provider(provider)
        metrics.set_meter_provider(MeterProvider([self.reader]))

    def forget(self) -> None:
        self.exporter.clear()
        self.reader.get_metrics_data()
        self.__dict__.pop("measured", None)

    @property
    def spans(self) -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if span.name == "lre.evict"]

    @property
    def span(self) -> ReadableSpan:
        [span] = self.spans
        return span

    @cached_property
    def measured(self) -> dict[str, list[Any]]:
        """The data points of all metrics."""
        data = self.reader.get_metrics_data()
        scopes = [s for r in (data.resource_metrics if data else ()) for s in r.scope_metrics]
        found = [metric for scope in scopes for metric in scope.metrics]
        return {metric.name: list(metric.data.data_points) for metric in found}

    @property
    def points(self) -> list[Any]:
        return [point for points in self.measured.values() for point in points]


@pytest.fixture(scope="module")
def telling() -> Told:
    """Set the providers of this process, which can be done once: after the first eviction."""
    return Told()


@pytest.fixture
def told(telling: Told) -> Iterator[Told]:
    telling.forget()
    yield telling
    telling.forget()


def fitter(**settings: Any) -> Fitter[Any]:
    return Fitter("mine", Native("openai-chat"), **{"budget": 480, **settings})


def test_a_span_says_what_came_of_it(told: Told) -> None:
    receipt = fitter()(CHAT).receipt
    assert receipt
    assert told.span.attributes == {
        "lre.integration": "mine",
        "gen_ai.conversation.compacted": True,
        **facts(receipt),
    }
    assert told.span.status.status_code is StatusCode.UNSET


def test_a_prompt_that_fits_is_not_called_compacted(told: Told) -> None:
    fitter(budget=10_000)(CHAT)
    assert "gen_ai.conversation.compacted" not in (told.span.attributes or {})


def test_the_span_is_below_the_callers(told: Told) -> None:
    with trace.get_tracer("app").start_as_current_span("chat tiny") as outer:
        fitter()(CHAT)
    parent = told.span.parent
    assert parent
    assert parent.span_id == outer.get_span_context().span_id


def test_a_conversation_is_named_on_the_span_alone(told: Told) -> None:
    fitter()(CHAT, conversation="thread-7")
    assert (told.span.attributes or {})["gen_ai.conversation.id"] == "thread-7"
    assert told.points
    assert not [point for point in told.points if "gen_ai.conversation.id" in point.attributes]


def test_tokens_before_and_after_are_measured(told: Told) -> None:
    receipt = fitter()(CHAT).receipt
    assert receipt
    points = {point.attributes["lre.stage"]: point for point in told.measured["lre.tokens"]}
    assert (points["before"].sum, points["after"].sum) == (receipt.before, receipt.after)
    assert all(point.attributes["gen_ai.token.type"] == "input" for point in points.values())
    assert points["before"].explicit_bounds == TOKEN_BUCKETS


def test_units_are_counted_by_their_verdict(told: Told) -> None:
    receipt = fitter(budget=400)(CHAT).receipt
    assert receipt
    verdicts = {p.attributes["lre.verdict"] for p in told.measured["lre.units"]}
    assert verdicts == {"kept", "evicted"}


def test_seconds_are_measured(told: Told) -> None:
    fitter()(CHAT)
    [point] = told.measured["lre.evict.duration"]
    assert point.attributes == {"lre.integration": "mine"}
    assert point.explicit_bounds == DURATION_BUCKETS


def test_prompts_over_budget_are_counted(told: Told) -> None:
    fitter()(CHAT)
    assert "lre.over_budget" not in told.measured
    told.forget()
    fitter(budget=10)(CHAT)
    [point] = told.measured["lre.over_budget"]
    assert point.value == 1


def test_an_error_is_told_and_the_prompt_goes_out_unchanged(told: Told) -> None:
    def breaks(_: object) -> bool:
        raise MessageError(SECRET)

    assert fitter(pin=breaks)(CHAT).messages is CHAT
    [fallback] = told.measured["lre.fallbacks"]
    assert fallback.value == 1
    assert fallback.attributes == {"lre.integration": "mine", "error.type": "MessageError"}
    assert told.span.status.status_code is StatusCode.ERROR
    assert (told.span.attributes or {})["error.type"] == "MessageError"
    assert {p.attributes.get("error.type") for p in told.measured["lre.evict.duration"]} == {
        "MessageError"
    }


def test_no_text_of_a_message_is_told(told: Told) -> None:
    def breaks(_: object) -> bool:
        raise ValueError(SECRET)

    fitter(granularity="span")(CHAT)
    fitter(pin=breaks)(CHAT)
    assert len(told.spans) == 2
    everything = [span.to_json() for span in told.spans]
    everything += [str(point) for point in told.points]
    assert not [text for text in everything if "vault" in text or "4471" in text]


def test_threads_tell_spans_of_their_own(told: Told) -> None:
    def run(name: str) -> str:
        with trace.get_tracer("app").start_as_current_span(name) as outer:
            fitter()(CHAT)
        return f"{outer.get_span_context().span_id}"

    with ThreadPoolExecutor(4) as pool:
        outer = list(pool.map(run, [f"chat {i}" for i in range(8)]))
    parents = [str(span.parent.span_id) for span in told.spans if span.parent]
    assert sorted(parents) == sorted(outer)


def test_the_page_names_all_that_is_told(told: Told) -> None:
    fitter(budget=10)(CHAT, conversation="thread-7")

    def breaks(_: object) -> bool:
        raise ValueError

    fitter(pin=breaks)(CHAT)
    spoken = {name for span in told.spans for name in span.attributes or {}}
    measured = {name for point in told.points for name in point.attributes}
    _, _, section = PAGE.read_text(encoding="utf-8").partition("## OpenTelemetry")
    named = re.findall(r"`((?:lre|gen_ai|error)\.[a-z_.]+)`", section.partition("## What")[0])
    assert {*named} == spoken | measured | {*told.measured, "lre.evict"}


def test_the_example_of_the_page_runs() -> None:
    example = ROOT / "examples" / "observability.py"
    done = subprocess.run(  # noqa: S603
        [sys.executable, example], capture_output=True, text=True, check=True
    )
    assert '"name": "lre.evict"' in done.stdout
    assert '"lre.units.evicted": 8' in done.stdout


def test_without_the_package_nothing_is_told() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from lre.integrations import Fitter, Native\n"
        "fit = Fitter('mine', Native('openai-chat'), budget=10)\n"
        "print(fit([{'role': 'user', 'content': 'Hi'}]).receipt is not None)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"
