"""After which pages a sample is taken: seldom in a long crawl, so that their number stays small."""

from __future__ import annotations

DENSE_PAGES, DENSE_SAMPLES = 10_000, 1_000
SPARSER = 4


def is_sampled(page: int, every: int) -> bool:
    """Whether a sample is taken after this page, counted from 1.

    One is taken every `every` pages at first. Beyond 10,000 pages, or 1,000 samples if that is
    later, one is taken every 4 · `every` pages, and half as often each time that the crawl has
    doubled.
    """
    end = max(DENSE_PAGES, DENSE_SAMPLES * every)
    if page <= end:
        return page % every == 0
    step = SPARSER * every
    while page > 2 * end:
        end, step = 2 * end, 2 * step
    return page % step == 0
