"""tau2-bench results: ``{"simulations": [{"messages", "task_id", …}]}``, or that list by itself.

A call's arguments are an object, its result repeats the call's id as ``id``, and the user has
tools too (``requestor``): the dialect ``openai-chat`` reads all of it. Runs are grouped by
``task_id`` alone, since some files tell the domain and some do not.
Source: Barres et al., tau2-bench (arXiv 2506.07982); the result files in its repository.
"""

from __future__ import annotations

from typing import Any

from lre.traces.lists import Lists
from lre.traces.walk import objects

__all__ = ["READER"]


class _Tau2Bench(Lists):
    name = "tau2_bench"
    describe = "tau2-bench results: `simulations` with `messages` and `task_id`"
    dialects = ("openai-chat",)
    example = "simulations/….json"

    def owns(self, value: object) -> bool:
        runs = value.get("simulations") if isinstance(value, dict) else value
        return any(map(_is_run, objects(runs)))


READER = _Tau2Bench()


def _is_run(one: dict[str, Any]) -> bool:
    return {"messages", "task_id"} <= one.keys() and (
        "reward_info" in one or "termination_reason" in one
    )
