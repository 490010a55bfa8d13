"""Many jobs on several cores: in order, and not waited for by whoever stops early."""

from __future__ import annotations

import time

import pytest

from lre.bench.parallel import spread

LONG = 60.0  # seconds


def work(seconds: float) -> float:
    """Take so long; less than no time is an error."""
    if seconds < 0:
        raise ValueError("less than no time")
    time.sleep(seconds)
    return seconds


def interrupt() -> None:
    raise KeyboardInterrupt


def test_results_come_in_order_and_each_ticks() -> None:
    ticks: list[int] = []
    jobs = [n / 1000 for n in range(11)]
    assert list(spread(work, jobs, 2, lambda: ticks.append(1))) == jobs
    assert len(ticks) == 11


def test_an_interrupt_waits_for_no_job() -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(spread(work, [0.0] * 4 + [LONG] * 8, 2, interrupt))
    assert time.monotonic() - start < LONG / 2


def test_an_error_waits_for_no_other_job(capfd: pytest.CaptureFixture[str]) -> None:
    start = time.monotonic()
    with pytest.raises(ValueError, match="less than no time"):
        list(spread(work, [-1.0] * 4 + [LONG] * 8, 2))
    assert time.monotonic() - start < LONG / 2
    assert capfd.readouterr().err == ""
