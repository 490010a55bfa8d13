"""Generated texts of some 600 bytes, and a stopwatch, for all benchmarks."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Sequence

ROUNDS = 5
NAMES = ["order", "status", "user", "payment", "flight", "path", "error", "value", "total"]

Maker = Callable[[random.Random], str]


def json_text(rng: random.Random) -> str:
    """Make a list of flat records."""
    records = [
        {f"{rng.choice(NAMES)}_id": rng.randrange(10**7), "name": rng.choice(NAMES), "ok": True}
        for _ in range(12)
    ]
    return json.dumps(records)


def code_text(rng: random.Random) -> str:
    """Make a few indented functions."""
    parts = [
        f"def get_{name}(self, {other}: int) -> str:\n"
        f'    """Give the {name}."""\n'
        f"    if {other} is None:\n        return self._{name}[{rng.randrange(100)}]\n"
        for name, other in (rng.sample(NAMES, 2) for _ in range(5))
    ]
    return "\n".join(parts)


def log_text(rng: random.Random) -> str:
    """Make lines of a server's log."""
    return "\n".join(
        f"2026-03-{rng.randint(1, 28):02} 12:{rng.randint(0, 59):02}:07,{rng.randint(0, 999):03} "
        f"INFO app.{rng.choice(NAMES)}: {' '.join(rng.sample(NAMES, 4))} id={rng.randrange(10**6)}"
        for _ in range(7)
    )


def seconds(call: Callable[[], object]) -> float:
    """Give the median time of a call."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def some_texts(makers: Sequence[Maker], count: int) -> list[str]:
    """Make so many texts, of each kind in turn, the same on every run."""
    rng = random.Random(0)
    return [makers[i % len(makers)](rng) for i in range(count)]
