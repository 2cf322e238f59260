"""Many parents: how the scores of several links to one URL become its priority (METHODS §4)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from apps.engine.model import Floats, Longs

ParentPolicy = Literal["max", "first", "mean", "sum"]
POLICIES: tuple[ParentPolicy, ...] = get_args(ParentPolicy)


def merged(policy: ParentPolicy, old: float, seen: int, new: float) -> float:
    """The priority once a further link has scored `new`.

    `old` is the priority from the `seen` (≥ 1) links scored before.
    """
    if policy == "max":
        return max(old, new)
    if policy == "first":
        return old
    if policy == "mean":
        return old + (new - old) / (seen + 1)
    return old + new


def combined(policy: ParentPolicy, rows: int, row: Longs, scores: Floats) -> Floats:
    """One score a row from one an edge, edges being in the order in which they were found.

    A row without an edge gets 0.
    """
    if policy == "first":
        first, position = np.unique(row, return_index=True)
        result = np.zeros(rows)
        result[first] = scores[position]
        return result
    if policy == "max":
        result = np.full(rows, -np.inf)
        np.maximum.at(result, row, scores)
        return np.where(np.isneginf(result), 0.0, result)
    total: Floats = np.bincount(row, scores, minlength=rows).astype(np.float64)
    if policy == "sum":
        return total
    return total / np.maximum(np.bincount(row, minlength=rows), 1)
