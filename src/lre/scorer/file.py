"""The file of a scorer: versioned JSON, one line a feature.

Reading is parse → check → build, so that a file that is cut, foreign or from the future gets one
clear line instead of wrong scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lre.errors import ScorerFileError
from lre.features import FEATURES

__all__ = ["FORMAT", "LONGEST", "VERSION", "parse", "rows", "written"]

FORMAT = "lre-scorer"
VERSION = 1
_HUGE = 1e12
LONGEST = 64  # characters of a term


def written(
    features: Iterable[Sequence[Any]],
    bias: float,
    terms: Mapping[str, float],
    card: Mapping[str, Any],
) -> str:
    """Write as text, six significant digits; of a term four.

    `features` are rows of name, mean, scale and weight.
    """
    rows = [json.dumps([name, *(float(f"{v:.6g}") for v in values)]) for name, *values in features]
    head = {"format": FORMAT, "version": VERSION, "card": dict(card)}
    start = json.dumps(head, ensure_ascii=False)[:-1]
    body = f'{start},\n"bias": {float(f"{bias:.6g}")},\n"features": [\n' + ",\n".join(rows) + "\n]"
    known = {term: float(f"{weight:.4g}") for term, weight in terms.items()}
    tail = f',\n"terms": {json.dumps(known, ensure_ascii=False)}' if known else ""
    return f"{body}{tail}}}\n"


def parse(text: str | bytes, where: str) -> Mapping[str, Any]:
    """Read the object in a file.

    Raises
    ------
    ScorerFileError
        If it is no scorer, or one of a later version.
    """
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


def rows(data: Mapping[str, Any], where: str) -> Sequence[Any]:
    """Give the rows ``[name, mean, scale, weight]`` once everything is in order.

    Raises
    ------
    ScorerFileError
        If anything is not.
    """
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
        and _are_terms(data.get("terms", {}))
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


def _are_terms(found: object) -> bool:
    return isinstance(found, dict) and all(
        0 < len(term) <= LONGEST and _sane(weight) for term, weight in found.items()
    )
