"""Words that say what kind of text they stand in."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from lre.features.index import WordIndex
from lre.features.lexer import word_hashes

__all__ = ["CATEGORIES", "plant"]

CATEGORIES = {"errors": 1, "code": 2, "urls": 4}
"""Bits of a word's category, by the name under which its words are counted."""

_WORDS = {
    "errors": """
        abort aborted assertionerror attributeerror cannot crash crashed denied enoent error
        errors exception exceptions fail failed fails failure failures fatal filenotfounderror
        forbidden importerror indexerror invalid keyerror modulenotfounderror nameerror
        notimplementederror oserror panic permissionerror refused rejected runtimeerror segfault
        syntaxerror timeout traceback typeerror unauthorized undefined unsuccessful valueerror
    """,
    "code": """
        async await bool catch class const def elif else enum except finally fn for func function
        if impl import int interface lambda let namespace none null package print private public
        raise return self static str struct super switch this throw try typeof var void while
        yield
    """,
    "urls": "http https www ftp",
}


def plant(index: WordIndex) -> npt.NDArray[np.uint8]:
    """Give the lexicon the first rows of an empty index; the categories of these rows.

    >>> set(plant(WordIndex()).tolist()) == set(CATEGORIES.values())
    True
    """
    category = _categories()
    rows = index.rows(np.array(list(category), dtype=np.uint64))
    table = np.zeros(len(index), dtype=np.uint8)
    table[rows] = list(category.values())
    return table


@cache
def _categories() -> dict[int, int]:
    """Hash the words once, however many histories there are."""
    category: dict[int, int] = {}
    for name, words in _WORDS.items():
        for word in word_hashes(words.split()):
            category[word] = category.get(word, 0) | CATEGORIES[name]
    return category
