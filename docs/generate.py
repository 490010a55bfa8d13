"""Writes the generated parts of README.md and docs/, or checks that they are fresh.

    python docs/generate.py [--check]

A part stands between ``<!-- generated: name -->`` and ``<!-- end -->``; `PARTS` says what makes
it. Run by ``make generate``; a test runs the check.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import getdoc
from math import isinf
from pathlib import Path

from lre.features import FEATURES
from lre.policies import POLICIES, policy
from lre.scorer import shipped
from lre.testing.laws import LAWS, NAMES

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def features() -> str:
    """Write the table of features."""
    return table(
        ("name", "kind", "range", "meaning", "source"),
        (
            (f"`{f.name}`", f.kind, "0 …" if isinf(f.high) else f"0 … {f.high:g}", f.meaning, f.source)
            for f in FEATURES.values()
        ),
    )


def policies() -> str:
    """Write the table of built-in policies."""
    made = {name: policy(name) for name in sorted(POLICIES)}
    return table(
        ("policy", "what stays", "waives law"),
        (
            (f"`{name}`", first_line(type(one)), ", ".join(map(str, sorted(one.waives))) or "–")
            for name, one in made.items()
        ),
    )


def laws() -> str:
    """Write the table of laws, each with the check that demands it."""
    return table(
        ("law", "", "checked by `lre.testing.laws`"),
        ((number or "–", first_line(law).removeprefix(f"Law {number}. "), f"`{law.__name__}`")
         for number, law in LAWS.items()),
    )


def cards() -> str:
    """Write what the cards of the shipped scorers say."""
    rows = []
    for name, user in (("agent", "lre"), ("agent-paper", "lre-paper")):
        scorer = shipped(name)
        card, held_out = scorer.card, scorer.card["held_out"]
        rows.append(
            (f"`{name}.json`", f"`{user}`", card["data"], card["sessions"], card["units"],
             held_out["auc"], held_out["auc_fifo"], f"`{card['command']}`", card["made"])
        )
    head = ("file", "policy", "logs", "sessions", "units", "auc", "auc_fifo", "command", "made")
    return table(head, rows)


def demo() -> str:
    """Show what ``make demo`` prints, the middle of the receipt left out."""
    command = [sys.executable, str(ROOT / "examples" / "demo.py")]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    lines = done.stdout.splitlines()
    summary = next(i for i, line in enumerate(lines) if line.startswith("lre: "))
    shown = [*lines[:20], "  …", *lines[summary - 6 :]]
    return "```text\n" + "\n".join(shown) + "\n```\n"


def first_line(thing: object) -> str:
    """Give the first sentence of a docstring, without its full stop."""
    return (getdoc(thing) or "").split("\n\n")[0].replace("\n", " ").rstrip(".")


PARTS: Mapping[str, Callable[[], str]] = {
    part.__name__: part for part in (features, policies, laws, cards, demo)
}


def fill(text: str) -> str:
    """Make the generated parts of a page anew."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", text)


def pages() -> Iterator[Path]:
    """Find the pages that have generated parts."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        if PART.search(page.read_text(encoding="utf-8")):
            yield page


def main() -> None:
    """Write, or check."""
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        fresh = fill(text)
        if fresh == text:
            continue
        stale.append(str(page.relative_to(ROOT)))
        if "--check" not in sys.argv:
            page.write_text(fresh, encoding="utf-8")
    print("\n".join(stale))
    sys.exit(bool(stale) and "--check" in sys.argv and "stale: run `make generate`")


if __name__ == "__main__":
    main()
