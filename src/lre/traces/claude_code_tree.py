"""The records of a Claude Code session as a tree, and the conversation that is its latest branch.

See `lre.traces.claude_code`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lre.traces.entries import Entry
from lre.traces.native import text_of

__all__ = ["Node", "Side", "entries", "latest"]

Side = tuple[bool, str]
"""Whether a record is a subagent's, and whose."""


@dataclass(slots=True, eq=False)
class Node:
    """One record: where it hangs, and what it says, if anything."""

    where: str
    value: Mapping[str, Any]
    parent: Node | None
    side: Side
    entry: Entry | None

    @property
    def reply(self) -> str:
        """The id of the reply that it is a line of."""
        return text_of(self.value["message"], "id") if self.value["type"] == "assistant" else ""

    def _ids(self, kind: str, key: str) -> list[str]:
        content = self.entry["content"] if self.entry else ""
        blocks = content if isinstance(content, list) else []
        return [text_of(block, key) for block in blocks if block.get("type") == kind]

    @property
    def calls(self) -> list[str]:
        """The ids of the calls that it makes."""
        return self._ids("tool_use", "id")

    @property
    def results(self) -> list[str]:
        """The ids of the calls that it answers."""
        return self._ids("tool_result", "tool_use_id")


def latest(said: list[Node]) -> list[Node]:
    """Give the latest branch, with the lines and results that hang beside it."""
    spoken = [node for node in said if not node.results]
    node: Node | None = (spoken or said)[-1]
    branch: set[Node] = set()
    while node:
        branch.add(node)
        node = node.parent
    on = [node for node in said if node in branch]
    replies = {node.reply for node in on} - {""}
    branch.update(node for node in said if node.reply in replies)
    on = [node for node in said if node in branch]
    open_calls = {id_ for node in on for id_ in node.calls}
    open_calls -= {id_ for node in on for id_ in node.results}
    branch.update(node for node in said if not open_calls.isdisjoint(node.results))
    return [node for node in said if node in branch]


def entries(nodes: Iterable[Node]) -> list[Entry]:
    """Write the entries: a reply whole, and its results right behind it."""
    groups: list[list[Entry]] = []
    replies: dict[str, list[Entry]] = {}
    callers: dict[str, list[Entry]] = {}
    for node in nodes:
        if node.entry is None:
            continue
        group = next((callers[id_] for id_ in node.results if id_ in callers), None)
        if node.reply in replies:
            group = replies[node.reply]
            group[0]["content"] += _blocks(node.entry)
        elif group is not None:
            group.append(node.entry)
        else:
            group = [node.entry]
            groups.append(group)
        if node.reply and node.reply not in replies:
            replies[node.reply] = group
            group[0]["content"] = [*_blocks(node.entry)]
        callers.update(dict.fromkeys(node.calls, group))
    return [entry for group in groups for entry in group]


def _blocks(entry: Entry) -> list[Any]:
    content = entry["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
