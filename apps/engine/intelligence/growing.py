"""Arrays that grow at the end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

LEAST = 1024


class Growing:
    """A one-dimensional array for appending; its capacity doubles as needed."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._values = np.empty(LEAST, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def extend(self, values: ArrayLike, count: int | None = None) -> None:
        """Appends values, or one value `count` times."""
        count = len(np.atleast_1d(values)) if count is None else count
        size = self._size + count
        if size > len(self._values):
            self._values = np.resize(self._values, max(size, 2 * len(self._values)))
        self._values[self._size : size] = values
        self._size = size

    def array(self) -> NDArray[Any]:
        """The values, as a view that is valid until the next `extend`."""
        return self._values[: self._size]

    def restore(self, values: NDArray[Any]) -> None:
        """Replaces all values."""
        self._size = 0
        self.extend(values)
