"""What Converse rejects, by its own checks or those of most of its models.

What a user says is tied to the assistant's message before it, so neighbours may be judged.
Source: Amazon Bedrock API reference, Converse; the service model of botocore 1.44; error texts of
Converse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lre.dialects.base import Block, blocks, json_text
from lre.dialects.rules import Finding, Rules, begins_with_user
from lre.dialects.slots import child
from lre.messages import Message

__all__ = ["MEMBERS", "RULES", "SOURCES"]

_ERROR = "Converse error"
SOURCES: Mapping[str, str] = {
    "same-role": f"{_ERROR} of many models: A conversation must alternate between user and "
    "assistant roles",
    "blank-text": f"{_ERROR}: The text field in the ContentBlock object is blank. Add text to the "
    "text field, and try again",
    "block-role": "Amazon Bedrock user guide, Call a tool with the Converse API: the model asks "
    "for tools in the assistant's message, results go into the user's",
    "document-without-text": f"{_ERROR}: A text block must be included when using documents",
    "duplicate-result": f"{_ERROR}: The toolResult blocks contain duplicate Ids",
    "duplicate-use": f"{_ERROR}: The toolUse blocks contain duplicate Ids",
    "empty-content": f"{_ERROR}: The content field in the Message object is empty. Add a "
    "ContentBlock object to the content field and try again",
    "empty-error": f"{_ERROR}: The content field of toolResult cannot be empty when status value "
    "is error",
    "first-not-user": f"{_ERROR}: A conversation must start with a user message. Try again with a "
    "conversation that starts with a user message",
    "input-not-object": f"{_ERROR}: The format of the value at toolUse.input is invalid. Provide "
    "a json object for the field and try again",
    "one-key": "botocore error: Invalid number of parameters set for tagged union structure",
    "result-without-use": f"{_ERROR}: The number of toolResult blocks exceeds the number of "
    "toolUse blocks of previous turn",
    "system-role": "Amazon Bedrock API reference, Converse: the system prompt is the parameter "
    "`system`",
    "tool-id": "Amazon Bedrock API reference, ToolUseBlock: toolUseId has 1 to 64 of "
    "[a-zA-Z0-9_.:-]",
    "tool-name": "Amazon Bedrock API reference, ToolUseBlock: name has 1 to 64 of [a-zA-Z0-9_-]",
    "trailing-space": f"{_ERROR} of Claude: final assistant content cannot end with trailing "
    "whitespace",
    "use-without-result": f"{_ERROR}: Expected toolResult blocks for the following Ids",
}
"""Where the provider says so."""

MEMBERS = frozenset(
    [
        *("text", "image", "document", "video", "audio", "toolUse", "toolResult", "json"),
        *("reasoningContent", "guardContent", "citationsContent", "searchResult", "cachePoint"),
        *("toolAddition", "toolRemoval"),
    ]
)
"""The keys of a block, that of tool results included."""

_ONLY_ON = {"toolUse": "assistant", "toolResult": "user"}
_TOOL_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _blocks(entry: Block) -> list[Block]:
    return [block for _, block in blocks(entry.get("content") or (), "content")]


def _ids(entry: Block, kind: str) -> list[str]:
    """List the ids of calls, or of results, on the role that may have them."""
    if entry.get("role") != _ONLY_ON[kind]:
        return []
    found = (block[kind] for block in _blocks(entry) if kind in block)
    return [json_text(child(body, "toolUseId")) for body in found]


def _entries(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Find what is wrong with an entry wherever it stands."""
    for index, [entry] in enumerate(written):
        for rule, text in (*_whole(entry), *_each(entry)):
            yield index, rule, text


def _whole(entry: Block) -> Iterator[tuple[str, str]]:
    found = _blocks(entry)
    if entry.get("role") == "system":
        what = "most models take no system message in the list"
        yield "system-role", f"{what}: pass it as the parameter `system`"
    if not found:
        yield "empty-content", "the message has no content: drop it, or give it text"
    if any("document" in block for block in found) and not any("text" in block for block in found):
        yield "document-without-text", "a document comes without a text: say what it is for"
    for kind, rule in (("toolUse", "duplicate-use"), ("toolResult", "duplicate-result")):
        ids = _ids(entry, kind)
        if len(set(ids)) < len(ids):
            yield rule, f"two {kind} blocks of one message share an id: keep one of them"


def _each(entry: Block) -> Iterator[tuple[str, str]]:
    for block in _blocks(entry):
        held = [key for key in block if key in MEMBERS]
        if len(held) != 1 or len(block) != 1:
            what = f"a block has {'the keys ' * bool(block)}{', '.join(block) or 'no key'}"
            yield "one-key", f"{what}: give it one of those that Converse knows"
        text = block.get("text")
        if isinstance(text, str) and not text.strip():
            yield "blank-text", "a text block is blank: leave it out"
        for kind in _ONLY_ON.keys() & block.keys():
            yield from _tool(kind, block[kind], entry.get("role"))


def _tool(kind: str, body: object, role: object) -> Iterator[tuple[str, str]]:
    if role != _ONLY_ON[kind]:
        yield "block-role", f"a {kind} block on role {role}: move it to {_ONLY_ON[kind]}"
    if not _TOOL_ID.fullmatch(json_text(child(body, "toolUseId"))):
        yield "tool-id", "a tool id is not 1 to 64 letters, digits, _ . : or -: rename both uses"
    if kind == "toolResult":
        if child(body, "status") == "error" and not child(body, "content"):
            yield "empty-error", "a result that failed has no content: say what went wrong"
        return
    if not _TOOL_NAME.fullmatch(json_text(child(body, "name"))):
        yield "tool-name", "a tool name is not 1 to 64 letters, digits, _ or -: rename it"
    if not isinstance(child(body, "input"), Mapping):
        yield "input-not-object", "the input of a call is no JSON object: wrap it in one"


def _turns(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    """Check that calls are answered in the very next message, and turns are taken."""
    entries = [entry for [entry] in written]
    for index, entry in enumerate(entries):
        before = entries[index - 1] if index else {}
        after = entries[index + 1] if index + 1 < len(entries) else {}
        missing = {*_ids(entry, "toolUse")} - {*_ids(after, "toolResult")}
        if missing:
            what = f"no toolResult in the next message answers {', '.join(sorted(missing))}"
            yield index, "use-without-result", f"{what}: add it, or drop the call"
        for call_id in {*_ids(entry, "toolResult")} - {*_ids(before, "toolUse")}:
            what = f"the message before makes no call {call_id!r}"
            yield index, "result-without-use", f"{what}: move the result to its call, or drop it"
        if entry.get("role") == before.get("role") != "system":
            what = f"the message before is the {entry['role']}'s as well"
            yield index, "same-role", f"{what}: make one message of both"


def _end(_: Sequence[Message], written: Sequence[Sequence[Block]]) -> Iterator[Finding]:
    entry = written[-1][0] if written else {}
    last = json_text(_blocks(entry)[-1].get("text")) if _blocks(entry) else ""
    if entry.get("role") == "assistant" and last[-1:].isspace():
        what = "the last assistant text ends in white space"
        yield len(written) - 1, "trailing-space", f"{what}: strip it"


RULES: tuple[Rules, ...] = (begins_with_user, _entries, _turns, _end)
