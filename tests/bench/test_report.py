"""The report: what the figures are, on a page that needs nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import matplotlib as mpl
import pytest

from bench.pages import Page
from lre.bench.report import report
from lre.bench.timeline import timelines
from lre.errors import MissingExtraError

SURVIVAL = {"random": 0.82, "fifo": 0.85, "lre": 0.94, "oracle": 0.99, "full": 1.0}
HOSTILE = '</title><script>alert("a")</script>$x^2$'

Result = dict[str, Any]


def row(policy: str, budget: object, **figures: object) -> Result:
    survival = SURVIVAL[policy]
    return {
        "policy": policy,
        "granularity": "unit",
        "budget": budget,
        "identifier_survival": survival,
        "step_survival": survival,
        "trace_survival": 0.5,
        "copy_survival": survival,
        "misses_removed": 1 - (1 - survival) / (1 - SURVIVAL["fifo"]),
        "tokens_mean": 3100.6,
        "tokens_peak": 9021,
        "prefix_reuse": 0.7,
        "seconds_per_decision": 0.0023,
        "interval": {"step_survival": [survival - 0.01, min(1.0, survival + 0.01)]},
        **figures,
    }


def timeline(policy: str) -> Result:
    units = [("system", "Be brief"), ("user", "Change HAT-44"), ("assistant", "Looking it up")]
    shown, missing = ["kk", "kkk", "kkc", "kke"], [[], [], [], ["HAT-44", "mia_3668"]]
    return {
        "trace": "booking",
        "policy": policy,
        "granularity": "span",
        "budget": 512,
        "units": [
            {"role": role, "says": says, "tokens": 1200, "pinned": role == "system"}
            for role, says in units
        ],
        "steps": [
            {"message": 2 * i, "says": f"act {i}", "shown": s, "missing": m, "needed": i}
            for i, (s, m) in enumerate(zip(shown, missing, strict=True))
        ],
    }


def result(*budgets: object, policies: tuple[str, ...] = tuple(SURVIVAL)) -> Result:
    return {
        "rows": [row(policy, budget) for budget in budgets or (512, 1024) for policy in policies],
        "traces": 1204,
        "steps": 14203,
        "needed": 39120,
        "settings": {
            "policies": list(policies),
            "seed": 0,
            "date": "2026-05-02",
            "versions": {"numpy": "2.4.6"},
            "cores": 2,
            "command": "lre bench replay logs --budgets 512,1024",
        },
        "timelines": [timeline("fifo"), timeline("lre")],
    }


def best_lines(page: str) -> list[str]:
    return [part.partition("</tr>")[0] for part in page.split('<tr class="best">')[1:]]


def test_the_page_asks_the_network_for_nothing() -> None:
    text = report(result(512, "10%"))
    page = Page(text)
    asking = {"script", "link", "img", "iframe", "object", "embed", "base", "image"}
    assert {tag for tag, _ in page.tags} & asking == set()
    leads = [a.get("href") or a.get("xlink:href") or a.get("src") for _, a in page.tags]
    assert [lead for lead in leads if lead and not lead.startswith("#")] == []
    assert "//" not in text
    assert "@import" not in text
    assert text.count("url(") == text.count("url(#")


def test_the_same_result_gives_the_same_page_whatever_matplotlib_is_set_to() -> None:
    first = report(result())
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        assert report(result()) == first


def test_no_two_elements_share_an_id_and_every_reference_leads_to_one() -> None:
    tags = Page(report(result(512, 1024, "10%"))).tags
    ids = Counter(attributes["id"] for _, attributes in tags if "id" in attributes)
    assert [name for name, times in ids.items() if times > 1] == []
    used = {a["xlink:href"] for _, a in tags if "xlink:href" in a}
    assert used <= {f"#{name}" for name in ids}


def test_the_headline_says_what_was_measured_and_how_to_repeat_it() -> None:
    text = report(result())
    for said in ("1,204 traces", "14,203 steps", "39,120 needed", "2026-05-02", "numpy 2.4.6"):
        assert said in text
    assert "lre bench replay logs --budgets 512,1024" in Page(text).texts


def test_the_best_budgeted_policy_of_each_budget_is_marked() -> None:
    found = best_lines(report(result(512, 1024)))
    assert len(found) == 2
    assert all("lre" in line and ".940" in line for line in found)


def test_the_references_are_named_so_and_never_best() -> None:
    text = report(result(512, policies=("full", "oracle")))
    assert best_lines(text) == []
    assert text.count("(reference)") == 2


def test_full_history_has_one_row_however_many_budgets_there_are() -> None:
    assert report(result(512, 1024, "10%")).count(">full <") == 1


def test_intervals_stand_below_their_figures() -> None:
    assert ".940<small>.930 – .950</small>" in report(result())


@pytest.mark.parametrize("metric", ["step_survival", "tokens_mean", "misses_removed"])
def test_a_figure_that_nothing_was_needed_for_is_a_dash(metric: str) -> None:
    found = result()
    for each in found["rows"]:
        each.update({metric: None, "interval": {}})
    page = Page(report(found))
    assert page.texts.count("–") >= len(SURVIVAL)
    assert "None" not in page.texts


def test_rows_without_any_figure_give_a_page_without_plots() -> None:
    found = result()
    plain = ("policy", "granularity", "budget")
    found["rows"] = [{k: v if k in plain else None for k, v in r.items()} for r in found["rows"]]
    assert "<figure>" not in report(found)


def test_texts_of_others_stay_texts() -> None:
    found = result()
    found["settings"]["command"] = HOSTILE
    found["rows"] += [{**row("lre", 512), "policy": HOSTILE}]
    found["timelines"][0]["units"][0]["says"] = HOSTILE + "\ud800"
    found["timelines"][0]["steps"][3]["missing"] = [HOSTILE]
    text = report(found)
    assert "script" not in {tag for tag, _ in Page(text).tags}
    assert text.encode("utf-8").decode() == text


def test_a_timeline_shows_each_unit_from_the_step_at_which_it_is_there() -> None:
    ((one, _),) = timelines(result()["timelines"]).values()
    assert [(bar.kind, bar.x, bar.width) for bar in one.lanes[1].bars] == [("kept", 0, 100)]
    assert [(bar.kind, bar.x, bar.width) for bar in one.lanes[2].bars] == [
        ("kept", 25, 25),
        ("cut", 50, 25),
        ("evicted", 75, 25),
    ]


def test_what_was_missing_is_marked_and_listed_below() -> None:
    text = report(result())
    assert "step 4, message 6: act 3\nmissing: HAT-44, mia_3668</title>" in text
    assert "<code>HAT-44</code><code>mia_3668</code>" in text
    assert text.count("1 of 3 steps that need something lack some of it") == 2


def test_policies_of_one_trace_stand_below_one_another() -> None:
    headings = [text for text in Page(report(result())).texts if text.endswith("512 tokens")]
    assert headings[-2:] == ["fifo, span, 512 tokens", "lre, span, 512 tokens"]


@pytest.mark.parametrize("absent", [None, []])
def test_without_timelines_the_page_ends_with_the_plots(absent: object) -> None:
    assert "step by step" not in report({**result(), "timelines": absent})


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package} is not installed.*lre\[plots\]"):
        report(result())


def test_the_room_opens_without_its_extra() -> None:
    code = "import sys, lre.bench.report; print({'matplotlib', 'jinja2'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"  # noqa: S603
