"""The main job on one session: trim it before its last steps, and see what these still find.

Run by ``make demo``. What the last steps need is read off their own calls, and looked up in what
each policy left of the messages before them. ``lre`` cuts tool results and other long texts into
spans here (``granularity="span"``); ``fifo`` values no pieces, and keeps whole units.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lre import Eviction, evict, problems
from lre.dialects import parse
from lre.messages import Message, ToolCall
from lre.needs import carried

SESSION = Path(__file__).with_name("session.json")
LAST = 9  # messages: what follows the duty manager's last "yes"
BUDGET = "30%"
POLICIES = ("lre", "fifo")


def needed(history: Sequence[Any], later: Sequence[Any]) -> dict[str, list[str]]:
    """Find what later calls take from the history: identifier → the tools that are given it.

    Identifiers of the first two messages, the system prompt and the task, are left out: these
    are always kept, so no policy can lose them. The order is that of the history.
    """
    tools: dict[str, list[str]] = {}
    for message in read(later):
        for call in (part for part in message.parts if isinstance(part, ToolCall)):
            for word in carried(Message("assistant", (call,))):
                tools.setdefault(word, []).append(call.name)
    first: dict[str, int] = {}
    for index, message in enumerate(read(history)):
        first |= dict.fromkeys(carried(message) - first.keys(), index)
    found = sorted((first[word], word) for word in tools if first.get(word, 0) > 1)
    return {word: tools[word] for _, word in found}


def read(messages: Sequence[Any]) -> list[Message]:
    """Parse OpenAI Chat messages."""
    return parse(messages, "openai-chat")[1]


def compare(needs: Mapping[str, Sequence[str]], kept: Mapping[str, Eviction]) -> str:
    """Make a table: which policy still shows which identifier, word for word."""
    views = {
        name: set[str]().union(*map(carried, read(result.messages)))
        for name, result in kept.items()
    }
    rows = [("identifier", *views, "is needed by")]
    for word, tools in needs.items():
        marks = ("kept" if word in view else "LOST" for view in views.values())
        rows.append((word, *marks, ", ".join(tools)))
    rows.append(
        (
            "still there",
            *(f"{len(needs.keys() & view)}/{len(needs)}" for view in views.values()),
            "",
        )
    )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def cut_most(history: Sequence[Any], result: Eviction) -> tuple[int, str]:
    """Find the unit of which the most was cut, and what its last text that was cut reads like."""
    shown = dict(zip(result.selection.kept, result.messages, strict=True))
    cut = (one for one in result.selection.decisions if one.verdict == "cut")
    most = max(cut, key=lambda one: one.tokens - one.left)
    copies = [shown[index] for index in most.messages if shown[index] is not history[index]]
    return most.unit, copies[-1]["content"]


def main() -> None:
    """Print the receipt, a text that was cut, and the comparison."""
    session = json.loads(SESSION.read_text(encoding="utf-8"))
    history, later = session[:-LAST], session[-LAST:]
    kept = {
        name: evict(history, budget=BUDGET, policy=name, granularity="span") for name in POLICIES
    }
    result = kept["lre"]
    print(f"{SESSION.name} has {len(session)} messages. The last {LAST} are hidden; the", end=" ")
    print(f"{len(history)} before them are cut to {BUDGET} of their tokens.\n")
    print(result.receipt)
    unit, text = cut_most(history, result)
    print(f"\nWhat is left of unit {unit}, of which the most was cut:\n\n{text.rstrip()}")
    left, found = len(result.messages), len(problems(result.messages))
    print(f"\n{left} messages are left; problems that the provider would reject: {found}.\n")
    print("What the calls in the hidden messages need, and whether it is still there, word for")
    print("word, where lre chose what stays and where the oldest was dropped (fifo):\n")
    print(compare(needed(history, later), kept))


if __name__ == "__main__":
    main()
