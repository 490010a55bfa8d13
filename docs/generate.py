"""Writes the generated parts of README.md and docs/, or checks that they are fresh.

    python docs/generate.py [--check]

A part stands between ``<!-- generated: name -->`` and ``<!-- end -->``; `PARTS` says what makes
it; a file that is shown between ``<!-- file: path -->`` and ``<!-- end -->``. ``docs/cli.md`` is
generated as a whole. Run by ``make generate``; a test runs the check.
"""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import getdoc
from math import isinf
from pathlib import Path

from lre.cli.helppages import pages as command_pages
from lre.cli.policies import described
from lre.features import FEATURES
from lre.integrations import INTEGRATIONS
from lre.policies import POLICIES
from lre.scorer import shipped
from lre.testing.laws import LAWS
from lre.traces import readers

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

FILE = re.compile(r"(<!-- file: (\S+?)(?: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)
LANGUAGES = {".py": "py", ".yaml": "yaml"}  # sybil runs what is called python


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def features() -> str:
    """Write the table of features."""
    return table(
        ("name", "of", "kind", "range", "meaning", "source"),
        (
            (
                f"`{f.name}`",
                f.about,
                f.kind,
                "0 …" if isinf(f.high) else f"0 … {f.high:g}",
                f.meaning,
                f.source,
            )
            for f in FEATURES.values()
        ),
    )


def policies() -> str:
    """Write the table of built-in policies, whatever is installed here."""
    head = ("policy", "what it does", "source", "cost", "verbatim", "waives law", "extra")
    rows = (described(name, place) for name, place in sorted(POLICIES.items()))
    return table(
        head,
        (
            (
                f"`{row['name']}`",
                row["about"].rstrip("."),
                row["source"],
                row["cost"],
                "yes" if row["verbatim"] else "**no**",
                ", ".join(map(str, row["waives"])) or "–",
                f"`{row['extra']}`" if row["extra"] else "–",
            )
            for row in rows
        ),
    )


def formats() -> str:
    """Write the table of log formats that are read."""
    rows = ((f"`{one.name}`", one.describe, ", ".join(one.dialects)) for one in readers())
    return table(("format", "what it is", "messages come out as"), rows)


def integrations() -> str:
    """Write the table of integrations, each with the line that its docstring shows."""
    rows = (
        (
            f"[{one.framework}]({name}.md)",
            f"`{_line(one.target)}`",
            f"`{one.target.replace(':', '.')}`",
            f'`pip install "lre[{one.extra}]"`',
        )
        for name, one in sorted(INTEGRATIONS.items(), key=lambda item: item[1].framework.lower())
    )
    return table(("framework", "the line", "from", "install"), rows)


def _line(target: str) -> str:
    """Give the first line of code of a module's docstring, without importing the framework."""
    path = ROOT / "src" / Path(*target.partition(":")[0].split(".")).with_suffix(".py")
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    lines = [line.strip() for line in told.splitlines() if line.startswith("    ")]
    if not lines:
        sys.exit(f"{path.name}: its docstring shows no line of code, indented by four spaces")
    return lines[0]


def laws() -> str:
    """Write the table of laws, each with the check that demands it."""
    rows = []
    for number, law in LAWS.items():
        says = first_line(law).removeprefix(f"Law {number}. ")
        rows.append((number or "–", says, f"`{law.__name__}`"))  # type: ignore[attr-defined]
    return table(("law", "says", "checked by `lre.testing.laws`"), rows)


def cards() -> str:
    """Write what the cards of the shipped scorers say."""
    rows = []
    for name, user in (("agent", "lre"), ("agent-paper", "lre-paper"), ("chat", "lre-chat")):
        scorer = shipped(name)
        card = scorer.card
        rows.append(
            (
                f"`{name}.json`",
                f"`{user}`",
                card["data"],
                card["sessions"],
                card["units"],
                card["label"],
                card["held_out"]["auc"],
                f"`{card['command']}`",
                card["made"],
            )
        )
    head = ("file", "policy", "logs", "sessions", "units", "label", "auc", "command", "made")
    return table(head, rows)


def demo() -> str:
    """Show what ``make demo`` prints, the middle of the receipt left out."""
    command = [sys.executable, str(ROOT / "examples" / "demo.py")]
    done = subprocess.run(  # noqa: S603 - our own script
        command, capture_output=True, check=True, encoding="utf-8"
    )
    lines = done.stdout.splitlines()
    summary = next(i for i, line in enumerate(lines) if line.startswith("lre: "))
    shown = [*lines[:16], "  …", *lines[summary - 4 :]]
    return "```text\n" + "\n".join(shown) + "\n```\n"


def first_line(thing: object) -> str:
    """Give the first sentence of a docstring, without its full stop."""
    return (getdoc(thing) or "").split("\n\n")[0].replace("\n", " ").rstrip(".")


_REPLAYED = runpy.run_path(str(ROOT / "docs" / "replayed.py"))
_MEASURED = runpy.run_path(str(ROOT / "docs" / "measured.py"))
_REACHED = runpy.run_path(str(ROOT / "docs" / "reached.py"))
_COMPARED = runpy.run_path(str(ROOT / "docs" / "compared.py"))
_BROUGHT = runpy.run_path(str(ROOT / "docs" / "brought.py"))
_CONFORMED = runpy.run_path(str(ROOT / "docs" / "conformed.py"))

PARTS: Mapping[str, Callable[[], str]] = {
    **{part.__name__: part for part in (features, policies, laws, cards, demo)},
    **{part.__name__: part for part in (formats, integrations)},
    **{mode: partial(_REPLAYED["replayed"], mode) for mode in ("fresh", "sticky", "unseen")},
    **{name: _REPLAYED[name] for name in ("cache", "goals")},
    **{name: _MEASURED[name] for name in _MEASURED["__all__"]},
    **{name: _COMPARED[name] for name in _COMPARED["__all__"]},
    **{name: _BROUGHT[name] for name in _BROUGHT["__all__"]},
    **{name: _CONFORMED[name] for name in _CONFORMED["__all__"]},
    "reached": _REACHED["reached"],
}


def fill(text: str) -> str:
    """Make the generated parts of a page anew."""
    made = PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", text)
    return FILE.sub(lambda found: f"{found[1]}\n{shown(found[2], found[3])}\n{found[4]}", made)


def shown(name: str, part: str | None) -> str:
    """Show a file, or one function of it, as a block of code."""
    path = ROOT / name
    code = path.read_text(encoding="utf-8")
    if part:
        [node] = [n for n in ast.parse(code).body if getattr(n, "name", "") == part]
        code = f"{ast.get_source_segment(code, node)}\n"
    code = re.sub(r"  # type: ignore\[.*\]$", "", code, flags=re.MULTILINE)
    return f"```{LANGUAGES[path.suffix]}\n{code}```\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Give every page that has generated parts, as it should be."""
    docs = ROOT / "docs"
    for page in (ROOT / "README.md", *docs.glob("*.md"), *docs.glob("integrations/*.md")):
        yield page, fill(page.read_text(encoding="utf-8"))
    yield ROOT / "docs" / "cli.md", command_pages()


def main() -> None:
    """Write, or check."""
    stale = [(page, text) for page, text in pages() if page.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv and stale:
        sys.exit(f"stale, run `make generate`: {', '.join(page.name for page, _ in stale)}")
    for page, text in stale:
        page.write_text(text, encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
