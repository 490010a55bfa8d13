"""Claude Code: sessions as in ``~/.claude/projects/*/*.jsonl``, and output as ``stream-json``.

The records of a file form trees by `parentUuid`. Each tree is a session: the conversation, what
follows a compaction (it begins with the summary), and each subagent (`isSidechain`) that stands
in the same file. All of a file are one task: the session that its first record comes from.

- Of a tree the latest branch is read: what leads to its last prompt or reply. Prompts that were
  taken back, and what came of them, are left out.
- The lines of one reply (`message.id`) become one entry again, and results follow their call:
  parallel ones hang on branches of their own, and come some records later.
- Blocks are handed on as they stand, in entries of `role`, `content` and `timestamp`.
- What is no prompt, reply or result (progress, snapshots, hooks, titles) is left out without a
  report, and so are errors of the API, which no model saw.

In ``stream-json`` each record follows the one before it of the same session, or of the same
subagent (`parent_tool_use_id`). The first prompt is not in it.
Source: sessions of Claude Code 1.0 to 2.1 (there is no published schema); Claude Code docs, Run
programmatically, for the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lre.traces.base import Record, Report, Trace
from lre.traces.claude_code_tree import Node, Side, entries, latest
from lre.traces.entries import Entry, trace
from lre.traces.native import readable, text_of

__all__ = ["READER"]

_SAID = ("user", "assistant")
_ERRORS = ("isApiErrorMessage", "is_api_error_message")


class _ClaudeCode:
    name = "claude_code"
    describe = "Claude Code: sessions and subagents"
    dialects = ("anthropic",)
    example = "~/.claude/projects/…/ID.jsonl"

    def recognises(self, value: object) -> bool:
        if not isinstance(value, dict) or not {"type", "uuid"} <= value.keys():
            return False
        stored = "parentUuid" in value and isinstance(value.get("isSidechain"), bool)
        streams = "parent_tool_use_id" in value or value.get("subtype") == "init"
        return stored or (streams and isinstance(value.get("session_id"), str))

    def traces(self, records: Iterable[Record], report: Report) -> Iterator[Trace]:
        trees: dict[Node, list[Node]] = {}
        roots: dict[Node, Node] = {}
        for node in _nodes(records, report):
            roots[node] = roots[node.parent] if node.parent else node
            trees.setdefault(roots[node], []).append(node)
        task = next(filter(None, map(_session, roots)), "")
        for root, nodes in trees.items():
            said = [node for node in nodes if node.entry]
            if said:
                yield trace(
                    READER.name,
                    root.where,
                    entries(latest(said)),
                    task=task,
                    session=_session(root),
                    sidechain=root.side[0],
                    version=root.value.get("version"),
                )


READER = _ClaudeCode()


def _session(node: Node) -> str:
    return text_of(node.value, "sessionId") or text_of(node.value, "session_id")


def _side(value: Mapping[str, Any]) -> Side:
    """Tell whether a record is a subagent's, and whose."""
    caller = text_of(value, "parent_tool_use_id")
    agent = text_of(value, "agentId") or caller or text_of(value, "session_id")
    return value.get("isSidechain") is True or caller != "", agent


def _nodes(records: Iterable[Record], report: Report) -> Iterator[Node]:
    """Read the records that hang in a tree, or say something; each follows its parent."""
    named: dict[str, Node] = {}
    last: dict[Side, Node] = {}
    for record in records:
        value = record.value
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            report(record.where, "no record of a session (it has no type): skipped")
            continue
        name, entry = text_of(value, "uuid"), _entry(record, report)
        if name in named or not (name or entry):
            continue  # a copy, or a note on the file
        side = _side(value)
        parent = named.get(text_of(value, "parentUuid"))
        if parent is None or parent.side != side:
            parent = last.get(side)  # its own was lost, or is another agent's
        begins = value.get("parentUuid", "") is None or value.get("isCompactSummary") is True
        last[side] = node = Node(record.where, value, None if begins else parent, side, entry)
        if name:
            named[name] = node
        yield node


def _entry(record: Record, report: Report) -> Entry | None:
    """Give what a record says to the model or the model says, else None."""
    value = record.value
    if value["type"] not in _SAID or any(value.get(error) is True for error in _ERRORS):
        return None
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = content if isinstance(content, list) else [None]
    if not isinstance(content, str) and not all(isinstance(block, dict) for block in blocks):
        report(record.where, "no message (its content is neither text nor blocks): skipped")
        return None
    time = text_of(value, "timestamp")
    stamp = {"timestamp": time} if time else {}
    entry = {"role": value["type"], "content": content, **stamp}
    return entry if readable("anthropic", entry, f"{record.where}: message", report) else None
