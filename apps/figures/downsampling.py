"""Downsampling: at most a thousand points a curve, including every bucket's extremes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LIMIT = 1000


def bucket_size(count: int, limit: int = LIMIT) -> int:
    """How many samples share a bucket: the least power of two that keeps within `limit`.

    A bucket gives two points (its minimum and its maximum), and the curve's two ends are always
    kept. With powers of two, and buckets counted from the start, finished buckets do not change
    while the curve grows.
    """
    if count <= limit:
        return 1
    size = 2
    while 2 * -(-count // size) + 2 > limit:
        size *= 2
    return size


def sample_points(values: NDArray[np.float64], limit: int = LIMIT) -> NDArray[np.intp]:
    """Indices of the points to draw, ascending; unknown values (NaN) are never extremes.

    A bucket without defined values keeps its first point, so that a gap stays a gap.
    """
    count = len(values)
    size = bucket_size(count, limit)
    if size == 1:
        return np.arange(count)
    buckets = -(-count // size)
    padded = np.full(buckets * size, np.nan)
    padded[:count] = values
    table = padded.reshape(buckets, size)
    defined = ~np.isnan(table)
    starts = np.arange(buckets) * size
    least = starts + np.where(defined, table, np.inf).argmin(axis=1)
    largest = starts + np.where(defined, table, -np.inf).argmax(axis=1)
    return np.unique(np.concatenate([least, largest, [0, count - 1]]))
