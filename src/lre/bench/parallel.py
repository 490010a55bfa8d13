"""One function over many jobs, on several cores; results in order."""

from __future__ import annotations

import multiprocessing
import signal
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
    deaf = (signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the parent to act on
    with ProcessPoolExecutor(workers, context, signal.signal, deaf) as pool:
        yield from _ticking(pool.map(work, jobs, chunksize=_CHUNK), tick)


def _ticking(results: Iterator[Result], tick: Tick) -> Iterator[Result]:
    for result in results:
        if tick:
            tick()
        yield result
