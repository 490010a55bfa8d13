"""Where the data sets of conversations lie, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lre.cli.sessions import open_sessions
from lre.errors import LogError, SettingError
from lre.tokens import counter
from lre.traces import Skipped, Trace

__all__ = ["open_conversations"]

_PLACES = {
    "locomo": "locomo/locomo10.json*",
    "longmemeval": "longmemeval/longmemeval_s_cleaned*.json*",
}
_HOMES = {
    "locomo": "https://github.com/snap-research/locomo",
    "longmemeval": "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned",
}
_OFFER = "give locomo, longmemeval, or the path of a file of either"


def open_conversations(given: Mapping[str, Any]) -> tuple[str, list[Trace], list[Skipped]]:
    """Read a data set that has questions: which one it is, its conversations, what was skipped."""
    counter(given["counter"])
    path = _place(given["dataset"], given["data"])
    traces, skipped = open_sessions([path], given["strict"])
    kinds = sorted({str(trace.meta.get("reader")) for trace in traces})
    if kinds not in ([name] for name in _PLACES):
        raise LogError("no conversations with questions", where=path, remedy=_OFFER)
    return kinds[0], traces, skipped


def _place(dataset: str, data: str | None) -> str:
    """Find the file of a data set, or take a path as it is."""
    if dataset not in _PLACES:
        if Path(dataset).exists():
            return dataset
        raise SettingError(f"no data set {dataset!r}, and no file", where="DATASET", remedy=_OFFER)
    if not data:
        what, remedy = "nobody says where the data lie", "give --data DIR or set LRE_DATA"
        raise SettingError(what, where="DATASET", remedy=f"{remedy}; docs/data.md says more")
    found = sorted(Path(data).glob(_PLACES[dataset]), key=lambda path: (len(path.name), path.name))
    if not found:
        where = str(Path(data, _PLACES[dataset]))
        remedy = f"get it from {_HOMES[dataset]} (docs/data.md)"
        raise LogError(f"{dataset} is not there", where=where, remedy=remedy)
    return str(found[0])
