"""Columns of values by URL number that grow as URLs are discovered."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Floats, Ints, Longs

LEAST = 1024


class UrlColumn:
    """One float per URL number, `default` if not set. 8 bytes per URL, doubled as needed.

    The last entry is never set: it answers for every number beyond it.
    """

    def __init__(self, default: float = 0.0) -> None:
        self.default = default
        self._values = np.full(LEAST, default)
        self._size = 0

    def __len__(self) -> int:
        """One more than the largest number that was set."""
        return self._size

    def __getitem__(self, numbers: Longs | Ints) -> Floats:
        """The values of these numbers, in their order."""
        values: Floats = self._values[np.minimum(numbers, len(self._values) - 1)]
        return values

    def one(self, number: int) -> float:
        """The value of one number."""
        return float(self._values[number]) if 0 <= number < self._size else self.default

    def set(self, numbers: Longs | Ints | int, values: Floats | float) -> None:
        """Sets the values of these numbers."""
        highest = numbers if isinstance(numbers, int) else int(numbers.max(initial=-1))
        self._reserve(highest + 1)
        self._values[numbers] = values

    def array(self) -> Floats:
        """A copy of all values, by number."""
        return self._values[: self._size].copy()

    def restore(self, values: Floats) -> None:
        """Restores what `array` returned."""
        self._values = np.full(max(LEAST, len(values) + 1), self.default)
        self._values[: len(values)] = values
        self._size = len(values)

    def _reserve(self, size: int) -> None:
        if size >= len(self._values):
            larger = np.full(max(size + 1, 2 * len(self._values)), self.default)
            larger[: self._size] = self._values[: self._size]
            self._values = larger
        self._size = max(self._size, size)
