"""State features of identifiers: how one has been used so far."""

from __future__ import annotations

import numpy as np

from lre.features.feature import Floats, flag, identifier_feature, share
from lre.features.lexer import DIGIT, INNER, JOINED, UNDERSCORE
from lre.features.standing import Standing


@identifier_feature()
def spread(s: Standing) -> Floats:
    """Log of one plus the units that carry it."""
    return np.log1p(s.spread)


@identifier_feature(high=1)
def once(s: Standing) -> Floats:
    """Whether just one unit carries it."""
    return flag(2 - s.spread)


@identifier_feature()
def recency(s: Standing) -> Floats:
    """Log of one plus the units since the last that carries it."""
    return np.log1p(s.age)


@identifier_feature()
def acts(s: Standing) -> Floats:
    """Log of one plus the units that act with it."""
    return np.log1p(s.acts)


@identifier_feature(high=1)
def unacted(s: Standing) -> Floats:
    """Whether no action has it."""
    return 1 - flag(s.acts)


@identifier_feature()
def since_act(s: Standing) -> Floats:
    """Log of one plus the units since the last that acts with it, 0 if none does."""
    return np.log1p(s.idle)


@identifier_feature(high=1)
def act_share(s: Standing) -> Floats:
    """Share of the units that carry it which act with it."""
    return share(s.acts, s.spread)


@identifier_feature(high=1)
def born_acting(s: Standing) -> Floats:
    """Whether it came up in an action first."""
    return s.born_acting


@identifier_feature()
def lifetime(s: Standing) -> Floats:
    """Log of one plus the units since the first that carries it."""
    return np.log1p(s.lifetime)


@identifier_feature(high=1)
def nearness(s: Standing) -> Floats:
    """One over one plus the units since the last that carries it."""
    return 1 / (1 + s.age)


@identifier_feature()
def crowd(s: Standing) -> Floats:
    """Log of one plus the identifiers of the message that brought it up."""
    return np.log1p(s.crowd)


@identifier_feature()
def company(s: Standing) -> Floats:
    """Log of one plus the identifiers of the last message that carries it."""
    return np.log1p(s.company)


@identifier_feature(high=1)
def from_user(s: Standing) -> Floats:
    """Whether a user brought it up."""
    return s.from_user


@identifier_feature(high=1)
def from_result(s: Standing) -> Floats:
    """Whether a result brought it up."""
    return s.from_result


@identifier_feature(high=1)
def digit(s: Standing) -> Floats:
    """Whether it has a digit."""
    return s.spelt(DIGIT)


@identifier_feature(high=1)
def underscore(s: Standing) -> Floats:
    """Whether it has an underscore."""
    return s.spelt(UNDERSCORE)


@identifier_feature(high=1)
def joined(s: Standing) -> Floats:
    """Whether it has a dot, a slash or an at sign inside."""
    return s.spelt(JOINED)


@identifier_feature(high=1)
def inner_capital(s: Standing) -> Floats:
    """Whether it has a capital after its first character."""
    return s.spelt(INNER)


@identifier_feature()
def session(s: Standing) -> Floats:
    """Log of one plus the units so far."""
    return np.full(s.size, np.log1p(s.units))
