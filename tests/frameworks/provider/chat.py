"""OpenAI Chat Completions, with the API's own words of refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from provider.story import Reply, Seen

__all__ = ["Chat"]


class Chat:
    """``POST /v1/chat/completions``."""

    def speaks(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def refuses(self, body: Any) -> str:
        messages = body.get("messages")
        if not messages:
            return "Invalid 'messages': empty array. Expected an array with minimum length 1."
        return next(_wrong(messages), "")

    def seen(self, body: Any) -> list[Seen]:
        return [_seen(message) for message in body["messages"]]

    def error(self, what: str) -> Any:
        kind = "invalid_request_error"
        return {"error": {"message": what, "type": kind, "param": "messages", "code": None}}

    def reply(self, reply: Reply, body: Any) -> Any:
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": reply.text or None, **_calls(reply)},
            "finish_reason": _reason(reply),
            "logprobs": None,
        }
        return {**_head(reply, body, "chat.completion"), "choices": [choice], "usage": _USAGE}

    def streams(self, path: str, body: Any) -> bool:  # noqa: ARG002
        return bool(body.get("stream"))

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:
        head = _head(reply, body, "chat.completion.chunk")
        for delta in ({"role": "assistant", "content": reply.text}, *_call_deltas(reply)):
            choice = {"index": 0, "delta": delta, "finish_reason": None}
            yield "", {**head, "choices": [choice]}
        choice = {"index": 0, "delta": {}, "finish_reason": _reason(reply)}
        yield "", {**head, "choices": [choice]}
        if (body.get("stream_options") or {}).get("include_usage"):
            yield "", {**head, "choices": [], "usage": _USAGE}
        yield "", "[DONE]"


_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")


def _wrong(messages: Sequence[Any]) -> Iterator[str]:
    """Say what the API says of the first thing that is wrong."""
    waiting: set[str] = set()  # ids of the last assistant message that have no answer yet
    asked: set[str] = set()  # all ids of that message
    for index, message in enumerate(messages):
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in asked:
                yield (
                    f"Invalid parameter: messages with role 'tool' must be a response to a "
                    f"preceeding message with 'tool_calls' (messages.[{index}].role)."
                )
            waiting.discard(message.get("tool_call_id"))
            continue
        if waiting:
            yield _unanswered(waiting)
        calls = message.get("tool_calls") or []
        asked = {call["id"] for call in calls}
        waiting = set(asked)
        if role not in ("system", "developer", "user", "assistant"):
            yield f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user'…"
        empty = message.get("content") in (None, [])
        if empty and not (role == "assistant" and any(message.get(key) for key in _INSTEAD)):
            yield f"Invalid value for 'content': expected a string, got null (messages.[{index}])."
    if waiting:
        yield _unanswered(waiting)


def _unanswered(ids: set[str]) -> str:
    return (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(sorted(ids))
    )


def _seen(message: Any) -> Seen:
    text = _text(message.get("content"))
    if message["role"] == "tool":
        return Seen("tool", results=((message["tool_call_id"], text),))
    calls = tuple(call["id"] for call in message.get("tool_calls") or ())
    return Seen(message["role"], text, calls)


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text", "") for part in content)


def _head(reply: Reply, body: Any, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{reply.number}",
        "object": kind,
        "created": 0,
        "model": body.get("model", ""),
    }


def _reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _calls(reply: Reply) -> dict[str, Any]:
    if not reply.calls:
        return {}
    return {"tool_calls": [_call(call.id, call.name, call.arguments) for call in reply.calls]}


def _call(name_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": name_id, "type": "function", "function": function}


def _call_deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    """Send each call as providers do: its head, then its arguments in two pieces."""
    for index, call in enumerate(reply.calls):
        text = json.dumps(call.arguments)
        function: dict[str, Any] = {"name": call.name, "arguments": ""}
        yield {
            "tool_calls": [
                {"index": index, "id": call.id, "type": "function", "function": function}
            ]
        }
        for piece in (text[:4], text[4:]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
