"""OpenHands chat dumps: one call of the model a file, ``{"messages", "response", "kwargs", …}``.

LiteLLM's request and reply, as OpenHands writes them with ``log_completions``. No later request
of the file repeats the reply, so it is the session's last message. A model without calls of its
own was sent a rendering of them as text: ``fncall_messages`` hold the calls, and are read instead.
Source: `openhands.llm.llm` and `openhands.llm.fn_call_converter` in OpenHands' code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import trace
from lre.traces.walk import is_entry

__all__ = ["READER"]


class _OpenHandsChat:
    name = "openhands_chat"
    describe = "OpenHands chat dumps (log_completions): `messages`, `response` and `kwargs`"
    dialects = ("openai-chat",)
    example = "log_completions/….json"

    def recognises(self, value: object) -> bool:
        return (
            isinstance(value, dict)
            and isinstance(value.get("messages"), list)
            and isinstance(value.get("kwargs"), dict)
            and "response" in value
        )

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        for record in records:
            if self.recognises(record.value):
                yield from _session(record.value, record.where, report)
            else:
                report(record.where, "no chat dump: skipped")


READER = _OpenHandsChat()


def _session(dump: dict[str, Any], where: str, report: Report) -> Iterator[Trace]:
    key = "fncall_messages" if isinstance(dump.get("fncall_messages"), list) else "messages"
    for i, entry in enumerate(dump[key]):
        if not is_entry(entry):
            report(f"{where}: {key}[{i}]", "no message (it has no role): its session is skipped")
            return
    messages = [*dump[key], *_reply(dump.get("fncall_response") or dump["response"])]
    if messages:
        facts = {"timestamp": dump.get("timestamp"), "cost": dump.get("cost")}
        tools = dump["kwargs"].get("tools")
        yield trace(READER.name, f"{where}: {key}", messages, tools=tools, **facts)


def _reply(response: object) -> list[dict[str, Any]]:
    choices = response.get("choices") if isinstance(response, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return [message] if isinstance(message, dict) and is_entry(message) else []
