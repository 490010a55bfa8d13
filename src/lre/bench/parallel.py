"""One function over many jobs, on several cores; results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

__all__ = ["Tick", "spread"]

Job = TypeVar("Job")
Result = TypeVar("Result")
Tick = Callable[[], object] | None

_CHUNK = 4  # jobs that a worker is handed at once


def spread(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, tick: Tick = None
) -> Iterator[Result]:
    """Do every job; `tick` is called after each.

    >>> list(spread(abs, [-2, 1], workers=1))
    [2, 1]
    """
    if workers <= 1 or len(jobs) <= _CHUNK:
        done: Iterator[Result] = map(work, jobs)
        yield from _ticking(done, tick)
        return
    context = multiprocessing.get_context("spawn")  # no thread of ours is copied half-way
    with ProcessPoolExecutor(workers, context, _attend) as pool:
        yield from _ticking(pool.map(work, jobs, chunksize=_CHUNK), tick)


def _attend() -> None:
    """Leave interrupts to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ticking(results: Iterator[Result], tick: Tick) -> Iterator[Result]:
    for result in results:
        if tick:
            tick()
        yield result
