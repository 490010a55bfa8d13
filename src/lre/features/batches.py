"""Texts in batches that suit NumPy, and the words of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from lre.features.kernel import kernel
from lre.features.lexer import Words, pack

__all__ = ["batches", "distinct_words"]

Keys = npt.NDArray[np.uint64]

_BATCH = 1 << 19  # bytes: large enough for NumPy, small enough for the cache
_PIECE = 1 << 20  # bytes: a longer text is read in pieces, to bound the memory


def batches(texts: Iterable[str]) -> Iterator[list[bytes]]:
    """Encode and group texts; each counts 16 bytes at least, so that 16 bits can number them."""
    batch: list[bytes] = []
    size = 0
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        if batch and size + len(encoded) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(encoded)
        size += len(encoded) + 16
    if batch:
        yield batch


def distinct_words(texts: Sequence[bytes]) -> Words:
    """Find the words of a batch, its keys sorted and each word once a text."""
    if len(texts) > 1 or len(texts[0]) <= _PIECE:
        found = kernel()(*pack(texts))
        return found._replace(keys=_distinct(np.sort(found.keys)))
    pieces = [distinct_words([piece]) for piece in _pieces(texts[0])]
    keys, *counts = zip(*pieces, strict=True)
    return Words(_distinct(np.sort(np.concatenate(keys))), *(np.sum(c, axis=0) for c in counts))


def _pieces(text: bytes) -> Iterator[bytes]:
    """Cut a long text, if possible after a blank or line break, so that no word is torn."""
    begin = 0
    while begin < len(text):
        end = begin + _PIECE
        if end < len(text):
            cut = max(text.rfind(sign, end - _PIECE // 4, end) for sign in (b" ", b"\n"))
            end = cut + 1 if cut > 0 else end
        yield text[begin:end]
        begin = end


def _distinct(keys: Keys) -> Keys:
    """Of keys with the same hash and text keep the last, which has the most marks."""
    kept: Keys = keys[np.append(keys[1:] >> 8 != keys[:-1] >> 8, True)[: len(keys)]]
    return kept
