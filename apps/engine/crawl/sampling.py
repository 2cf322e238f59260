"""After which pages a sample is taken: seldom in a long crawl, so that their number stays small."""

from __future__ import annotations

DENSE_PAGES, DENSE_SAMPLES = 10_000, 1_000


def is_sampled(page: int, every: int) -> bool:
    """Whether a sample is taken after this page, counted from 1.

    One is taken every `every` pages at first. Beyond 10,000 pages, or 1,000 samples if that is
    later, the pages between two samples double each time that the crawl has doubled.
    """
    end = max(DENSE_PAGES, DENSE_SAMPLES * every)
    while page > end:
        end, every = 2 * end, 2 * every
    return page % every == 0
