"""Features of units and of identifiers.

`Prefix` counts messages once, a `Moment` reads units off it; `Uses` follows each identifier, a
`Standing` reads how it has been used. The table names what can be asked of either.
"""

from lre.features.bags import Bags, Words
from lre.features.facts import reading
from lre.features.feature import Feature
from lre.features.lexer import word_hashes
from lre.features.moment import Moment
from lre.features.prefix import Prefix
from lre.features.standing import Standing
from lre.features.table import FEATURES, matrix
from lre.features.uses import Uses

__all__ = [
    "FEATURES",
    "Bags",
    "Feature",
    "Moment",
    "Prefix",
    "Standing",
    "Uses",
    "Words",
    "matrix",
    "reading",
    "word_hashes",
]
