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
  0 128 128 128 128 128 128 128  36 127 128 128 128 128 128   0
  0   1   0   0  78  21  46 141  10  78  21   0 115   0   0 255
  0  13  15  46  69  77  14 178   6  60  47   0 255   0  90   0
  0  10  46 130  37  32   0 171   0   0  98   0   0   0 255  38
  0   0  53  94   0  64 124  11 132 115 123   0   0 177   0   0
  0 145 118 119  94   0  25 118  68  60  27   0 104   0   0   0
  0  51  34  36  13 214   5 255  27  86  30  89   0   0   0 251
  0  93 101 216  66  28 113   0  21   0  52 255  35  67   8   0
  0  52  49  70   0 108 122  94   6  80 215 255 125  10   0 255
  0  88  68  86  61  30   2   0   0  12 190 114 161 179 209 255
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   2
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
  0   0   0   8 220 255   0 163   0  40   0   0  22   1  21   0
"""

# Row: high half of the byte; column: low half.
BYTE_PRICES = """
255 255 220 248 255 255 216 255 255  60   0 255 255   0 255 255
191 255 255 255 255 255 255 255 255 255 255   0 158 255 255 255
  0   8   0  26 129  55   0  42  69   0  44  91  97  40  25  41
 46  49  36  44  41  41  41  42  43  46  49  25  64   0  57 127
128  19  77  15  47   4  30  70  40   0  92 156   0  35   0   0
 40 178  34  39   0  15  57  42 151  32 100  48  24   5 255  68
 31  14   3   3  30   0  26  30   0   3  49  86  35  22   0   0
 10 156  11   6   7  11  65  15  85   0 133  21 129   5 107 255
  0  37  25   1   0   0  26   4  20  31  14  58   1  15  25  16
 71  26  28  63  30  32 137  60  88  16  15  66   0   0  72  69
 37  32  42 114  26  47  43   5   0   0  42  77  71   0  42   0
 48   0  24  64  32  23  25  25  18   0  33   0  26   0   0  15
  0   0  96   0 101 106   0 255 255 255 255 255 255 255  29   7
  6   0 255 255 255   0  30   7  20   0  25  84 255 255 255 255
  0   0 110  14  40   0   0 167  70 209 255  35   0  12   0  78
121   0   0   0   0   0   0   0   0   0   0   0   0   0   0   0
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

    >>> Estimate().count(["hello world", ""])
    [3, 0]
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
