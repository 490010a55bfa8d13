"""Inspect logs: ``.json`` with all ``samples``, and ``.eval``, an archive with a file for each.

Each sample is a session: what its ``messages`` hold in the end. They are Chat Completions but for
the calls (``function`` is a name, ``arguments`` an object), for errors, which stand beside an
empty result, and for parts of the content. What a sample keeps apart as attachments is put back.
The other files of an archive (plan, summaries) tell the task and the model, and hold no session.
Samples that are stored in chunks, which Inspect 0.3 can convert to but does not write, are skipped.
A sample's id and its task name the task, so that its epochs and its models stay together.
Source: Inspect documentation, Eval logs; `inspect_ai.log.EvalSample`, `inspect_ai.model`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.entries import Entry, called, trace
from lre.traces.walk import listed

__all__ = ["READER"]

_ATTACHED = "attachment://"


class _Inspect:
    name = "inspect"
    describe = "Inspect logs (.json, .eval): samples with `messages` and `epoch`"
    dialects = ("openai-chat",)
    example = "logs/….eval"

    def recognises(self, value: object) -> bool:
        return _is_head(value) or _is_sample(value)

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        facts: dict[str, Any] = {}
        for record in records:
            value = record.value
            if _is_head(value):
                facts = _facts(value["eval"])
                samples = value.get("samples")
                for i, one in enumerate(samples if isinstance(samples, list) else ()):
                    yield from _session(one, f"{record.where}: samples[{i}]", facts, report)
            elif isinstance(value, dict) and "epoch" in value:
                yield from _session(value, record.where, facts, report)


READER = _Inspect()


def _is_head(value: object) -> bool:
    """Tell whether a value is a whole log, or tells in an archive what was run."""
    run = value.get("eval") if isinstance(value, dict) else None
    return isinstance(run, dict) and {"task", "run_id"} <= run.keys()


def _is_sample(value: object) -> bool:
    return isinstance(value, dict) and {"id", "epoch", "input", "messages"} <= value.keys()


def _facts(run: dict[str, Any]) -> dict[str, Any]:
    return {"eval": run.get("task"), "model": run.get("model")}


def _session(value: object, where: str, facts: dict[str, Any], report: Report) -> Iterator[Trace]:
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        report(where, "no sample with messages: skipped")
        return
    attached = value.get("attachments")
    messages: list[Entry] = []
    for i, message in enumerate(value["messages"]):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            report(f"{where}: messages[{i}]", "no message (it has no role): its session is skipped")
            return
        messages.append(_entry(_put_back(message, attached if isinstance(attached, dict) else {})))
    task = f"{facts['eval']}/{value.get('id')}" if facts.get("eval") else None
    if messages:
        sample, epoch = value.get("id"), value.get("epoch")
        yield trace(READER.name, where, messages, task=task, sample=sample, epoch=epoch, **facts)


def _put_back(message: dict[str, Any], attached: dict[str, Any]) -> dict[str, Any]:
    """Replace references to attachments in the content by what they refer to."""

    def found(value: Any) -> Any:
        told = isinstance(value, str) and value.startswith(_ATTACHED)
        return attached.get(value.removeprefix(_ATTACHED), value) if told else value

    content = message.get("content")
    if isinstance(content, list):
        blocks = listed(content)
        return {
            **message,
            "content": [{key: found(block[key]) for key in block} for block in blocks],
        }
    return {**message, "content": found(content)}


def _entry(message: dict[str, Any]) -> Entry:
    """Write a message as Chat Completions has it."""
    entry: Entry = {"role": message["role"], **_content(message.get("content"))}
    if entry["role"] == "tool":
        entry["tool_call_id"] = message.get("tool_call_id")
    calls = [_called(one) for one in listed(message.get("tool_calls"))]
    if calls:
        entry["tool_calls"] = calls
    error = message.get("error")
    if isinstance(error, dict):
        return {**entry, "content": entry["content"] or error.get("message"), "error": True}
    return entry


def _called(call: dict[str, Any]) -> Entry:
    return called(call.get("id"), call.get("function"), call.get("arguments"))


def _content(content: object) -> Entry:
    """Take the reasoning out of the content, in the form of LiteLLM, which knows signatures."""
    if not isinstance(content, list):
        return {"content": content}
    blocks = listed(content)
    thoughts = [_thought(block) for block in blocks if block.get("type") == "reasoning"]
    parts = [_part(block) for block in blocks if block.get("type") != "reasoning"]
    return {"content": parts or "", **({"thinking_blocks": thoughts} if thoughts else {})}


def _thought(block: dict[str, Any]) -> dict[str, Any]:
    if block.get("redacted"):
        return {"type": "redacted_thinking", "data": block.get("reasoning")}
    signature = block.get("signature") or ""
    return {"type": "thinking", "thinking": block.get("reasoning"), "signature": signature}


def _part(block: dict[str, Any]) -> dict[str, Any]:
    match block.get("type"):
        case "text":
            return {"type": "text", "text": block.get("text")}
        case "image":
            image = {"url": block.get("image"), "detail": block.get("detail", "auto")}
            return {"type": "image_url", "image_url": image}
        case "audio":
            sound = {"data": block.get("audio"), "format": block.get("format")}
            return {"type": "input_audio", "input_audio": sound}
        case "document":
            paper = {"file_data": block.get("document"), "filename": block.get("filename")}
            return {"type": "file", "file": paper}
        case "tool_use":  # the provider ran it within the turn: no call that a list could answer
            return {"type": "text", "text": json.dumps(block, ensure_ascii=False)}
    return block
