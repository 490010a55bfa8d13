"""The page of a study: one template, in the style of a replay's report."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from lre.errors import MissingExtraError

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["study_page"]


def study_page() -> Template:
    """Read the template of the studies' pages.

    Raises
    ------
    MissingExtraError
        If jinja2 is not installed.
    """
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtraError("jinja2", "plots") from error
    style_sheet = _source("report.html.j2").partition("<style>")[2].partition("</style>")[0]
    sources = {"style": style_sheet, "page": _source("conversations/report.html.j2")}
    return jinja2.Environment(
        loader=jinja2.DictLoader(sources),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page")


def _source(name: str) -> str:
    return files("lre.bench").joinpath(name).read_text(encoding="utf-8")
