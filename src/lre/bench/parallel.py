"""One function over many jobs, on several cores; results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection, wait
from typing import TypeVar

__all__ = ["Tick", "spread"]

Job = TypeVar("Job")
Result = TypeVar("Result")
Tick = Callable[[], object] | None

_CHUNK = 4  # jobs that a worker is handed at once


def spread(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, tick: Tick = None
) -> Iterator[Result]:
    """Do every job; `tick` is called after each. Whoever stops early waits for no job.

    >>> list(spread(abs, [-2, 1], workers=1))
    [2, 1]
    """
    if workers <= 1 or len(jobs) <= _CHUNK:
        done: Iterator[Result] = map(work, jobs)
        yield from _ticking(done, tick)
        return
    context = multiprocessing.get_context("spawn")  # no thread of ours is copied half-way
    ear, line = context.Pipe(duplex=False)
    with ear, line, ProcessPoolExecutor(workers, context, _attend, (ear,)) as pool:
        try:
            yield from _ticking(_shared(pool, work, jobs), tick)
        except BaseException:  # an interrupt, an error, or nobody wants the rest
            line.close()
            raise


def _shared(
    pool: ProcessPoolExecutor, work: Callable[[Job], Result], jobs: Sequence[Job]
) -> Iterator[Result]:
    """Hand out jobs in chunks; `pool.map` would cancel what its workers no longer live to do."""
    starts = range(0, len(jobs), _CHUNK)
    chunks = deque(pool.submit(_each, work, jobs[at : at + _CHUNK]) for at in starts)
    while chunks:
        yield from chunks.popleft().result()


def _each(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    return list(map(work, jobs))


def _attend(ear: Connection) -> None:
    """Leave interrupts to the parent, and end with it, or when it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(ear,), daemon=True).start()


def _follow(ear: Connection) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel, ear])
        os._exit(1)


def _ticking(results: Iterator[Result], tick: Tick) -> Iterator[Result]:
    for result in results:
        if tick:
            tick()
        yield result
