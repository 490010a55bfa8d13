"""Show the span of each eviction on the console; an application sets its own exporter instead."""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

from lre.integrations import Fitter, Native

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter()))
trace.set_tracer_provider(provider)

fit = Fitter("mine", Native("openai-chat"), budget=300)
chat = [{"role": "user", "content": f"Note {i}: wind from the west, quiet."} for i in range(20)]
with trace.get_tracer("app").start_as_current_span("chat"):
    fitted = fit(chat, conversation="thread-7")  # the span lre.evict is below the span chat
