"""`explain`: what `evict` would do, with every score taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from lre.decide import Eviction, decide
from lre.evict import Settings, prepare
from lre.policies import Explaining

__all__ = ["Explanation", "explain"]

_TOP = 3


@dataclass(frozen=True)
class Explanation:
    """An eviction, each unit's score, and what weighed most in it.

    `weights` has, for each unit, up to three pairs: an identifier and how likely it is needed
    (`lre`), or a feature and what it added to the score's logit (`lre-paper`); none where the
    policy cannot say.
    """

    eviction: Eviction
    scores: tuple[float, ...]
    weights: tuple[tuple[tuple[str, float], ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Give the receipt's plain data, `score` and `features` filled in for every unit."""
        plain = self.eviction.receipt.to_dict()
        for decision, score, weights in zip(
            plain["decisions"], self.scores, self.weights, strict=True
        ):
            decision["score"] = score
            decision["features"] = [{"name": n, "weight": w} for n, w in weights]
        return {"dialect": self.eviction.dialect, **plain}

    def __str__(self) -> str:
        """Give the receipt's table with the features in place of the words."""
        texts = [
            "  ".join(f"{name} {weight:+.2f}" for name, weight in weights)
            for weights in self.weights
        ]
        return self.eviction.receipt.table(self.scores, texts, "weighed most")


def explain(messages: Sequence[Any], **settings: Unpack[Settings]) -> Explanation:
    """Say for each unit why it would stay or go; arguments and errors as in `evict`.

    >>> chat = [{"role": "user", "content": f"Ticket T-{i}00{i}"} for i in range(9)]
    >>> explained = explain(chat, budget="80%")
    >>> len(explained.scores), len(explained.weights[0])
    (9, 1)
    """
    ledger, rules = prepare(messages, **settings)
    view = ledger.view(rules.granularity)
    policy = rules.policy
    scores = tuple(policy.score(view).tolist())
    weights: list[tuple[tuple[str, float], ...]] = [()] * len(scores)
    if isinstance(policy, Explaining):
        weights = [tuple(parts[:_TOP]) for parts in policy.explain(view)]
    return Explanation(decide(ledger, rules), scores, tuple(weights))
