"""What the learned policies share: a scorer, given or shipped."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from lre.errors import SettingError
from lre.features import FEATURES
from lre.policies.base import Origin
from lre.scorer import Scorer, shipped

__all__ = ["Scored"]


class Scored:
    """Has a `scorer`: the one given, one read from a file of `lre train`, or the one that ships."""

    name: ClassVar[str]
    ships: ClassVar[str]
    about: ClassVar[Literal["unit", "identifier"]]
    waives: ClassVar[frozenset[int]] = frozenset()
    origin: ClassVar[Origin] = Origin("lre")

    def __init__(self, scorer: Scorer | str | Path | None = None) -> None:
        self._given = scorer
        if scorer is not None:
            _ = self.scorer  # says what is wrong with it before anything is decided

    @cached_property
    def scorer(self) -> Scorer:
        """The scorer; the one that ships is loaded at first use.

        Raises
        ------
        SettingError
            If it scores something else: units instead of identifiers, or the reverse.
        """
        given = shipped(self.ships) if self._given is None else self._given
        scorer = given if isinstance(given, Scorer) else Scorer.load(given)
        for name in scorer.features:
            if name not in FEATURES or FEATURES[name].about != self.about:
                raise SettingError(
                    f"{self.name} scores by features of each {self.about}, and {name!r} is none",
                    where="scorer",
                    remedy=self._remedy(scorer),
                )
        return scorer

    def _remedy(self, scorer: Scorer) -> str:
        made = scorer.card.get("recipe")
        own = f"this one was made by the recipe {made!r}: give its policy, or " if made else ""
        return f"{own}train one with `lre train --recipe {self.ships}`"
