"""Where no summary comes a study ends; where some fail it says so."""

from __future__ import annotations

import pytest

from lre.bench.summaries import Summaries, Told
from lre.errors import LreError


def test_one_summary_is_enough_to_go_on() -> None:
    summaries = Summaries()
    summaries.add("acon", Told(19, 18, "too long"))
    summaries.add("acon", Told(50, 50, "gone"))
    summaries.add("fifo", Told())
    assert summaries.finish() == {"acon": {"asked": 69, "failed": 68, "reason": "too long"}}


def test_twenty_failures_and_no_summary_end_it_at_once() -> None:
    summaries = Summaries()
    summaries.add("acon", Told(19, 19, "the endpoint is gone"))
    with pytest.raises(LreError, match=r"none of 20 summaries came: the endpoint is gone @ acon: "):
        summaries.add("acon", Told(1, 1, "again"))


def test_fewer_failures_and_no_summary_end_it_in_the_end() -> None:
    summaries = Summaries()
    summaries.add("acon", Told(1, 1, "gone"))
    with pytest.raises(LreError, match="none of 1 summaries came"):
        summaries.finish()
