"""Features of units, the ten of the paper: what a unit says, against what came before it.

"Words" are the lexer's.
"""

from __future__ import annotations

import numpy as np

from lre.features.feature import PAPER, Floats, feature, flag, share
from lre.features.moment import Moment


@feature("state", PAPER, high=1)
def position(m: Moment) -> Floats:
    """Its place among the units, from 0 to below 1."""
    return m.place / max(m.size, 1)


@feature("intrinsic", PAPER)
def words(m: Moment) -> Floats:
    """How many words it has, a stand-in for tokens that no counter changes."""
    return m.sum("words")


@feature("intrinsic", PAPER)
def length(m: Moment) -> Floats:
    """Log of one plus its bytes."""
    return np.log1p(m.sum("bytes"))


@feature("intrinsic", PAPER)
def digits(m: Moment) -> Floats:
    """Log of one plus its distinct words with a digit."""
    return np.log1p(m.sum("digits"))


@feature("intrinsic", PAPER, high=1)
def error(m: Moment) -> Floats:
    """Whether a result failed or a word speaks of an error."""
    return flag(m.sum("failed") + m.sum("errors"))


@feature("intrinsic", PAPER, high=1)
def code(m: Moment) -> Floats:
    """Whether it has three or more distinct words of program code."""
    return flag(m.sum("code") - 2)


@feature("intrinsic", PAPER, high=1)
def rare(m: Moment) -> Floats:
    """Share of its distinct words that stand in at most two earlier messages."""
    return share(m.sum("rare"), m.sum("types"))


@feature("intrinsic", PAPER)
def capitals(m: Moment) -> Floats:
    """Log of one plus its distinct words that begin with a capital."""
    return np.log1p(m.sum("capitals"))


@feature("intrinsic", PAPER, high=1)
def similarity(m: Moment) -> Floats:
    """Share of its distinct words that the unit before it has too."""
    return share(m.sum("shared"), m.sum("fresh"))


@feature("intrinsic", PAPER, high=1)
def link(m: Moment) -> Floats:
    """Whether it has a URL or an identifier."""
    return flag(m.sum("urls") + m.sum("identifiers"))
