"""The scorers that come with the package."""

from __future__ import annotations

from importlib import resources

from lre.errors import UnknownNameError
from lre.scorer.scorer import Scorer

__all__ = ["shipped"]


def shipped(name: str) -> Scorer:
    """Load a scorer that comes with the package: ``agent``, ``agent-paper`` or ``chat``.

    >>> shipped("agent").card["label"]
    'need'

    Raises
    ------
    UnknownNameError
        If no such scorer ships; the message lists those that do.
    """
    folder = resources.files("lre.models")
    file = folder / f"{name}.json"
    if not file.is_file():
        names = [item.name.removesuffix(".json") for item in folder.iterdir()]
        raise UnknownNameError("scorer", name, [n for n in names if not n.startswith("_")])
    return Scorer.from_json(file.read_bytes(), f"{name}.json")
