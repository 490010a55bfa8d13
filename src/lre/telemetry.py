"""What OpenTelemetry is told of evictions: one span and a few metrics each.

Names and units follow the GenAI semantic conventions of OpenTelemetry where these have one:
`gen_ai.conversation.id`, `gen_ai.conversation.compacted` (said only where it is true),
`gen_ai.token.type`, `error.type`, the unit ``{token}``, the buckets of
`gen_ai.client.token.usage`. What is ours begins with ``lre.``. No text of a message is ever
told: of an error there is its type alone.

Spans go to the tracer and meter providers of the application, under the name ``lre``. Without
the package `opentelemetry-api` (``pip install "lre[otel]"``) nothing is told.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from lre.receipt import Receipt

__all__ = ["DURATION_BUCKETS", "TOKEN_BUCKETS", "facts", "observed"]

Tell = Callable[[Receipt], None]

TOKEN_BUCKETS = tuple(4**power for power in range(14))
DURATION_BUCKETS = tuple(0.0001 * 2**power for power in range(18))
"""Seconds, from a tenth of a millisecond: an eviction is faster than what `gen_ai` measures."""


def facts(receipt: Receipt) -> dict[str, str | int | bool]:
    """Say in a few plain values what came of an eviction.

    >>> from lre import evict
    >>> facts(evict([{"role": "user", "content": "Hi"}], budget=100).receipt)["lre.units.kept"]
    1
    """
    verdicts = Counter(decision.verdict for decision in receipt.selection.decisions)
    return {
        "lre.policy": receipt.policy,
        "lre.tokens.before": receipt.before,
        "lre.tokens.after": receipt.after,
        "lre.tokens.limit": receipt.limit,
        "lre.units.kept": verdicts["kept"],
        "lre.units.cut": verdicts["cut"] + verdicts["rewritten"],
        "lre.units.evicted": verdicts["evicted"],
        "lre.over_budget": receipt.over_budget,
    }


class _Instruments(NamedTuple):
    tracer: Any
    tokens: Any
    units: Any
    seconds: Any
    over: Any
    fallbacks: Any


@cache
def _instruments() -> _Instruments | None:
    """Ask for the instruments once; the API hands on to whatever provider is set, even later."""
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        return None
    meter = metrics.get_meter("lre", _version())
    return _Instruments(
        tracer=trace.get_tracer("lre", _version()),
        tokens=meter.create_histogram(
            "lre.tokens",
            unit="{token}",
            description="Tokens of a prompt before and after eviction",
            explicit_bucket_boundaries_advisory=TOKEN_BUCKETS,
        ),
        units=meter.create_counter(
            "lre.units", unit="{unit}", description="Units of history by what became of them"
        ),
        seconds=meter.create_histogram(
            "lre.evict.duration",
            unit="s",
            description="Time to decide what goes",
            explicit_bucket_boundaries_advisory=DURATION_BUCKETS,
        ),
        over=meter.create_counter(
            "lre.over_budget",
            unit="{prompt}",
            description="Prompts that pins and the recent window alone made too large",
        ),
        fallbacks=meter.create_counter(
            "lre.fallbacks",
            unit="{prompt}",
            description="Prompts that were sent unchanged because of an error within",
        ),
    )


def _version() -> str:
    try:
        return version("lre")
    except PackageNotFoundError:  # run from its source
        return ""


@contextmanager
def observed(conversation: str | None = None, **attributes: str) -> Iterator[Tell]:
    """Tell of an eviction that takes place within the block; hand its receipt over inside.

    An error goes on, once its type is told. The name of a conversation is told on the span
    alone: metrics have no room for one series each.

    >>> from lre import evict
    >>> with observed(model="small") as tell:
    ...     tell(evict([{"role": "user", "content": "Hi"}], budget=100).receipt)
    """
    instruments = _instruments()
    if instruments is None:
        yield lambda _: None
        return
    named = {"gen_ai.conversation.id": conversation} if conversation else {}
    start = time.perf_counter()
    with instruments.tracer.start_as_current_span(
        "lre.evict",
        attributes={**attributes, **named},
        record_exception=False,  # its text may quote a message
        set_status_on_exception=False,
    ) as span:

        def tell(receipt: Receipt) -> None:
            span.set_attributes(facts(receipt))
            if not receipt.is_unchanged:
                span.set_attribute("gen_ai.conversation.compacted", True)
            _measure(instruments, receipt, {**attributes, "lre.policy": receipt.policy})

        about = attributes
        try:
            yield tell
        except Exception as error:
            about = {**attributes, "error.type": type(error).__qualname__}
            _fail(span, about)
            instruments.fallbacks.add(1, about)
            raise
        finally:
            instruments.seconds.record(time.perf_counter() - start, about)


def _fail(span: Any, about: dict[str, str]) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attributes(about)
    span.set_status(StatusCode.ERROR)


def _measure(instruments: _Instruments, receipt: Receipt, about: dict[str, str]) -> None:
    for stage, tokens in (("before", receipt.before), ("after", receipt.after)):
        told = {**about, "gen_ai.token.type": "input", "lre.stage": stage}
        instruments.tokens.record(tokens, told)
    verdicts = Counter(decision.verdict for decision in receipt.selection.decisions)
    for verdict, count in verdicts.items():
        instruments.units.add(count, {**about, "lre.verdict": verdict})
    if receipt.over_budget:
        instruments.over.add(1, about)
