"""Intrinsic features: what a unit says, against what came before it. "Words" are the lexer's."""

from __future__ import annotations

import numpy as np

from lre.features.feature import PAPER, Floats, feature, flag, share
from lre.features.moment import Moment


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


@feature("intrinsic", PAPER)
def capitals(m: Moment) -> Floats:
    """Log of one plus its distinct words that begin with a capital."""
    return np.log1p(m.sum("capitals"))


@feature("intrinsic", PAPER, high=1)
def rare(m: Moment) -> Floats:
    """Share of its distinct words that stand in at most two earlier messages."""
    return share(m.sum("rare"), m.sum("types"))


@feature("intrinsic", PAPER, high=1)
def similarity(m: Moment) -> Floats:
    """Share of its distinct words that the unit before it has too."""
    return share(m.sum("shared"), m.sum("fresh"))


@feature("intrinsic", PAPER, high=1)
def error(m: Moment) -> Floats:
    """Whether a result failed or a word speaks of an error."""
    return flag(m.sum("failed") + m.sum("errors"))


@feature("intrinsic", PAPER, high=1)
def code(m: Moment) -> Floats:
    """Whether it has three or more distinct words of program code."""
    return flag(m.sum("code") - 2)


@feature("intrinsic", PAPER, high=1)
def link(m: Moment) -> Floats:
    """Whether it has a URL or an identifier."""
    return flag(m.sum("urls") + m.sum("identifiers"))


@feature("intrinsic")
def identifiers(m: Moment) -> Floats:
    """Log of one plus its identifiers: words with a digit, `_`, `/`, `@`, inner dot or capital."""
    return np.log1p(m.sum("identifiers"))


@feature("intrinsic")
def introduced(m: Moment) -> Floats:
    """Log of one plus its identifiers that no earlier message has."""
    return np.log1p(m.sum("introduced"))


@feature("intrinsic", high=1)
def introduced_share(m: Moment) -> Floats:
    """Share of its identifiers that no earlier message has."""
    return share(m.sum("introduced"), m.sum("identifiers"))


@feature("intrinsic", high=1)
def identifier_share(m: Moment) -> Floats:
    """Share of its distinct words that are identifiers."""
    return share(m.sum("identifiers"), m.sum("types"))


@feature("intrinsic", high=1)
def novelty(m: Moment) -> Floats:
    """Share of its distinct words that no earlier message has."""
    return share(m.sum("novel"), m.sum("types"))


@feature("intrinsic")
def rarity(m: Moment) -> Floats:
    """Mean over its distinct words of log((messages so far) / (those with the word)), plus one."""
    return share(m.sum("rarity"), m.sum("types"))


@feature("intrinsic", high=1)
def variety(m: Moment) -> Floats:
    """Distinct words per word."""
    return share(m.sum("fresh"), m.sum("words"))


@feature("intrinsic")
def lines(m: Moment) -> Floats:
    """Log of one plus its line breaks."""
    return np.log1p(m.sum("lines"))


@feature("intrinsic", high=1)
def code_share(m: Moment) -> Floats:
    """Share of its distinct words that are words of program code."""
    return share(m.sum("code"), m.sum("types"))


@feature("intrinsic", high=1)
def courtesy(m: Moment) -> Floats:
    """Share of its distinct words that are pleasantries."""
    return share(m.sum("courtesy"), m.sum("types"))


@feature("intrinsic", high=1)
def question(m: Moment) -> Floats:
    """Whether it asks anything: has a question mark."""
    return flag(m.sum("questions"))


@feature("intrinsic", high=1)
def failed(m: Moment) -> Floats:
    """Whether one of its results is marked as an error."""
    return flag(m.sum("failed"))


@feature("intrinsic", high=1)
def user(m: Moment) -> Floats:
    """Whether it holds a message of the user."""
    return flag(m.sum("user"))


@feature("intrinsic", high=1)
def speech(m: Moment) -> Floats:
    """Whether the assistant speaks without calling anything."""
    return flag(m.sum("assistant")) * (1 - flag(m.sum("calls")))


@feature("intrinsic")
def calls(m: Moment) -> Floats:
    """Log of one plus its calls."""
    return np.log1p(m.sum("calls"))


@feature("intrinsic", high=1)
def media(m: Moment) -> Floats:
    """Whether it has an image or other media."""
    return flag(m.sum("media"))


@feature("intrinsic")
def depth(m: Moment) -> Floats:
    """Log of one plus the units before it."""
    return np.log1p(m.begun)
