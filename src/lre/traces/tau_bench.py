"""tau-bench results: a list of runs, each with its chat, such as ``[{"traj", "task_id", …}]``.

Runs are grouped by ``task_id``, and ``reward`` and ``trial`` are facts of theirs.
Source: Yao et al., tau-bench (arXiv 2406.12045); the result files in its repository.
"""

from __future__ import annotations

from lre.traces.lists import Lists
from lre.traces.walk import objects

__all__ = ["READER"]


class _TauBench(Lists):
    name = "tau_bench"
    describe = "tau-bench results: runs with `traj` and `task_id`"
    dialects = ("openai-chat",)
    example = "retail-….json"

    def owns(self, value: object) -> bool:
        return any("traj" in one and "task_id" in one for one in objects(value))


READER = _TauBench()
