"""A growing sparse matrix: its entries as (row, column, value), in order of addition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apps.engine.intelligence.growing import Growing
from apps.engine.model import Floats, Ints, Longs


class Triplets:
    """Entries of a growing sparse matrix, 12 bytes each; duplicates add up."""

    def __init__(self) -> None:
        self._parts = {
            "row": Growing(np.int32),
            "column": Growing(np.int32),
            "value": Growing(np.float32),
        }

    def __len__(self) -> int:
        return len(self._parts["column"])

    def add(self, row: ArrayLike, column: Ints | Longs, value: ArrayLike) -> None:
        """Appends one entry per `column`; `row` and `value` have one value each, or one for all."""
        self._parts["row"].extend(row, len(column))
        self._parts["column"].extend(column, len(column))
        self._parts["value"].extend(value, len(column))

    def entries(self) -> tuple[Longs, Longs, Floats]:
        """Rows, columns and values of all entries."""
        row, column, value = (part.array() for part in self._parts.values())
        return row.astype(np.int64), column.astype(np.int64), value.astype(np.float64)

    def state(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The entries as three arrays whose names begin with `prefix`."""
        return {f"{prefix}_{name}": part.array().copy() for name, part in self._parts.items()}

    def restore(self, prefix: str, state: Mapping[str, NDArray[Any]]) -> None:
        """Restores what `state` returned for the same prefix."""
        for name, part in self._parts.items():
            part.restore(state[f"{prefix}_{name}"])
