"""The published method, frozen, so that every gain is measured against it.

arXiv 2606.20954: ten causal features, label "an identifier is re-used by at least three later
steps", logistic regression, whole units, greedy by probability per token skipping what does
not fit.
"""

from __future__ import annotations

from lre.policies.lre import Lre

FEATURES = (
    "position",
    "words",
    "length",
    "digits",
    "error",
    "code",
    "rare",
    "capitals",
    "similarity",
    "link",
)


class LrePaper(Lre):
    """The paper's ten features and label; only the scorer's file differs from `lre`."""

    name = "lre-paper"
    ships = "agent-paper"
