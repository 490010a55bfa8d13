"""What a feature is, and how one is declared: a function of the moment with a docstring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from lre.features.moment import Moment
from lre.features.standing import Standing

__all__ = ["OURS", "PAPER", "Feature", "Floats", "feature", "flag", "identifier_feature", "share"]

Floats = npt.NDArray[np.float64]

PAPER = "arXiv 2606.20954"
OURS = "lre"


@dataclass(frozen=True, slots=True)
class Feature:
    """One column of the table; its values lie between 0 and `high`.

    `about` says of what it is: of a unit (`of` takes a `Moment`) or of an identifier (`of` takes
    a `Standing`). `kind` "intrinsic": depends on the unit's messages and what came before each
    of them; "state": on everything that is there at the moment of decision.
    """

    name: str
    kind: Literal["intrinsic", "state"]
    high: float
    meaning: str
    source: str
    of: Callable[[Any], Floats]
    about: Literal["unit", "identifier"] = "unit"


def feature(
    kind: Literal["intrinsic", "state"], source: str = OURS, high: float = inf
) -> Callable[[Callable[[Moment], Floats]], Feature]:
    """Make a feature of a function: its name is the function's, its meaning the docstring."""

    def declare(of: Callable[[Moment], Floats]) -> Feature:
        meaning = (of.__doc__ or "").strip().rstrip(".")
        return Feature(of.__name__, kind, high, meaning, source, of)

    return declare


def identifier_feature(high: float = inf) -> Callable[[Callable[[Standing], Floats]], Feature]:
    """Make a feature of identifiers, in the same way; all of them are of the moment."""

    def declare(of: Callable[[Standing], Floats]) -> Feature:
        meaning = (of.__doc__ or "").strip().rstrip(".")
        return Feature(of.__name__, "state", high, meaning, OURS, of, "identifier")

    return declare


def share(part: Floats, whole: Floats) -> Floats:
    """Divide counts; nothing of nothing is 0.

    >>> share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    ratio: Floats = part / np.maximum(whole, 1)
    return ratio


def flag(count: Floats) -> Floats:
    """Tell whether there is any, as 0 or 1."""
    return (count > 0).astype(np.float64)
