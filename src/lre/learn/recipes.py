"""What can be learnt from logs, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from lre.features import FEATURES
from lre.learn.conversations import Chat
from lre.learn.dataset import Watch, at_moments, once
from lre.learn.train import Recipe
from lre.policies.lre_paper import FEATURES as PAPER_FEATURES
from lre.scorer import Scorer
from lre.traces import Trace

__all__ = ["AGENT", "RECIPES", "Learner", "Lesson"]


class Lesson(Protocol):
    """What was learnt from; `about` counts it for the card, and names the label."""

    def about(self) -> Mapping[str, Any]:
        """Count sessions, units and rows."""
        ...

    def held_out(self) -> Mapping[str, Any]:
        """Judge on folds that were not learnt from."""
        ...

    def scorer(self, card: Mapping[str, Any] | None = None) -> Scorer:
        """Fit to everything."""
        ...


class Learner(Protocol):
    """Knows how to learn from traces; those of one group stand or fall together in folds."""

    def learn(self, traces: Sequence[Trace], groups: Sequence[int], watch: Watch = iter) -> Lesson:
        """Read what there is to learn from; `watch` sees how far that has come."""
        ...

    def wordless(self) -> Learner:
        """Give the same, with no single words in the file."""
        ...


_OF_IDENTIFIERS = tuple(name for name, one in FEATURES.items() if one.about == "identifier")

AGENT: Mapping[str, Recipe] = {
    "agent": Recipe(_OF_IDENTIFIERS, at_moments("need"), "need"),
    "agent-paper": Recipe(PAPER_FEATURES, once, "reuse"),
}
"""`agent` makes scorers for the policy `lre`, `agent-paper` for `lre-paper`."""

RECIPES: Mapping[str, Learner] = {**AGENT, "chat": Chat()}
"""All recipes; `chat` makes scorers for `lre-chat`."""
