"""The plots: what is drawn, where the axes begin, and that it can be read."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lre.bench.canvas import COLOURS, PAPER, RULE, looks, style
from lre.bench.curves import Chart, curves, spread
from lre.bench.plots import plots

SURVIVAL = {"random": 0.82, "fifo": 0.85, "lre": 0.94, "oracle": 0.99, "full": 1.0}


def row(policy: str, budget: object) -> dict[str, Any]:
    survival = SURVIVAL[policy]
    return {
        "policy": policy,
        "granularity": "unit",
        "budget": budget,
        "step_survival": survival,
        "copy_survival": survival,
        "misses_removed": 1 - (1 - survival) / (1 - SURVIVAL["fifo"]),
        "tokens_mean": 9000 if policy == "full" else 3100.6,
        "prefix_reuse": 0.7,
        "interval": {"step_survival": [survival - 0.01, min(1.0, survival + 0.01)]},
    }


def rows(*budgets: object) -> list[dict[str, Any]]:
    return [row(policy, budget) for budget in budgets for policy in SURVIVAL]


def test_budgets_in_tokens_and_in_percent_have_panels_of_their_own() -> None:
    found = plots(rows(512, 1024, "10%"))
    assert len(found["steps"]) == len(found["copies"]) == len(found["cost"]) == 2
    assert [panel.caption for panel in found["misses"]] == ["512 tokens", "1,024 tokens", "10 %"]
    assert len(plots(rows(512))["steps"]) == 1


def test_misses_are_drawn_for_those_that_are_compared_with_fifo() -> None:
    bars = plots(rows(512))["misses"][0].svg
    assert ">lre</text>" in bars
    assert ">60 %</text>" in bars
    assert ">fifo</text>" not in bars
    assert ">full</text>" not in bars


def test_curves_begin_where_the_figures_do_and_full_is_a_line_across() -> None:
    with style():
        figure = curves(Chart("step_survival", "steps"), rows(512, 1024), relative=False)
    assert figure is not None
    low, high = figure.axes[0].get_ylim()
    assert 0.75 < low < SURVIVAL["random"] - 0.01
    assert high == 1
    assert [1.0, 1.0] in [np.asarray(line.get_ydata()).tolist() for line in figure.axes[0].lines]


def test_the_page_gives_the_colours_of_the_plots() -> None:
    drawn = "".join(panel.svg for panels in plots(rows(512, 1024)).values() for panel in panels)
    assert "var(--c0b5fa5)" in drawn
    assert drawn.count("#") == drawn.count("url(#") + drawn.count('href="#')


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_can_be_read_on_its_paper(dark: bool) -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    seen = {name: light(COLOURS[name] if dark else name) for name in COLOURS}
    paper = seen.pop(PAPER)
    del seen[RULE]
    assert min(max(each, paper) / min(each, paper) for each in seen.values()) > 4.5


def test_policies_differ_in_more_than_colour() -> None:
    nine = [{**row("lre", 512), "policy": f"p{i}"} for i in range(9)]
    assert len({look.marker for look in looks(nine).values()}) == 9


def test_labels_keep_their_order_and_their_distance() -> None:
    placed = spread([40, 41, 42, 90, 41.5], gap=10, top=80)
    assert sorted(range(5), key=placed.__getitem__) == [0, 1, 4, 2, 3]
    steps = sorted(placed)
    assert min(b - a for a, b in pairwise(steps)) >= 10
    assert max(placed) <= 80


def test_a_policy_in_two_granularities_is_named_with_each() -> None:
    both = [row("fifo", 512), row("lre", 512), {**row("lre", 512), "granularity": "span"}]
    named = {look.name: look.dashed for look in looks(both).values()}
    assert named == {"fifo": False, "lre unit": True, "lre span": False}


@pytest.mark.parametrize("most", [4000, 8500])
def test_the_names_of_the_curves_do_not_hide_full_history(most: int) -> None:
    found = rows(512) + [{**each, "tokens_mean": most} for each in rows(1024)[:-1]]
    with style():
        figure = curves(Chart("step_survival", "steps", by_cost=True), found, relative=False)
    assert figure is not None
    axes = figure.axes[0]
    star = axes.transData.transform((9000, 1))[0]
    (left,) = (text.get_position()[0] for text in axes.texts if text.get_text() == "oracle")
    assert left + 40 < star or left > star


def test_dollars_in_a_name_make_no_formula() -> None:
    found = plots([{**row("lre", 512), "policy": "$x^2$"}])
    assert ">$x^2$</text>" in found["steps"][0].svg
