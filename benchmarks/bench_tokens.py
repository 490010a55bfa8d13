"""Measure the counters side by side, in one run: MB/s and ratios, no private data.

    python benchmarks/bench_tokens.py [--texts 5000] [--json]

The texts are generated: JSON, code and log lines of some 600 bytes. Each figure is the median of
five; ratios, not MB/s, carry over to other machines.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from lre.tokens import Cached, Counter
from lre.tokens.estimate import Estimate
from lre.tokens.exact import BytePairs

ROUNDS = 5
NAMES = ["order", "status", "user", "payment", "flight", "path", "error", "value", "total"]


@dataclass(frozen=True)
class Row:
    """What one counter did on one kind of text."""

    texts: str
    counter: str
    mb_per_s: float
    times_exact: float
    tokens_to_exact: float


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


def compare(name: str, texts: list[str]) -> list[Row]:
    """Time every counter on the same texts."""
    exact, seen = BytePairs("o200k"), Cached(BytePairs("o200k"))
    counters: dict[str, Counter] = {
        "o200k": exact,
        "cl100k": BytePairs("cl100k"),
        "estimate": Estimate(),
        "o200k, all texts seen before": seen,
    }
    size = sum(len(text.encode()) for text in texts) / 1e6
    total = sum(exact.count(texts))
    rows: list[Row] = []
    for label, counter in counters.items():
        tokens = sum(counter.count(texts))  # builds the encoding, fills the cache
        speed = size / seconds(lambda counter=counter: counter.count(texts))  # type: ignore[misc]
        base = rows[0].mb_per_s if rows else speed
        rows.append(Row(name, label, speed, speed / base, tokens / total))
    return rows


def main() -> None:
    """Print the table, or JSON for programs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=int, default=5000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random(0)
    rows: list[Row] = []
    for name, make in {"json": json_text, "code": code_text, "log": log_text}.items():
        rows += compare(name, [make(rng) for _ in range(arguments.texts)])
    if arguments.json:
        settings = {"texts": arguments.texts, "cores": os.cpu_count()}
        print(json.dumps({"rows": [asdict(row) for row in rows], **settings}))
        return
    print(f"{'texts':6} {'counter':30} {'MB/s':>8} {'× exact':>8} {'tokens':>7}")
    for r in rows:
        speed = f"{r.mb_per_s:8.0f} {r.times_exact:8.2f}"
        print(f"{r.texts:6} {r.counter:30} {speed} {r.tokens_to_exact:7.3f}")


if __name__ == "__main__":
    main()
