"""What the Messages API rejects.

Consecutive entries of one role are one turn for the API, so neighbours are judged by turns.
Source: Anthropic API reference, Messages; Anthropic docs, Handle tool calls, Thinking; error
texts of the API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lre.dialects.base import Block, blocks, json_text, kind_of
from lre.dialects.pairing import pairs
from lre.dialects.rules import Finding, Rules, begins_with_user
from lre.messages import Message, ToolResult

__all__ = ["RULES", "SOURCES"]

_ERROR = "Anthropic API error"
SOURCES: Mapping[str, str] = {
    "block-role": f"{_ERROR}: `tool_result` blocks can only be in `user` messages",
    "duplicate-result": f"{_ERROR}: each tool_use must have a single result",
    "duplicate-use-id": f"{_ERROR}: `tool_use` ids must be unique",
    "empty-content": f"{_ERROR}: all messages must have non-empty content except for the optional "
    "final assistant message",
    "empty-text": f"{_ERROR}: text content blocks must contain non-whitespace text",
    "first-not-user": f"{_ERROR}: first message must use the user role",
    "result-after-text": "Anthropic docs, Handle tool calls: tool_result blocks come first in the "
    "content, all text after them",
    "result-without-use": f"{_ERROR}: each `tool_result` block must have a corresponding "
    "`tool_use` block in the previous message",
    "system-role": f"{_ERROR}: the Messages API accepts a top-level `system` parameter, not "
    "system as an input message role",
    "thinking-last": f"{_ERROR}: the final block in an assistant message cannot be `thinking`",
    "thinking-not-first": f"{_ERROR}: if an assistant message contains any thinking blocks, the "
    "first block must be `thinking` or `redacted_thinking`",
    "thinking-unsigned": f"{_ERROR}: thinking.signature: Field required",
    "tool-id": f"{_ERROR}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    "trailing-space": f"{_ERROR}: final assistant content cannot end with trailing whitespace",
    "use-without-result": f"{_ERROR}: each `tool_use` block must have a corresponding "
    "`tool_result` block in the next message",
}
"""Where the provider says so."""

_THINKING = ("thinking", "redacted_thinking")
_ONLY_ON = {"tool_use": "assistant", "tool_result": "user"} | dict.fromkeys(_THINKING, "assistant")
_ID = {"tool_use": "id", "tool_result": "tool_use_id"}
_TOOL_ID = re.compile(r"[a-zA-Z0-9_-]+")


def _blocks(entry: Block) -> list[Block]:
    content = entry.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [block for _, block in blocks(content or (), "content")]


def _entries(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Find what is wrong with an entry wherever it stands."""
    for index, [entry] in enumerate(written):
        for rule, text in (*_role(entry), *_texts(entry), *_thinking(entry)):
            yield index, rule, text


def _role(entry: Block) -> Iterator[tuple[str, str]]:
    role = entry.get("role")
    if role == "system":
        what = "most models take no system message in the list"
        yield "system-role", f"{what}: pass it as the parameter `system`"
    for block in _blocks(entry):
        kind = kind_of(block)
        if _ONLY_ON.get(kind, role) != role:
            yield "block-role", f"a {kind} block on role {role}: move it to {_ONLY_ON[kind]}"
        if kind in _ID and not _TOOL_ID.fullmatch(json_text(block.get(_ID[kind]))):
            yield "tool-id", "a tool id is more than letters, digits, _ and -: rename both uses"


def _texts(entry: Block) -> Iterator[tuple[str, str]]:
    for block in _blocks(entry):
        text = block.get("text")
        if kind_of(block) == "text" and isinstance(text, str) and (not text or text.isspace()):
            yield "empty-text", "a text block is empty or blank: leave it out"
    spoke = False
    for block in _blocks(entry):
        if spoke and kind_of(block) == "tool_result":
            yield _AFTER_TEXT
        spoke = spoke or kind_of(block) != "tool_result"


def _thinking(entry: Block) -> Iterator[tuple[str, str]]:
    found = _blocks(entry)
    kinds = [kind_of(block) for block in found]
    if any(kind in _THINKING for kind in kinds) and kinds[0] not in _THINKING:
        yield "thinking-not-first", "thinking comes after other blocks: put it first, as it came"
    if any(kind_of(block) == "thinking" and not block.get("signature") for block in found):
        yield "thinking-unsigned", "a thinking block has no signature: send it as it came, or not"


_AFTER_TEXT = ("result-after-text", "tool results come after other content: put them first")


def _ends(messages: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Find turns that end, or a list that ends, as they may not."""
    last = len(written) - 1
    for index, [entry] in enumerate(written):
        found = _blocks(entry)
        by_assistant = messages[index].role == "assistant"
        if not found and not (by_assistant and index == last):
            yield index, "empty-content", "the message has no content: drop it, or give it text"
        if not (found and by_assistant):
            continue
        ends_turn = index == last or messages[index + 1].role != "assistant"
        if ends_turn and kind_of(found[-1]) in _THINKING:
            yield index, "thinking-last", "a turn ends with thinking: keep what came after it"
        if index == last and json_text(found[-1].get("text"))[-1:].isspace():
            yield index, "trailing-space", "the last assistant text ends in white space: strip it"


def _tools(messages: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that calls are answered in the very next turn, once, before anything else there."""
    starts, spoke = _turns(messages)
    used = [_used(entry) for [entry] in written]
    seen: set[tuple[int, str]] = set()
    placed: set[tuple[int, str]] = set()
    for index, result, partner in pairs(messages):
        if messages[index].role == "assistant":
            continue  # tools that the provider runs answer within the assistant's own turn
        if partner is None or partner < starts[index] or result.call_id not in used[partner]:
            what = f"the turn before makes no call {result.call_id!r}"
            yield index, "result-without-use", f"{what}: move the result to its call, or drop it"
        else:
            placed.add((partner, result.call_id))
        if partner is not None and (partner, result.call_id) in seen:
            yield index, "duplicate-result", f"{result.call_id} has a result already: keep one"
        if partner is not None and spoke[index] > partner:
            yield index, *_AFTER_TEXT
        seen.add((-1 if partner is None else partner, result.call_id))
    yield from _unanswered(used, placed)


def _used(entry: Block) -> list[str]:
    if entry.get("role") != "assistant":
        return []
    return [json_text(b.get("id")) for b in _blocks(entry) if kind_of(b) == "tool_use"]


def _turns(messages: Sequence[Message]) -> tuple[list[int], list[int]]:
    """Give for each entry where the assistant's turn before it starts, and who spoke since.

    That is, the last entry before it, on the user's side, that held more than tool results.
    """
    starts, spoke = [], []
    start, speaker, role = len(messages), -1, ""
    for index, message in enumerate(messages):
        if message.role == "assistant":
            start = start if role == "assistant" else index
        elif message.role in ("system", "developer"):
            start = len(messages)
        starts.append(start)
        spoke.append(speaker)
        if message.role in ("user", "tool") and not _only_results(message):
            speaker = index
        role = message.role
    return starts, spoke


def _only_results(message: Message) -> bool:
    return all(isinstance(part, ToolResult) for part in message.parts)


def _unanswered(used: Sequence[Sequence[str]], placed: set[tuple[int, str]]) -> Iterator[Finding]:
    known: set[str] = set()
    for index, ids in enumerate(used):
        missing = ", ".join(sorted({i for i in ids if (index, i) not in placed}))
        if missing:
            what = f"no tool_result in the next turn answers {missing}"
            yield index, "use-without-result", f"{what}: add it, or drop the call"
        if len({*ids} - known) < len(ids):
            yield index, "duplicate-use-id", "a tool_use id comes twice: give each call its own"
        known.update(ids)


RULES: tuple[Rules, ...] = (begins_with_user, _entries, _ends, _tools)
