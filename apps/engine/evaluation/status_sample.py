"""Status over a sample: where counts cost something, not every page can be asked (SL §5.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence

SIZE = 30
EVERY = 500


def status_sample(pages: int, size: int = SIZE, every: int = EVERY, seed: int = 0) -> list[int]:
    """The numbers t, from 1 and ascending, of `size` random pages of every `every` fetched.

    The last pages, where they are fewer than `every`, give as large a share of themselves. The
    draw of a stretch is the same however long the crawl goes on after it.
    """
    chosen: list[int] = []
    for first in range(1, pages + 1, every):
        stretch = range(first, min(first + every, pages + 1))
        lot = random.Random(f"{seed} {first} {len(stretch)}")
        count = min(len(stretch), round(size * len(stretch) / every))
        chosen += sorted(lot.sample(stretch, count))
    return chosen


def mean_of_sample(logs: Sequence[float | None], chosen: Sequence[int]) -> float | None:
    """The mean of ln(1 + in-links) over the chosen pages whose count is known.

    `logs` holds one value a page, in the order of fetching.
    """
    known = [value for t in chosen if (value := logs[t - 1]) is not None]
    return sum(known) / len(known) if known else None
