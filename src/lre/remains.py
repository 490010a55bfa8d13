"""What earlier decisions left of a history: what is gone stays gone, what was cut stays cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lre.inventory import Cut
from lre.ledger import Ledger
from lre.messages import Unit

__all__ = ["Remains", "remains"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Remains:
    """The first messages of units that are gone, spans that are gone, and messages as cut.

    >>> Remains().alive([Unit((0,), "user")]).tolist()
    [True]
    """

    gone: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    cuts: Mapping[int, Cut] = field(default_factory=dict)

    def alive(self, units: Sequence[Unit]) -> Mask:
        """Tell which units are not gone: shape ``(units,)``."""
        if not self.gone:
            return np.ones(len(units), dtype=np.bool_)
        return np.array([unit.messages[0] not in self.gone for unit in units], dtype=np.bool_)

    def left(self, costs: Ints, owner: Ints, whole: Sequence[int]) -> Ints:
        """Give what units cost as they were cut; `whole` are the costs of messages as they came."""
        left = costs.copy()
        for index, cut in self.cuts.items():
            left[owner[index]] += cut.cost - whole[index]
        return left


def remains(ledger: Ledger, gone: object, lost: object) -> Remains:
    """Make up again what was left, from numbers: first messages of units, and spans.

    Raises
    ------
    TypeError, ValueError, IndexError
        If these are no numbers of this history's messages and pieces.
    """
    if not (_are_numbers(gone, len(ledger)) and isinstance(gone, list) and isinstance(lost, list)):
        raise ValueError("gone")
    if not lost:
        return Remains(frozenset(gone))
    inventory = ledger.inventory("span")
    if not _are_numbers(lost, len(inventory.slot)):
        raise ValueError("lost")
    kept = np.ones(len(inventory.slot), dtype=np.bool_)
    kept[lost] = False
    return Remains(
        frozenset(gone), frozenset(lost), inventory.cut(kept, np.ones(len(ledger), dtype=np.bool_))
    )


def _are_numbers(values: object, size: int) -> bool:
    return isinstance(values, list) and all(type(v) is int and 0 <= v < size for v in values)
