"""The reports of the studies of conversations: what they show, on a page that needs nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import pytest

from bench.conversations.results import NOTE, POLICIES, answered, ranked, retained
from bench.pages import Page
from lre.bench.conversations.report import STUDIES, report
from lre.errors import MissingExtraError

MADE: dict[str, Callable[[], dict[str, Any]]] = {
    "rank": ranked,
    "retain": retained,
    "qa": answered,
}
HOSTILE = '</title><script>alert("a")</script>$x^2$'

every_study = pytest.mark.parametrize("study", MADE)


def figures(text: str) -> list[str]:
    return [part.partition("</figure>")[0] for part in text.split("<figure>")[1:]]


def titles(text: str) -> list[str]:
    return [one.partition("<h2>")[2].partition("</h2>")[0] for one in figures(text)]


def drawn(text: str) -> dict[str, list[str]]:
    """Give the labels of each plot by its title."""
    return {
        title: Page(one.partition("</figcaption>")[2]).texts
        for title, one in zip(titles(text), figures(text), strict=True)
    }


def test_every_study_has_a_report() -> None:
    assert set(MADE) == set(STUDIES)


@every_study
def test_the_page_asks_the_network_for_nothing(study: str) -> None:
    text = report(study, MADE[study]())
    page = Page(text)
    asking = {"script", "link", "img", "iframe", "object", "embed", "base", "image"}
    assert {tag for tag, _ in page.tags} & asking == set()
    leads = [a.get("href") or a.get("xlink:href") or a.get("src") for _, a in page.tags]
    assert [lead for lead in leads if lead and not lead.startswith("#")] == []
    assert "//" not in text
    assert "@import" not in text
    assert text.count("url(") == text.count("url(#")


@every_study
def test_every_policy_is_named_in_every_table_of_figures(study: str) -> None:
    found = MADE[study]()
    rows = found.get("rows")
    names = {row["policy"] for row in rows} if rows else set(POLICIES)
    tables = report(study, found).split('<table class="figures">')[1:]
    assert tables
    for table in tables:
        assert names <= {
            text.split()[0] for text in Page(table.partition("</table>")[0]).texts if text
        }


@every_study
def test_every_plot_says_in_a_sentence_how_to_read_it(study: str) -> None:
    text = report(study, MADE[study]())
    captions = [one.partition("</h2>")[2].partition("</figcaption>")[0] for one in figures(text)]
    assert captions
    assert [one for one in captions if not one.endswith(".") or ". " in one] == []


@every_study
def test_no_two_elements_share_an_id_and_every_reference_leads_to_one(study: str) -> None:
    tags = Page(report(study, MADE[study]())).tags
    ids = Counter(attributes["id"] for _, attributes in tags if "id" in attributes)
    assert [name for name, times in ids.items() if times > 1] == []
    used = {a["xlink:href"] for _, a in tags if "xlink:href" in a}
    assert used <= {f"#{name}" for name in ids}


@every_study
def test_the_page_is_light_or_dark_as_the_reader_likes(study: str) -> None:
    text = report(study, MADE[study]())
    light, dark = (part.partition("}")[0] for part in text.split(":root {")[1:3])
    assert "prefers-color-scheme: dark" in text
    plots = "".join(figures(text))
    used = {name[:6] for name in plots.split("var(--c")[1:]}
    for scheme in (light, dark):
        assert used <= {name[:6] for name in scheme.split("--c")[1:]}
    assert re.findall(r"#[0-9a-f]{6}\b", plots) == []


@every_study
def test_the_same_result_gives_the_same_page_whatever_matplotlib_is_set_to(study: str) -> None:
    first = report(study, MADE[study]())
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        assert report(study, MADE[study]()) == first


@every_study
def test_the_page_says_how_to_repeat_it(study: str) -> None:
    texts = Page(report(study, MADE[study]())).texts
    assert {f"lre bench {study} locomo", "2026-05-02", "numpy 2.4.6", "o200k"} <= set(texts)


@every_study
def test_texts_of_others_stay_texts(study: str) -> None:
    found = MADE[study]()
    found["settings"]["command"] = HOSTILE + "\ud800"
    found["notes"]["lre"] = found["dataset"] = HOSTILE
    text = report(study, found)
    assert "script" not in {tag for tag, _ in Page(text).tags}
    assert text.encode("utf-8").decode() == text


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{package} is not installed.*lre\[plots\]"):
        report("rank", ranked())


def test_the_room_opens_without_its_extra() -> None:
    module = "lre.bench.conversations.report"
    code = f"import sys, {module}; print({{'matplotlib', 'jinja2'}} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"  # noqa: S603


def test_a_ranking_shows_the_mean_the_conversations_and_what_is_recovered() -> None:
    found = ranked()
    plots = drawn(report("rank", found))
    assert list(plots) == [
        *("Macro-AUC by policy", "AUC in each conversation", "Learnt without annotation"),
    ]
    for title in list(plots)[:2]:
        assert [text for text in plots[title] if text in POLICIES] == [
            *("lre", "lre-self", "fifo", "salience"),
        ]
    assert f"{100 * found['recovery']:.0f} %" in plots["Learnt without annotation"]


def test_few_conversations_are_dots_and_many_are_hills() -> None:
    assert "Each dot is a conversation" in report("rank", ranked(20))
    many = report("rank", ranked(21))
    assert "Each hill, " in many
    assert "of the 21 conversations" in many


def test_a_ranking_without_baselines_and_without_recovery_is_shown_too() -> None:
    found = ranked()
    for part in ("macro_auc", "per_conversation", "folds"):
        found[part] = {"lre": found[part]["lre"]}
    found.update(lead={}, recoveries={}, recovery=None)
    assert titles(report("rank", found)) == ["Macro-AUC by policy", "AUC in each conversation"]


def test_how_a_policy_is_made_is_said() -> None:
    assert NOTE in Page(report("rank", ranked())).texts


def test_retention_has_one_curve_a_policy_in_each_plot() -> None:
    plots = drawn(report("retain", retained()))
    assert list(plots) == ["Evidence kept", "Questions whole"]
    for texts in plots.values():
        assert sorted(t for t in texts if t in (*POLICIES, "oracle")) == sorted(
            (*POLICIES, "oracle")
        )
        assert any("of the conversation" in text for text in texts)


def test_budgets_in_tokens_and_in_percent_have_plots_of_their_own() -> None:
    assert titles(report("retain", retained("20%", "50%", "40"))) == [
        "Evidence kept, budgets in tokens",
        "Evidence kept, budgets in percent",
        "Questions whole, budgets in tokens",
        "Questions whole, budgets in percent",
    ]


def test_the_oracle_is_for_reference_and_never_best() -> None:
    text = report("retain", retained())
    best = [row.partition("</tr>")[0] for row in text.split('<tr class="best">')[1:]]
    assert len(best) >= 2
    assert all("lre" in row and "oracle" not in row for row in best)
    assert text.count("(reference)") == 2


def test_answers_are_shown_by_setting_against_tokens_and_by_category() -> None:
    plots = drawn(report("qa", answered()))
    assert list(plots) == [
        *("F1 at 20 % of the units", "F1 at 20 % of the tokens", "Answers against tokens"),
        *("F1 by category, 20 % of the units", "F1 by category, 20 % of the tokens"),
    ]
    assert {"full", "fifo", "lre"} <= set(plots["Answers against tokens"])
    assert {"single-hop, 1 question", "multi-hop, 1 question"} <= set(
        plots["F1 by category, 20 % of the units"]
    )


def test_a_category_that_one_policy_lacks_is_a_dash() -> None:
    found = answered()
    del found["rows"][0]["by_category"]["multi-hop"]
    assert "–" in Page(report("qa", found)).texts


def test_where_every_prompt_was_too_long_there_are_figures_and_no_plots() -> None:
    text = report("qa", answered(fifo=[""] * 3, lre=["Oslo"] * 3))
    assert figures(text) == []
    assert "None" not in Page(text).texts
    assert Page(text).texts.count("–") >= 4


def test_policies_that_do_equally_well_are_all_best() -> None:
    text = report("qa", answered(fifo=["Oslo"] * 3, lre=["Oslo"] * 3, salience=["no"] * 3))
    assert "fifo = lre" in Page(text).texts
    assert text.count('<tr class="best">') == 4
