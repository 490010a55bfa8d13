"""State features: what has become of a unit by the moment of decision."""

from __future__ import annotations

import numpy as np

from lre.features.feature import PAPER, Floats, feature, share
from lre.features.moment import Moment


@feature("state", PAPER, high=1)
def position(m: Moment) -> Floats:
    """Its place among the units, from 0 to below 1."""
    return m.place / max(m.size, 1)


@feature("state")
def age(m: Moment) -> Floats:
    """Log of one plus the units after it."""
    return np.log1p(m.age)


@feature("state")
def reuse(m: Moment) -> Floats:
    """Log of one plus the later units with the most re-used identifier that it introduced."""
    return np.log1p(m.reuse)


@feature("state")
def reused(m: Moment) -> Floats:
    """Log of one plus the identifiers that it introduced and later units re-used."""
    return np.log1p(m.reused)


@feature("state")
def idle(m: Moment) -> Floats:
    """Log of one plus the units since one of its identifiers, or itself, was last there."""
    return np.log1p(m.idle)


@feature("state")
def live(m: Moment) -> Floats:
    """Log of one plus its identifiers that one of the latest five units has."""
    return np.log1p(m.live)


@feature("state")
def sole(m: Moment) -> Floats:
    """Log of one plus its identifiers that no later unit has."""
    return np.log1p(m.sole)


@feature("state", high=1)
def sole_share(m: Moment) -> Floats:
    """Share of its identifiers that no later unit has."""
    return share(m.sole, m.sum("identifiers"))
