"""Anthropic Messages, with the API's own words of refusal.

Two of three answers begin with a thought. A thought whose signature is another's is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from provider.story import Reply, Seen

__all__ = ["Messages", "MessagesCount"]


class Messages:
    """``POST /v1/messages``."""

    def speaks(self, path: str) -> bool:
        return path.endswith("/messages")

    def refuses(self, body: Any) -> str:
        if not body.get("messages"):
            return "messages: at least one message is required"
        if body.get("thread"):
            return ""  # the API has the messages before these
        return next(_wrong(body["messages"]), "")

    def seen(self, body: Any) -> list[Seen]:
        return [_seen(message) for message in body["messages"]]

    def error(self, what: str) -> Any:
        return {"type": "error", "error": {"type": "invalid_request_error", "message": what}}

    def reply(self, reply: Reply, body: Any) -> Any:
        return _message(reply, body, [*_content(reply)], _reason(reply))

    def streams(self, path: str, body: Any) -> bool:  # noqa: ARG002
        return bool(body.get("stream"))

    def stream(self, reply: Reply, body: Any) -> Iterator[tuple[str, Any]]:
        for event in _events(reply, body):
            yield event["type"], event


class MessagesCount(Messages):
    """``POST /v1/messages/count_tokens``: refuses what the other refuses."""

    def speaks(self, path: str) -> bool:
        return path.endswith("/messages/count_tokens")

    def reply(self, reply: Reply, body: Any) -> Any:  # noqa: ARG002
        return {"input_tokens": len(json.dumps(body)) // 4}


def _wrong(messages: Sequence[Any]) -> Iterator[str]:
    """Say what the API says of the first thing that is wrong."""
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    for index, message in enumerate(messages):
        if message["role"] not in ("user", "assistant"):
            role = message["role"]
            yield f"messages.{index}.role: Input should be 'user' or 'assistant', got '{role}'"
        last = index == len(messages) - 1
        if not message["content"] and not (last and message["role"] == "assistant"):
            yield (
                f"messages.{index}: all messages must have non-empty content except for the "
                "optional final assistant message"
            )
        for place, block in enumerate(_blocks(message)):
            yield from _wrong_block(f"messages.{index}.content.{place}", block)
    yield from _unpaired(messages)


def _wrong_block(where: str, block: Any) -> Iterator[str]:
    if block["type"] == "text" and not block["text"].strip():
        yield "messages: text content blocks must contain non-whitespace text"
    if block["type"] == "thinking" and block.get("signature") != _signature(block["thinking"]):
        yield f"{where}: Invalid `signature` in `thinking` block"


def _unpaired(messages: Sequence[Any]) -> Iterator[str]:
    """Calls are answered at once, in the very next turn; neighbours of one role are one turn."""
    asked: list[str] = []
    for turn in _turns(messages):
        index, role, blocks = turn
        results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        where = f"messages.{index}"
        for result in results:
            if role != "user" or result not in asked:
                yield (
                    f"{where}.content.0: unexpected `tool_use_id` found in `tool_result` blocks: "
                    f"{result}. Each `tool_result` block must have a corresponding `tool_use` "
                    "block in the previous message."
                )
            if results.count(result) > 1:
                yield (
                    f"{where}: each tool_use must have a single result. "
                    f"Found multiple `tool_result` blocks with id: {result}"
                )
        yield from _unanswered([call for call in asked if call not in results], index - 1)
        kinds = [block["type"] for block in blocks]
        if asked and kinds[: len(results)] != ["tool_result"] * len(results):
            yield _missing(asked, index - 1)  # what is said comes after the results
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if "thinking" in kinds and kinds[0] != "thinking":
            yield (
                f"{where}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
                f"`{kinds[0]}`."
            )
    yield from _unanswered(asked, len(messages) - 1)


def _turns(messages: Sequence[Any]) -> Iterator[tuple[int, str, list[Any]]]:
    start, role, blocks = 0, messages[0]["role"], list[Any]()
    for index, message in enumerate(messages):
        if message["role"] != role:
            yield start, role, blocks
            start, role, blocks = index, message["role"], []
        blocks = [*blocks, *_blocks(message)]
    yield start, role, blocks


def _unanswered(calls: Sequence[str], index: int) -> Iterator[str]:
    if calls:
        yield _missing(calls, index)


def _missing(calls: Sequence[str], index: int) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately "
        f"after: {', '.join(calls)}. Each `tool_use` block must have a corresponding "
        "`tool_result` block in the next message."
    )


def _blocks(message: Any) -> list[Any]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _seen(message: Any) -> Seen:
    blocks = _blocks(message)
    calls = tuple(block["id"] for block in blocks if block["type"] == "tool_use")
    results = tuple(
        (block["tool_use_id"], _text(block.get("content")))
        for block in blocks
        if block["type"] == "tool_result"
    )
    return Seen(message["role"], _text(blocks), calls, results)


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(block.get("text", "") for block in content if block["type"] == "text")


def _signature(thought: str) -> str:
    return f"Eq{crc32(thought.encode()):010d}" * 16


def _content(reply: Reply) -> Iterator[dict[str, Any]]:
    if reply.number % 3:
        thought = f"Step {reply.number} is next."
        yield {"type": "thinking", "thinking": thought, "signature": _signature(thought)}
    if reply.text:
        yield {"type": "text", "text": reply.text, "citations": None}
    for call in reply.calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}


def _reason(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"


def _message(reply: Reply, body: Any, content: list[Any], reason: str | None) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.number}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", ""),
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def _events(reply: Reply, body: Any) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": _message(reply, body, [], None)}
    for index, block in enumerate(_content(reply)):
        yield {"type": "content_block_start", "index": index, "content_block": _opened(block)}
        for delta in _deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": _reason(reply), "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


def _opened(block: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, dict[str, Any]] = {
        "text": {"text": ""},
        "thinking": {"thinking": "", "signature": ""},
        "tool_use": {"input": {}},
    }
    return {**block, **empty[block["type"]]}


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Text, thoughts and arguments come in two pieces each."""
    if block["type"] == "thinking":
        for piece in (block["thinking"][:4], block["thinking"][4:]):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif block["type"] == "text":
        for piece in (block["text"][:4], block["text"][4:]):
            yield {"type": "text_delta", "text": piece}
    else:
        whole = json.dumps(block["input"])
        for piece in (whole[:4], whole[4:]):
            yield {"type": "input_json_delta", "partial_json": piece}
