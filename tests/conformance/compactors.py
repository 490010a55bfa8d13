"""The compaction-conformance-kit, run over `lre` and over the kit's own compactors.

    python tests/conformance/compactors.py > docs/results/conformance.json

The kit's turns become messages, and what `lre` keeps becomes lines again. Its later rounds hand
over the last round's text as one system turn: that text is read back into messages, as the agent
whose history it is would have them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from compaction_kit.benchmark import run_budget_benchmark
from compaction_kit.cli import COMPACTORS
from compaction_kit.compacted import CompactedContext
from compaction_kit.session import Turn
from compaction_kit.testing import check_compactor
from compaction_kit.versioning import kit_version

import lre

__all__ = ["CONTESTANTS", "FIFO", "Evicting", "Sticky", "measured", "messages"]

Messages = list[dict[str, str]]

SHARE = 0.3  # of the first round's characters, where the kit names no budget
FRAME = len("\n[assistant] ")  # what the kit writes around a message, at most
RULES = "SAFETY RULE|HARD CONSTRAINT"
_LINE = re.compile(r"\[(system|user|assistant|tool)\] (.*)")


def messages(turns: Sequence[Turn]) -> Messages:
    """Read turns; a single one is what an earlier round wrote."""
    if len(turns) > 1:
        return [{"role": turn.role, "content": turn.text} for turn in turns]
    found = map(_LINE.fullmatch, turns[0].text.splitlines())
    return [{"role": line[1], "content": line[2]} for line in found if line]


def characters(text: str) -> int:
    """Count as the kit does: what a message takes in its text."""
    return len(text) + FRAME


class Evicting:
    """`evict` as a compactor of the kit."""

    def __init__(self, name: str, **settings: Any) -> None:
        self.name, self.settings = name, settings
        self._most: int | None = None

    def compact(
        self, turns: Sequence[Turn], round_num: int = 1, budget_chars: int | None = None
    ) -> CompactedContext:
        """Fit a session into a number of characters, which stays the same over the rounds."""
        read = messages(turns)
        whole = sum(characters(message["content"]) for message in read)
        self._most = self._most or int(SHARE * whole)
        kept = self.fit(read, budget_chars or self._most)
        text = "\n".join(f"[{message['role']}] {message['content']}" for message in kept)
        return CompactedContext(text, self.name, round_num)

    def fit(self, read: Messages, budget: int) -> Messages:
        """Give what stays."""
        return lre.evict(read, budget=budget, counter=characters, **self.settings).messages


class Sticky(Evicting):
    """`History` with `low`: the session is read, and cut, before each turn of the assistant's."""

    def fit(self, read: Messages, budget: int) -> Messages:
        history = lre.History(budget=budget, counter=characters, low=0.7, **self.settings)
        for message in read:
            if message["role"] == "assistant":
                history.settle()
            history.append(message)
        return history.messages


FIFO = partial(Evicting, "fifo", policy="fifo")

CONTESTANTS: Mapping[str, Callable[[], Evicting]] = {
    "lre": partial(Evicting, "lre"),
    "lre, spans": partial(Evicting, "lre, spans", granularity="span"),
    "lre, sticky": partial(Sticky, "lre, sticky"),
    "lre, rules pinned": partial(Evicting, "lre, rules pinned", pin=RULES),
    "lre-chat": partial(Evicting, "lre-chat", policy="lre-chat"),
    "fifo": FIFO,
}


def measured() -> dict[str, Any]:
    """Run the seeded suite, and the benchmark at fixed budgets, over everybody."""
    everybody = {**CONTESTANTS, **COMPACTORS}
    seeded = {name: _curves(factory) for name, factory in everybody.items()}
    benchmark = run_budget_benchmark(everybody)
    for entry in benchmark["entries"]:
        del entry["runtime_seconds"]
    return {
        "command": "python tests/conformance/compactors.py",
        "kit": kit_version(),
        "lre": lre.__version__,
        "contestants": list(CONTESTANTS),
        "seeded": seeded,
        "benchmark": benchmark,
    }


def _curves(factory: Callable[[], Any]) -> dict[str, list[float]]:
    report = check_compactor(factory())
    return {finding.canary_type: list(finding.curve) for finding in report.findings}


if __name__ == "__main__":
    print(json.dumps(measured(), indent=1))
