"""Average status over a sample of pages, for in-link counts that are expensive (SL §5.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence

SIZE = 30
EVERY = 500


def status_sample(pages: int, size: int = SIZE, every: int = EVERY, seed: int = 0) -> list[int]:
    """The numbers t (from 1, ascending) of `size` random pages out of every `every` fetched.

    If the last pages are fewer than `every`, the same share of them is drawn. The sample of a range
    does not depend on the length of the crawl.
    """
    chosen: list[int] = []
    for first in range(1, pages + 1, every):
        stretch = range(first, min(first + every, pages + 1))
        rng = random.Random(f"{seed} {first} {len(stretch)}")
        count = min(len(stretch), round(size * len(stretch) / every))
        chosen += sorted(rng.sample(stretch, count))
    return chosen


def mean_of_sample(logs: Sequence[float | None], chosen: Sequence[int]) -> float | None:
    """The mean of ln(1 + in-links) over the chosen pages that have a count.

    `logs` has one value per page, in order of fetching.
    """
    counted = [value for t in chosen if (value := logs[t - 1]) is not None]
    return sum(counted) / len(counted) if counted else None
