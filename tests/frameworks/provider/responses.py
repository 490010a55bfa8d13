"""OpenAI Responses, with the API's own words of refusal.

Every answer begins with sealed reasoning, as models give it that think and keep nothing (`store`
false, `include` with ``reasoning.encrypted_content``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from provider.story import Reply, Seen

__all__ = ["Responses", "ResponsesCount"]


class Responses:
    """``POST /v1/responses``."""

    def speaks(self, path: str) -> bool:
        return path.endswith("/responses")

    def refuses(self, body: Any) -> str:
        given = body.get("input")
        if given is None:
            return "Missing required parameter: 'input'."
        return "" if body.get("previous_response_id") else next(_wrong(_items(given)), "")

    def seen(self, body: Any) -> list[Seen]:
        return [_seen(item) for item in _items(body["input"])]

    def error(self, what: str) -> Any:
        kind = "invalid_request_error"
        return {"error": {"message": what, "type": kind, "param": "input", "code": None}}

    def reply(self, reply: Reply, body: Any) -> Any:
        return _response(reply, body, "completed", [*_output(reply)])

    def streams(self, path: str, body: Any) -> bool:  # noqa: ARG002
        return bool(body.get("stream"))

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:
        for number, event in enumerate(_events(reply, body)):
            yield event["type"], {**event, "sequence_number": number}


class ResponsesCount(Responses):
    """``POST /v1/responses/input_tokens``: refuses what the other refuses."""

    def speaks(self, path: str) -> bool:
        return path.endswith("/responses/input_tokens")

    def reply(self, reply: Reply, body: Any) -> Any:  # noqa: ARG002
        return {"object": "response.input_tokens", "input_tokens": len(json.dumps(body)) // 4}


_CALLS = ("function_call", "custom_tool_call")


def _items(given: Any) -> list[Any]:
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _wrong(items: Sequence[Any]) -> Iterator[str]:
    """Say what the API says of the first thing that is wrong."""
    if not items:
        yield "Invalid 'input': empty array. Expected an array with minimum length 1."
    seen: set[str] = set()
    for index, item in enumerate(items):
        kind, name = item.get("type", "message"), item.get("id")
        if name and name in seen:
            yield (
                f"Duplicate item found with id {name}. "
                "Remove duplicate items from your input and try again."
            )
        seen.add(name)
        follower = items[index + 1] if index + 1 < len(items) else {}
        if kind == "reasoning" and not _of_model(follower):
            yield (
                f"Item '{name}' of type 'reasoning' was provided without its required following "
                "item."
            )
        if kind != "reasoning" and (thought := _thought(name)) and thought not in seen:
            yield (
                f"Item '{name}' of type '{kind}' was provided without its required 'reasoning' "
                f"item: '{thought}'."
            )
        yield from _misplaced(item)
    yield from _unpaired(items)


def _misplaced(item: Any) -> Iterator[str]:
    """Each side has content of its own."""
    by_model = _role(item) == "assistant"
    content = item.get("content")
    for part in content if item.get("type", "message") == "message" and content else ():
        if isinstance(part, str):
            continue
        if by_model and part["type"] not in ("output_text", "refusal"):
            yield (
                f"Invalid value: '{part['type']}'. Supported values are: 'output_text' and "
                "'refusal'."
            )
        if not by_model and not part["type"].startswith("input_"):
            yield (
                f"Invalid value: '{part['type']}'. Supported values are: 'input_text', "
                "'input_image', and 'input_file'."
            )


def _unpaired(items: Sequence[Any]) -> Iterator[str]:
    """Calls and outputs go by id, wherever they stand, but the call comes first."""
    waiting: list[str] = []
    for item in items:
        kind, call = str(item.get("type")), item.get("call_id")
        if kind in _CALLS:
            waiting.append(call)
        elif kind.endswith("_call_output"):
            if call not in waiting:
                yield f"No tool call found for function call output with call_id {call}."
            else:
                waiting.remove(call)
    if waiting:
        yield f"No tool output found for function call {waiting[0]}."


def _of_model(item: Any) -> bool:
    kind = item.get("type", "message")
    return kind in ("reasoning", *_CALLS) or (kind == "message" and _role(item) == "assistant")


def _role(item: Any) -> str:
    return str(item.get("role", "assistant"))


def _thought(name: Any) -> str:
    """Name the reasoning that an item came with: `_output` gives the ids; "" for any other."""
    kind, _, number = str(name or "").partition("_")
    number = number.partition("_")[0]
    return f"rs_{number}" if kind in ("msg", "fc") and number.isdigit() else ""


def _seen(item: Any) -> Seen:
    kind = item.get("type", "message")
    if kind in _CALLS:
        return Seen("assistant", calls=(item["call_id"],))
    if kind.endswith("_call_output"):
        return Seen("tool", results=((item["call_id"], _text(item["output"])),))
    return Seen(_role(item), _text(item.get("content")))


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text", "") for part in content)


def _output(reply: Reply) -> Iterator[dict[str, Any]]:
    """Reasoning, text and calls; an id tells which reasoning it came with, here only."""
    yield {
        "type": "reasoning",
        "id": f"rs_{reply.number}",
        "summary": [],
        "encrypted_content": f"gAAAA{reply.number:04d}" * 8,
    }
    if reply.text:
        part = {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        yield {
            "type": "message",
            "id": f"msg_{reply.number}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
    for place, call in enumerate(reply.calls):
        yield {
            "type": "function_call",
            "id": f"fc_{reply.number}_{place}",
            "call_id": call.id,
            "name": call.name,
            "arguments": json.dumps(call.arguments),
            "status": "completed",
        }


def _response(reply: Reply, body: Any, status: str, output: list[Any]) -> dict[str, Any]:
    return {
        "id": f"resp_{reply.number}",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": body.get("model", ""),
        "output": output,
        "tools": body.get("tools", []),
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "temperature": 1.0,
        "top_p": 1.0,
        "usage": _USAGE if status == "completed" else None,
    }


_USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 10,
    "output_tokens_details": {"reasoning_tokens": 5},
    "total_tokens": 110,
}


def _events(reply: Reply, body: Any) -> Iterator[dict[str, Any]]:
    output = [*_output(reply)]
    started = _response(reply, body, "in_progress", [])
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    for index, item in enumerate(output):
        yield {"type": "response.output_item.added", "output_index": index, "item": _opened(item)}
        yield from _within(item, {"item_id": item["id"], "output_index": index})
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": _response(reply, body, "completed", output)}


def _opened(item: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, dict[str, Any]] = {
        "message": {"content": []},
        "function_call": {"arguments": ""},
    }
    return {**item, **empty.get(item["type"], {}), "status": "in_progress"}


def _within(item: dict[str, Any], at: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Text and arguments come in two pieces each."""
    if item["type"] == "function_call":
        whole, kind = item["arguments"], "response.function_call_arguments"
        for piece in (whole[:4], whole[4:]):
            yield {"type": f"{kind}.delta", **at, "delta": piece}
        yield {"type": f"{kind}.done", **at, "name": item["name"], "arguments": whole}
    elif item["type"] == "message":
        part, at = item["content"][0], {**at, "content_index": 0}
        whole, kind = part["text"], "response.output_text"
        yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
        for piece in (whole[:4], whole[4:]):
            yield {"type": f"{kind}.delta", **at, "delta": piece, "logprobs": []}
        yield {"type": f"{kind}.done", **at, "text": whole, "logprobs": []}
        yield {"type": "response.content_part.done", **at, "part": part}
