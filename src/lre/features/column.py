"""A NumPy array that grows at its end."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["Column"]

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Column(Generic[_Scalar]):
    """Values end to end; room is made ahead, so that adding is cheap.

    >>> column = Column(np.int32)
    >>> column.extend([1, 2])
    >>> column.values.tolist(), len(column)
    ([1, 2], 2)
    """

    def __init__(self, kind: type[_Scalar]) -> None:
        self._array: npt.NDArray[_Scalar] = np.zeros(0, dtype=kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> npt.NDArray[_Scalar]:
        """What was added so far: a view that can be written to."""
        return self._array[: self._size]

    def extend(self, values: Any) -> None:
        """Add values at the end."""
        size = self._size + len(values)
        self._reserve(size)
        self._array[self._size : size] = values
        self._size = size

    def reach(self, size: int, fill: int = 0) -> None:
        """Add `fill` until there are at least `size` values."""
        if size > self._size:
            self._reserve(size)
            self._array[self._size : size] = fill
            self._size = size

    def _reserve(self, size: int) -> None:
        """Make room for half as many more than there are, if `size` values do not fit."""
        if size > len(self._array):
            wider = np.empty(max(size, len(self._array) * 3 // 2), self._array.dtype)
            wider[: self._size] = self.values
            self._array = wider
