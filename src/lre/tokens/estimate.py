"""An estimate without any vocabulary: prices of bytes and of steps between kinds of bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate"]

UNIT = 128  # a token, in the integers of the two price tables
BLOCK = 1 << 18  # bytes

# Sixteen kinds, so that a step from one to the next fits in a byte. Kind 0 is 0xff, which UTF-8
# never holds: it stands between texts. Whatever is not listed is of the last kind.
KINDS: tuple[bytes, ...] = (
    b"\xff",
    b"aeiou",
    b"cdhlmnprst",
    b"bfgjkqvwxyz",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    b"0123456789",
    b" ",
    b"\t\n\v\f\r",
    b"#*+-.=_~",
    b"!\"$%&'(),/:;<>?@[\\]^`{|}",
    bytes(range(0xC2, 0xCC)),  # Latin letters with accents
    bytes(range(0xD0, 0xD4)),  # Cyrillic
    b"\xcc\xcd\xce\xcf" + bytes(range(0xD4, 0xE0)),  # Greek, Hebrew, Arabic
    b"\xe0\xe1\xe2\xee\xef\xf0\xf1\xf2\xf3\xf4",  # Indic, Thai; symbols, emoji
    bytes(range(0xE3, 0xEE)),  # kana, Chinese characters, Hangul
)

# Fitted by benchmarks/calibrate_estimate.py: docs/decisions/0002-default-token-counter.md.
# Row: kind of the byte before; column: kind of the byte.
STEP_PRICES = """
  0 128 128 128 128 128 128 128 128 128 128 128 128 128 128   0
  0   0   0   0  84  26  48 218  30  75   0   0   0   0 255 255
  0   0   4  23  67  45   0 114  16  29  42   0   0   1  84 255
  0   4  62 127  88  33   0 255   6  14 104   0   0   0   0 197
  0   0  42  50   0  37 107   0 133 116 232   0   0 133   0 176
  0 143 139 114 108   0  45 137 103  72  20 245   0   0   0  56
  0  60  40  45  15 182   2 255  64  98   0 126   0   0   0 161
  0  95 158 255  48  15 112   0   0   0  60 255 106 155  18   0
  0  90  20  40   0  72  79   0   3  70   0  73   0 156   0  59
  0  59  72 103  50  22   0   4  33   0 148 101   0  56 236 255
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   5   0 255   0 138  94  42   0   0   0   0   6   0
"""

# Row: high half of the byte; column: low half.
BYTE_PRICES = """
255 255 255 255 255 255 255 142 255  66   0  42 255   0 255 255
255 255 255 255 255 255 138 255 255 255 255 255 255  24 255 232
  0   0   6  72  54  94  32  54  38  38  53 101  94  29  29  50
 41  45  38  49  43  41  42  42  44  42  52  37   0   0  76  83
 41  32  66  52  57   0  33  51  34   0 121 105  31  39  10   0
  0 121  40  41   0  51  60  41 118  45 116  28  46 111 255  57
 38  10  25  16  31   0  25  24   5   7  83  82  42  32  14   6
 20 111  22  24  20   3  76  13  73   6 135   5 135   0 236 255
  0  11   0   0   8   0  43   0  39  33   5   5   2  36  32  16
 60  63  85  84  14  27 145  62  99  45  52  54   0   0  62 115
 12   4 106  57  27  37  19  58  21   6  43  66  13  18  34   0
 51   0  29  36  24  31  53   0  23  31   8   0  24   0  23   2
  0   0  98  29  74   0   0 255 255 255 255 255 255 255  65   0
  4   0 255 255 255   1 165  20   9  52  29  51 255 255 255 255
  0   0 160  42  33  38   0 151 160 121 255  37   0 114   0   0
 57   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
"""


def kind_table() -> bytes:
    """Give the kind of each of the 256 bytes."""
    return bytes(
        next((kind for kind, members in enumerate(KINDS) if byte in members), len(KINDS))
        for byte in range(256)
    )


_KIND = kind_table()
_STEP = bytes(map(int, STEP_PRICES.split()))
_BYTE = bytes(map(int, BYTE_PRICES.split()))


class Estimate:
    """Estimated o200k tokens, rounded up: rarely below the exact number, and linear in time.

    Every byte of the UTF-8 text has a price, and so has every step from one kind of byte to the
    next (a lower-case letter after a digit, a space after a space). The sum is an integer, so
    that a batch gives what its texts give one by one.

    >>> Estimate().count(['{"order_id": 48213, "status": "shipped"}', ""])
    [15, 0]
    """

    name = "estimate"

    def __repr__(self) -> str:
        return "Estimate()"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Give the estimated tokens of each text."""
        if not texts:
            return []
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        data = b"\xff".join([b"", *encoded, b""])
        lengths = np.fromiter(map(len, encoded), np.intp, len(encoded))
        starts = np.cumsum(lengths + 1) - lengths - 1
        tokens: list[int] = (-(-_prices(data, starts) // UNIT)).tolist()
        return tokens


def _prices(data: bytes, starts: NDArray[np.intp]) -> NDArray[np.int64]:
    """Sum the prices from each start to the next, in blocks that stay in the processor's cache."""
    sums = np.zeros(len(starts), np.int64)
    for at in range(0, len(data) - 1, BLOCK):
        block = data[at : at + BLOCK + 1]
        first = int(np.searchsorted(starts, at, "right")) - 1
        last = int(np.searchsorted(starts, at + BLOCK, "left"))
        cuts = np.maximum(starts[first:last] - at, 0)
        sums[first:last] += _summed(_steps(block).translate(_STEP), cuts)
        sums[first:last] += _summed(block[1:].translate(_BYTE), cuts)
    return sums


def _steps(data: bytes) -> bytes:
    """Give 16 times the kind before plus the kind, for each byte but the first."""
    kinds = np.frombuffer(data.translate(_KIND), np.uint8)
    steps = kinds[:-1] << 4
    steps |= kinds[1:]
    return steps.tobytes()


def _summed(prices: bytes, starts: NDArray[np.intp]) -> NDArray[np.int64]:
    return np.add.reduceat(np.frombuffer(prices, np.uint8), starts, dtype=np.int64)
