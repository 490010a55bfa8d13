"""State features of identifiers: how one has been used so far."""

from __future__ import annotations

import numpy as np

from lre.features.feature import Floats, flag, identifier_feature, share
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


@identifier_feature()
def lifetime(s: Standing) -> Floats:
    """Log of one plus the units since the first that carries it."""
    return np.log1p(s.lifetime)


@identifier_feature(high=1)
def nearness(s: Standing) -> Floats:
    """One over the units since the last that carries it, six at least: the nearer are not asked."""
    return 1 / np.maximum(1 + s.age, 6)
