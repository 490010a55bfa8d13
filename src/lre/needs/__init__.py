"""What a text carries and what an action needs: one definition for labels, oracle and replay.

An action acts with its argument values, or with the code of a text-only action (`action`). It
needs, of what came earlier in the trace and is not in the pins:

- *identifiers* of its values (`identifiers`) that occur there as tokens (`tokens`);
- *copied text*: characters of its values in stretches that stand there word for word (`CopyIndex`).

A step is an assistant's turn. How the figures of a replay count, with `Past` and `Need`:

- identifier survival: needed identifiers in view / needed, pooled over all steps;
- step survival: of the steps with a needed identifier, those with all of them in view;
- trace survival: of the traces with such a step, those in which every one survives;
- copy survival: needed characters in view / needed, pooled over all steps.

A step that needs no identifier is in neither of the first three, and one that needs no copied
text is not in the fourth; `Past.need` gives None where both are lacking.
"""

from __future__ import annotations

from lre.needs.actions import action, shown, texts
from lre.needs.copies import CopyIndex, Match, clipped
from lre.needs.identifiers import carried, identifiers, tokens
from lre.needs.intervals import Interval
from lre.needs.need import Found, InView, Need, Place
from lre.needs.past import Past
from lre.needs.values import values

__all__ = [
    "CopyIndex",
    "Found",
    "InView",
    "Interval",
    "Match",
    "Need",
    "Past",
    "Place",
    "action",
    "carried",
    "clipped",
    "identifiers",
    "shown",
    "texts",
    "tokens",
    "values",
]
