"""Measure features and scores, `evict`, one decision, `History` and the import, in one run.

    python benchmarks/bench_pipeline.py [--units 20000] [--json]

Texts are generated: JSON, code and log lines of some 600 bytes. Times are medians of five on one
thread; the ratios carry over to other machines, the times do not. Counting tokens is measured
apart: everywhere else the counts are in the cache.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from texts import code_text, json_text, log_text, seconds, some_texts

import lre
from lre.decide import Rules, decide
from lre.dialects import get
from lre.errors import MissingExtraError
from lre.evict import prepare
from lre.features import Moment, Prefix, Standing, Uses, matrix
from lre.features.kernel import VARIABLE, kernel
from lre.ledger import Ledger
from lre.messages import Message, Text, Unit
from lre.pieces import whole
from lre.scorer import shipped
from lre.tokens.exact import BytePairs

PATTERNS = [
    re.compile(pattern)
    for pattern in (
        r"\d+",
        r"\b[A-Z]\w+",
        r"https?://\S+",
        r"(?i)\b(?:error|exception|traceback|failed)\b",
        r"\b(?:def|class|import|return)\b",
        r"\b[A-Za-z]+_\w+\b",
        r"\?",
        r"[\w.]+@[\w.]+",
        r"/[\w./-]+",
        r"\b\w{4,}\b",
    )
]
"""Ten patterns side by side, as a scorer without a lexer would count them."""


def ten_patterns(texts: list[str]) -> None:
    """Count the matches of each pattern in each text."""
    for text in texts:
        for pattern in PATTERNS:
            len(pattern.findall(text))


def weigh(messages: list[Message]) -> None:
    """Compute what `lre` does: the identifiers of whole messages, and the weight of each."""
    dialect, scorer = get("openai-chat"), shipped("agent")
    places = np.arange(len(messages))
    uses = Uses()
    uses.extend(messages, [whole(message, dialect) for message in messages], range(len(messages)))
    scorer.probabilities(matrix(Standing(uses, places, len(messages)), scorer.features))


def score(messages: list[Message], name: str) -> None:
    """Compute what `lre-paper` or `lre-chat` does: features of each unit, and its score."""
    scorer = shipped(name)
    units = [Unit((index,), "user") for index in range(len(messages))]
    prefix = Prefix()
    prefix.extend(messages, range(len(messages)))
    scorer.probabilities(matrix(Moment(prefix, units), scorer.features))


def rates(texts: list[str]) -> dict[str, float]:
    """Units per second of the patterns, and of each learned policy with each kernel."""
    sample = texts[: len(texts) // 5]
    found = {"ten patterns": len(sample) / seconds(lambda: ten_patterns(sample))}
    messages = [Message("user", (Text(text),)) for text in texts]
    for name in ("numpy", "numba"):
        os.environ[VARIABLE] = name
        kernel.cache_clear()
        try:
            weigh(messages[:100])  # compiles
        except MissingExtraError as error:
            print(f"skipped {name}: {error}", file=sys.stderr)
            continue
        found[f"lre, {name}"] = len(texts) / seconds(lambda: weigh(messages))
        for policy, file in (("lre-paper", "agent-paper"), ("lre-chat", "chat")):
            found[f"{policy}, {name}"] = len(texts) / seconds(partial(score, messages, file))
    del os.environ[VARIABLE]
    kernel.cache_clear()
    exact = BytePairs("o200k")
    found["exact o200k counting"] = len(texts) / seconds(lambda: exact.count(texts))
    return found


def chat(texts: list[str]) -> list[dict[str, Any]]:
    """Lay texts out as a conversation."""
    roles = ("user", "assistant")
    return [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]


def evicting(texts: list[str]) -> dict[str, float]:
    """Seconds of `evict` on up to 10,000 units, growth from 1,000, and its share of memory."""
    messages = chat(texts[:10_000])
    lre.evict(messages, budget="25%")  # the counts are in the cache from here on
    whole = seconds(lambda: lre.evict(messages, budget="25%"))
    tenth = seconds(lambda: lre.evict(messages[:1000], budget="25%"))
    rng = random.Random(0)
    ids = [" ".join(f"id_{rng.randrange(10**6):06}" for _ in range(60)) for _ in messages]
    return {
        f"seconds for {len(messages):,} units": whole,
        "growth from 1,000 units": whole / tenth,
        "peak memory / text": peak(messages),
        "peak memory / text of nothing but identifiers": peak(chat(ids)),
    }


def peak(messages: list[dict[str, Any]]) -> float:
    """Peak memory of `evict`, as a multiple of the messages' text."""
    lre.evict(messages, budget="25%")
    tracemalloc.start()
    lre.evict(messages, budget="25%")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / sum(len(message["content"].encode()) for message in messages)


def deciding(texts: list[str]) -> dict[str, float]:
    """Milliseconds of one decision over 2,000 lines in 50 messages, all counted before."""
    lines = [line for text in texts[2::3] for line in text.splitlines()][:2000]  # of logs
    messages = chat(["\n".join(lines[i : i + 40]) for i in range(0, len(lines), 40)])
    found = {}
    for policy, granularity in (("lre", "span"), ("lre", "unit"), ("lre-paper", "unit")):
        ledger, rules = prepare(messages, budget="25%", policy=policy, granularity=granularity)
        decide(ledger, rules)

        def again(ledger: Ledger = ledger, rules: Rules = rules) -> None:
            decide(ledger, rules)

        spans = sum(span is not None for span in ledger.view(granularity).spans)
        what = f"{spans:,} spans" if spans else f"{len(messages)} units"
        found[f"{policy}, {what}"] = seconds(again) * 1e3
    return found


def appending(texts: list[str], budget: int) -> dict[str, float]:
    """Microseconds of one append and one reading of `messages`."""
    messages = chat(texts)
    more = messages[-50:]
    found = {}
    for held in (100, 1_000, 10_000):
        history = lre.History(budget)
        history.extend(messages[:held])

        def step(history: lre.History = history) -> None:
            for message in more:
                history.append(message)
                _ = history.messages

        found[f"{held} held"] = seconds(step) / len(more) * 1e6
    return found


def importing() -> dict[str, float]:
    """Milliseconds that `import lre` adds to starting Python, NumPy's share told apart."""
    bare = seconds(lambda: _python("pass"))
    numpy = seconds(lambda: _python("import numpy"))
    whole = seconds(lambda: _python("import lre"))
    return {"import lre": (whole - bare) * 1e3, "of which numpy": (numpy - bare) * 1e3}


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own code


def main() -> None:
    """Print the figures as a table, or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=20_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    texts = some_texts([json_text, code_text, log_text], arguments.units)
    studies: dict[str, Callable[[], dict[str, float]]] = {
        "units per second": lambda: rates(texts),
        "evict": lambda: evicting(texts),
        "one decision, milliseconds": lambda: deciding(texts),
        "History.append + .messages, all fits, microseconds": lambda: appending(texts, 10**9),
        "History.append + .messages, much is over, microseconds": lambda: appending(texts, 8_000),
        "import, milliseconds": importing,
    }
    found = {name: study() for name, study in studies.items()}
    speed = found["units per second"]
    found["ratio to the ten patterns"] = {
        name: rate / speed["ten patterns"] for name, rate in speed.items()
    }
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, figures in found.items():
        print(name)
        for what, value in figures.items():
            print(f"  {what:46} {value:14,.2f}")


if __name__ == "__main__":
    main()
