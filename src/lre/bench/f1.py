"""Token F1 of an answer, as SQuAD measures it."""

from __future__ import annotations

import re
import string
from collections import Counter

__all__ = ["token_f1"]

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def token_f1(answer: str, gold: str) -> float:
    """Give the harmonic mean of precision and recall over words, from 0 to 1.

    Case, ASCII punctuation and articles do not count; a text of nothing else scores 0. Source:
    Rajpurkar et al. 2016 (SQuAD, arXiv 1606.05250), ``evaluate-v1.1.py``.

    >>> token_f1("She moved to the big city.", "the City")
    0.3333333333333333
    """
    said, right = _words(answer), _words(gold)
    shared = (said & right).total()
    return 2 * shared / (said.total() + right.total()) if shared else 0.0


def _words(text: str) -> Counter[str]:
    bare = text.lower().translate(_NO_PUNCTUATION)
    return Counter(_ARTICLES.sub(" ", bare).split())
