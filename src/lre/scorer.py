"""The scorer: standardised features in, probability out; a few KB of versioned JSON.

Loading is parse → check → build, so that a file that is cut, foreign or from the future gets
one clear line instead of wrong scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lre.errors import ScorerFileError, UnknownNameError
from lre.features import FEATURES, Moment, Standing

__all__ = ["FORMAT", "VERSION", "Scorer", "shipped"]

Floats = npt.NDArray[np.float64]

FORMAT = "lre-scorer"
VERSION = 1
_HUGE = 1e12


@dataclass(frozen=True)
class Scorer:
    """A logistic regression over named features.

    `mean`, `scale` and `weight` have shape ``(len(features),)``; `card` says what it was
    trained on, how well it does on held-out sessions, and with which command.

    >>> scorer = Scorer(("recency", "acts"), np.zeros(2), np.ones(2), np.array([-1.0, 2.0]), 0.5)
    >>> scorer.probabilities(np.array([[0.5, 0.0], [0.5, 1.0]])).round(3).tolist()
    [0.5, 0.881]
    >>> scorer.explain(np.array([0.5, 1.0]))
    [('acts', 2.0), ('recency', -0.5)]
    """

    features: tuple[str, ...]
    mean: Floats
    scale: Floats
    weight: Floats
    bias: float
    card: Mapping[str, Any] = field(default_factory=dict)

    def probabilities(self, values: Floats) -> Floats:
        """Score rows: `values` has shape ``(rows, len(features))``; the result lies in [0, 1]."""
        return self._weigh(values.T, len(values))

    def of(self, seen: Moment | Standing) -> Floats:
        """Score all that is seen, a feature at a time: no matrix, and the very same numbers."""
        return self._weigh((FEATURES[name].of(seen) for name in self.features), seen.size)

    def _weigh(self, columns: Iterable[Floats], rows: int) -> Floats:
        logits = np.full(rows, self.bias)
        terms = zip(columns, self.mean, self.scale, self.weight, strict=True)
        for column, mean, scale, weight in terms:
            logits += (column - mean) / scale * weight
        odds = np.exp(-np.abs(logits))
        positive: Floats = np.where(logits >= 0, 1, odds) / (1 + odds)
        return positive

    def explain(self, values: Floats) -> list[tuple[str, float]]:
        """Split one row's logit by feature, the weightiest first; the sum lacks only the bias."""
        parts = (values - self.mean) / self.scale * self.weight
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(self.features[i], float(parts[i])) for i in order]

    def to_json(self) -> str:
        """Write as text: one line a feature, six significant digits."""
        columns = zip(self.features, self.mean, self.scale, self.weight, strict=True)
        rows = [
            json.dumps([name, *(float(f"{v:.6g}") for v in values)]) for name, *values in columns
        ]
        head = {"format": FORMAT, "version": VERSION, "card": dict(self.card)}
        start = json.dumps(head, ensure_ascii=False)[:-1]
        bias = float(f"{self.bias:.6g}")
        return f'{start},\n"bias": {bias},\n"features": [\n' + ",\n".join(rows) + "\n]}\n"

    @classmethod
    def from_json(cls, text: str | bytes, where: str = "scorer") -> Scorer:
        """Read what `to_json` wrote.

        Raises
        ------
        ScorerFileError
            If the text is no scorer, or one of a later version.
        """
        data = _parse(text, where)
        rows = _check(data, where)
        mean, scale, weight = np.array([row[1:] for row in rows], dtype=np.float64).T
        names = tuple(row[0] for row in rows)
        return cls(names, mean, scale, weight, float(data["bias"]), data.get("card", {}))

    def save(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Scorer:
        """Read a file.

        Raises
        ------
        ScorerFileError
            If there is no such file, or it holds no scorer of this version.
        """
        try:
            return cls.from_json(Path(path).read_bytes(), str(path))
        except OSError as error:
            raise ScorerFileError(
                f"cannot be read ({error.strerror})", where=str(path), remedy="check the path"
            ) from error


def shipped(name: str) -> Scorer:
    """Load a scorer that comes with the package: ``agent`` or ``agent-paper``.

    >>> shipped("agent").card["label"]
    'need'

    Raises
    ------
    UnknownNameError
        If no such scorer ships; the message lists those that do.
    """
    folder = resources.files("lre.models")
    file = folder / f"{name}.json"
    if not file.is_file():
        names = [item.name.removesuffix(".json") for item in folder.iterdir()]
        raise UnknownNameError("scorer", name, [n for n in names if not n.startswith("_")])
    return Scorer.from_json(file.read_bytes(), f"{name}.json")


def _parse(text: str | bytes, where: str) -> Mapping[str, Any]:
    remedy = "give a file that `lre train` wrote"
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScorerFileError("is no JSON, or cut", where=where, remedy=remedy) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ScorerFileError("is no lre scorer", where=where, remedy=remedy)
    version = data.get("version")
    if not isinstance(version, int) or version > VERSION or version < 1:
        raise ScorerFileError(
            f"has version {version!r}, this lre reads up to {VERSION}",
            where=where,
            remedy="upgrade lre, or train again",
        )
    return data


def _check(data: Mapping[str, Any], where: str) -> Sequence[Any]:
    """Give the rows ``[name, mean, scale, weight]`` once everything is in order."""
    rows = data.get("features")
    sound = (
        isinstance(rows, list)
        and rows
        and all(isinstance(row, list) and len(row) == 4 and isinstance(row[0], str) for row in rows)
        and all(_sane(value) for row in rows for value in row[1:])
        and all(row[2] > 1 / _HUGE for row in rows)
        and len({row[0] for row in rows}) == len(rows)
        and _sane(data.get("bias"))
        and isinstance(data.get("card", {}), dict)
    )
    if not sound or not isinstance(rows, list):
        raise ScorerFileError("is damaged", where=where, remedy="train again, or restore the file")
    for name in (row[0] for row in rows):
        if name not in FEATURES:
            raise ScorerFileError(
                f"knows a feature {name!r} that this lre does not have",
                where=where,
                remedy="upgrade lre, or train again",
            )
    return rows


def _sane(value: object) -> bool:
    """Tell whether it is a number with which no sum of products overflows."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and -_HUGE < value < _HUGE  # type: ignore[operator]
