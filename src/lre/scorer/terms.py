"""What single words add to a score, beside the features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lre.features import Words, word_hashes

__all__ = ["Terms"]

Floats = npt.NDArray[np.float64]
Hashes = npt.NDArray[np.uint64]


def _none() -> Hashes:
    return np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True)
class Terms:
    """Words and their weights; a unit adds up the weights of its words, over √(distinct words).

    `hashes` are ascending, `weights` and `words` (how they are spelt, where that is known) go
    with them.

    >>> terms = Terms.of({"oslo": 3.0})
    >>> hashes = np.array(word_hashes(["Oslo", "in"]), dtype=np.uint64)
    >>> said = Words(unit=np.array([0, 0]), hash=hashes, types=np.array([4.0]))
    >>> terms.add(said).tolist(), terms.explain(said)
    ([1.5], [[('oslo', 1.5)]])
    """

    hashes: Hashes = field(default_factory=_none)
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, weights: Mapping[str, float]) -> Terms:
        """Make terms of words; of two that are the same but for case the last counts."""
        named = dict(zip(word_hashes(weights), weights, strict=True))
        order = sorted(named)
        words = tuple(named[one] for one in order)
        found = np.array([weights[word] for word in words], dtype=np.float64)
        return cls(np.array(order, dtype=np.uint64), found, words)

    def named(self, spelt: Mapping[int, str]) -> Terms:
        """Spell the words, by their hashes; those that are not spelt are left out."""
        pairs = zip(self.hashes.tolist(), self.weights.tolist(), strict=True)
        return Terms.of({spelt[one]: weight for one, weight in pairs if one in spelt})

    def __len__(self) -> int:
        return len(self.hashes)

    def spelt(self) -> dict[str, float]:
        """Give the weights by word, the weightiest first; what has no spelling is left out."""
        pairs = zip(self.words, self.weights.tolist(), strict=False)
        return dict(sorted(pairs, key=lambda pair: (-abs(pair[1]), pair[0])))

    def add(self, said: Words) -> Floats:
        """Give what its words add to each unit: shape ``(units,)``."""
        _, parts = self._parts(said)
        return np.bincount(said.unit, parts, len(said.types)).astype(np.float64)

    def explain(self, said: Words) -> list[list[tuple[str, float]]]:
        """List what each word added to each unit, the weightiest first; by hash, if not spelt."""
        words = self.words or [f"#{one:x}" for one in self.hashes.tolist()]
        place, parts = self._parts(said)
        found: list[list[tuple[str, float]]] = [[] for _ in said.types]
        order = np.argsort(-np.abs(parts), kind="stable")
        for at in order[: np.count_nonzero(parts)].tolist():
            found[said.unit[at]].append((words[place[at]], float(parts[at])))
        return found

    def _parts(self, said: Words) -> tuple[npt.NDArray[np.int64], Floats]:
        """Find each word among the terms, and what it adds; one that is none adds nothing."""
        if not len(self):
            return np.zeros(len(said.hash), np.int64), np.zeros(len(said.hash))
        place = np.minimum(np.searchsorted(self.hashes, said.hash), len(self) - 1)
        weights = np.where(self.hashes[place] == said.hash, self.weights[place], 0.0)
        return place, weights / np.sqrt(np.maximum(said.types, 1))[said.unit]
