"""Words of a batch of texts as numbers: one pass over the bytes, in NumPy.

A word is a run of letters, digits, underscores and bytes above 127, in which `. / @ -` may
stand between two such bytes: ``src/lre/x.py`` and ``mia@b.org`` are one word each. A CJK
character is a word of its own, since such text has no blanks. Words are folded to lower case
and hashed to 40 bits from their first 56 bytes, their last 8 and their length: exact up to
64 bytes, and no time is lost on base64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "CAPITAL",
    "DIGIT",
    "FREE",
    "INNER",
    "JOINED",
    "LONG",
    "UNDERSCORE",
    "Words",
    "lex",
    "pack",
    "word_hash",
]

Bytes = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.uint64]

# Marks of a word: first capital, digit, underscore, one of `. / @` inside, capital inside,
# no JSON key, four bytes or more. Classes of a byte: the first four, and three of their own.
CAPITAL, DIGIT, UNDERSCORE, JOINED, INNER, FREE, LONG = 1, 2, 4, 8, 16, 32, 64
_HYPHEN, _WORD, _WIDE = 32, 64, 128
_MARKS = CAPITAL | DIGIT | UNDERSCORE | JOINED

PAD = 64  # zero bytes around the batch, so that a word can be read without bounds checks
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HEAD = 56
_KEEP = np.array([(1 << (8 * k)) - 1 for k in range(9)], dtype=np.uint64)


def _classes() -> Bytes:
    table = np.zeros(256, dtype=np.uint8)
    table[ord("0") : ord("9") + 1] = _WORD | DIGIT
    table[ord("a") : ord("z") + 1] = _WORD
    table[ord("A") : ord("Z") + 1] = _WORD | CAPITAL
    table[ord("_")] = _WORD | UNDERSCORE
    table[128:] = _WORD
    table[0xE3:0xEA] = _WORD | _WIDE  # lead bytes of U+3000 to U+9FFF
    table[[ord(c) for c in "./@"]] = JOINED
    table[ord("-")] = _HYPHEN
    return table


_CLASS = _classes()
_FOLD = bytes(c + 32 if 65 <= c <= 90 else c for c in range(256))


class Words(NamedTuple):
    """All words of a batch, in order: the text each is in, its hash, its marks."""

    text: npt.NDArray[np.int64]
    hash: Hashes
    marks: Bytes


def pack(texts: Sequence[bytes]) -> tuple[bytes, npt.NDArray[np.int64]]:
    """Lay texts end to end, a zero byte after each, and give where each ends (exclusive)."""
    padding = bytes(PAD)
    ends = np.cumsum([len(t) + 1 for t in texts], dtype=np.int64) + PAD
    return b"".join((padding, b"\0".join(texts), padding, b"\0")), ends


def lex(packed: bytes, ends: npt.NDArray[np.int64]) -> Words:
    """Find the words of a packed batch; linear in its bytes.

    >>> words = lex(*pack([b"Pay order_17 now", b"pay"]))
    >>> words.text.tolist(), words.marks.tolist()
    ([0, 0, 0, 1], [33, 102, 32, 32])
    >>> bool(words.hash[0] == words.hash[3])
    True
    """
    raw = np.frombuffer(packed, dtype=np.uint8)
    classes = _CLASS[raw]
    starts, stops = _bounds(classes)
    folded = np.frombuffer(packed.translate(_FOLD), dtype=np.uint8)
    text = np.repeat(np.arange(len(ends)), np.diff(np.searchsorted(starts, ends), prepend=0))
    return Words(text, _hash(folded, starts, stops), _marks(raw, classes, starts, stops))


def _bounds(classes: Bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where words start and stop; joiners count only between two word bytes."""
    word = classes >= _WORD
    joiner = (classes != 0) ^ word
    inner = joiner[1:-1] & word[:-2] & word[2:]
    word[1:-1] |= inner
    classes[~word] = 0
    change = word[1:] != word[:-1]
    wide = classes >= _WIDE
    if wide.any():  # a CJK character takes three bytes and is a word of its own
        change |= wide[1:]
        change[2:] |= wide[:-3] & word[3:]
    bounds = np.flatnonzero(change) + 1
    first = np.flatnonzero(word[bounds])
    return bounds[first], bounds[first + 1]


def _hash(folded: Bytes, starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> Hashes:
    eight = np.ndarray(len(folded) - 7, dtype="<u8", buffer=folded.data, strides=(1,))
    length = stops - starts
    value: Hashes = (eight[starts] & _KEEP[np.minimum(length, 8)]) * _STEP
    value ^= value >> np.uint64(29)
    more = np.flatnonzero(length > 8)
    for offset in range(8, _HEAD, 8):
        if not len(more):
            break
        rest = length[more] - offset
        piece = eight[starts[more] + offset] & _KEEP[np.minimum(rest, 8)]
        value[more] = _stir(value[more], piece)
        more = more[rest > 8]
    if len(more):
        value[more] = _stir(value[more], eight[stops[more] - 8])
    value = (value ^ length.astype(np.uint64)) * _MIX
    value >>= np.uint64(24)
    return value


def _stir(value: Hashes, piece: Hashes) -> Hashes:
    stirred: Hashes = (value ^ piece) * _STEP
    stirred ^= stirred >> np.uint64(29)
    return stirred


def _marks(
    raw: Bytes,
    classes: Bytes,
    starts: npt.NDArray[np.int64],
    stops: npt.NDArray[np.int64],
) -> Bytes:
    if not len(starts):
        return np.zeros(0, dtype=np.uint8)
    first = classes[starts] & CAPITAL
    classes &= _MARKS
    classes[starts] &= ~np.uint8(CAPITAL)
    marks: Bytes = np.bitwise_or.reduceat(classes, starts)
    inner = marks & np.uint8(CAPITAL)  # a capital after the first byte
    key = (raw[stops] == ord('"')) & (raw[stops + 1] == ord(":"))
    marks ^= inner
    marks |= first
    marks |= inner * np.uint8(INNER)
    marks |= ~key * np.uint8(FREE)
    marks |= (stops - starts >= 4) * np.uint8(LONG)
    return marks


def word_hash(word: str) -> int:
    """Hash one word, to look for it among a batch's hashes.

    >>> word_hash("Error") == word_hash("error")
    True
    """
    return int(lex(*pack([word.encode("utf-8", "surrogatepass")])).hash[0])
