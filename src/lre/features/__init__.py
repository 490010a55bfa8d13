"""Features of units.

`Prefix` counts messages once, a `Moment` reads units off it, and the table names what can be
asked of a moment.
"""

from lre.features.facts import reading
from lre.features.feature import Feature
from lre.features.moment import Moment
from lre.features.prefix import Prefix
from lre.features.table import FEATURES, matrix

__all__ = ["FEATURES", "Feature", "Moment", "Prefix", "matrix", "reading"]
