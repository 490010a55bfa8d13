"""The one table of features, and the matrix that scorers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lre.errors import UnknownNameError
from lre.features import chat, identifier, unit
from lre.features.feature import Feature, Floats
from lre.features.moment import Moment
from lre.features.standing import Standing

__all__ = ["FEATURES", "matrix"]

FEATURES: Mapping[str, Feature] = {
    entry.name: entry
    for module in (unit, chat, identifier)
    for entry in vars(module).values()
    if isinstance(entry, Feature)
}
"""Every feature by name; the page "Features" of the documentation is made from it."""


def matrix(seen: Moment | Standing, names: Sequence[str]) -> Floats:
    """Compute features of every unit, or of every identifier.

    The shape is ``(seen.size, len(names))``; all values are finite, none negative.

    Raises
    ------
    UnknownNameError
        If a name is no key of `FEATURES`.
    """
    for name in names:
        if name not in FEATURES:
            raise UnknownNameError("feature", name, FEATURES)
    values = np.empty((seen.size, len(names)))
    for column, name in enumerate(names):
        values[:, column] = FEATURES[name].of(seen)
    return values
