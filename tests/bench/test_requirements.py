"""What a study lacks is told at once, in one line, with one installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from lre.bench.requirements import demand
from lre.errors import LreError, MissingExtraError, SettingError
from lre.policies import Origin, Summary
from lre.policies.fifo import Fifo


class Needing(Fifo):
    """Runs somebody else's package, or says that it is missing."""

    origin: ClassVar[Origin] = Origin("tests", extra="some", packages=("json",))

    def __init__(self, error: LreError | None = None) -> None:
        self.error, self.asked = error, 0

    def shorten(self, texts: Sequence[str], *_: object) -> Sequence[str]:
        self.asked += 1
        if self.error:
            raise self.error
        return texts


class Dear(Needing):
    """Has summaries written."""

    origin: ClassVar[Origin] = Origin("tests", "language model", "dear", ("no_such_package",))

    def summarise(self, *_: object) -> Summary:
        raise AssertionError("a call costs money")


GONE = SettingError("no weights", where="model", remedy="name others")


def test_what_has_all_it_needs_begins() -> None:
    made = Needing()
    demand(["scikit-learn", "jinja2"], [made, Fifo()])
    assert made.asked > 0


def test_the_only_problem_is_raised_as_it_is() -> None:
    with pytest.raises(SettingError) as refusal:
        demand([], [Needing(GONE), Needing(GONE)])
    assert refusal.value is GONE


def test_all_problems_are_one_line_with_one_installation() -> None:
    lacks = [Needing(MissingExtraError("one", "a")), Needing(MissingExtraError("two", "b"))]
    with pytest.raises(LreError) as refusal:
        demand([], [*lacks, Needing(GONE), Dear()])
    assert str(refusal.value) == (
        "one is not installed; two is not installed; no weights @ model; no_such_package is not "
        "installed: pip install 'lre[a,b,dear]'; name others"
    )
