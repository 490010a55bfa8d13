"""What the studies of conversations share: options, the contest, and the lines below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from lre.bench.figures import share
from lre.cli.options import (
    counter_option,
    in_a_folder,
    json_option,
    output_option,
    strict_option,
    workers_option,
)
from lre.cli.output import json_bytes, strays_to_stderr, tell, write
from lre.cli.provenance import provenance, told
from lre.cli.sessions import progress
from lre.cli.shared import listed
from lre.messages import Budget
from lre.traces import Skipped, Trace

if TYPE_CHECKING:
    from lre.bench.conversations.sheet import Ranked, Sheet

__all__ = [
    "amounts",
    "below",
    "between",
    "compete",
    "conversation_options",
    "drawing",
    "entrants",
    "print_found",
    "require",
    "save_page",
    "settings",
    "written",
]

Found = Mapping[str, Any]

_OPTIONS = (
    click.argument("dataset", metavar="DATASET"),
    counter_option,
    click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(min=0),
        default=0,
        help="Of the folds and of all draws. By default 0.",
    ),
    click.option(
        "--data",
        metavar="DIR",
        envvar="LRE_DATA",
        type=click.Path(),
        help="Where the data sets lie, each in a folder of its name. By default the variable "
        "LRE_DATA.",
    ),
    workers_option,
    strict_option,
    json_option,
    click.option(
        "--html",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        callback=in_a_folder,
        help="Write a report with plots to this file.",
    ),
    output_option("-"),
)


def conversation_options(command: Any) -> Any:
    """Give a command the argument DATASET and the options of every such study."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def require(*packages: str, extra: str = "", policies: Sequence[str] = ()) -> None:
    """Refuse at once where packages are missing, or what policies need; see `demand`."""
    from lre.bench.conversations import contest
    from lre.bench.requirements import demand

    made = contest.Plan(names=policies, dataset="").untaught() if policies else {}
    with strays_to_stderr():
        demand(packages, made.values(), extra)


def drawing(given: Found) -> tuple[str, ...]:
    """Name the packages that the report needs, where one is asked for."""
    return ("matplotlib", "jinja2") if given["html"] else ()


def entrants(given: Found) -> list[str]:
    """Read policies with commas; one that nobody knows is told before anything is read."""
    from lre.bench.conversations import contest

    found = listed(given["policies"], "--policies")
    contest.Plan(names=found, dataset=given["dataset"])
    return found


def amounts(text: str) -> list[str]:
    """Read budgets with commas; what is none is told at once."""
    found = listed(text, "--budgets")
    for one in found:
        Budget.of(older_budget=one)
    return found


def compete(
    kind: str, traces: Sequence[Trace], names: Sequence[str], given: Found
) -> tuple[list[Sheet], list[Ranked]]:
    """Let the policies score every conversation, under a bar."""
    from lre.bench.conversations import contest

    plan = contest.Plan(names=names, dataset=kind, counter=given["counter"], seed=given["seed"])
    length = contest.ticks(len(traces))
    with strays_to_stderr(), progress("reading and learning", length) as tick:
        return contest.compete(traces, plan, given["workers"], tick)


def settings(ctx: click.Context, given: Found, names: Sequence[str], **more: Any) -> dict[str, Any]:
    """Give all that the figures depend on."""
    used = {"policies": list(names), **more, "counter": given["counter"], "seed": given["seed"]}
    return {**used, **provenance(ctx, without=["data", "api_key"])}


def save_page(study: str, found: Found, given: Found) -> None:
    """Write the report of a study, where one is asked for."""
    if given["html"]:
        from lre.bench.conversations.report import report

        write(given["html"], report(study, found).encode())
        tell(f"wrote {given['html']}")


def print_found(
    found: Found, skipped: Sequence[Skipped], lines: Iterator[str], given: Found
) -> None:
    """Print the result, as JSON or as text, or write it to a file."""
    whole = {**found, "skipped": [{"where": one.where, "what": one.what} for one in skipped]}
    text = "\n".join(lines) + "\n"
    write(given["output"], json_bytes(whole) if given["as_json"] else text.encode())


def between(ends: Sequence[float] | None) -> str:
    """Write an interval.

    >>> between([-0.012, 0.034]), between(None)
    ('−.012 – .034', '')
    """
    return " – ".join(map(share, ends)) if ends else ""


def written(value: float | None, write: Callable[[float], str]) -> str:
    """Write a figure; a dash where there is none.

    >>> written(0.25, share), written(None, share)
    ('.250', '–')
    """
    return "–" if value is None else write(value)


def below(found: Found) -> Iterator[str]:
    """Say what the figures are of, and what they depend on."""
    yield (
        f"{found['dataset']}: {found['conversations']:,} conversations, {found['units']:,} units, "
        f"{found['positives']:,} of them evidence; {found['questions']:,} questions"
    )
    if found["faults"]:
        faults = (f"{name} {count:,}" for name, count in sorted(found["faults"].items()))
        yield f"known faults of the data: {', '.join(faults)}"
    yield from (f"{name}: {note}" for name, note in found["notes"].items())
    used = found["settings"]
    yield f"counter {used['counter']}, seed {used['seed']}"
    yield from told(used)
