"""The map of topicality and status: a two-dimensional histogram of a crawl's pages (SL Fig. 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apps.engine.model import Floats, Longs

BINS = 20


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """Counts of pages by the judge's score (rows, 0 to 1) and ln(1 + in-links) (columns).

    `counts` is bins × bins.
    """

    topicality: Floats
    status: Floats
    counts: Longs

    def densest(self, share: float = 0.9) -> Longs:
        """A mask (1) of the fewest cells that together have more than `share` of the pages."""
        order = np.argsort(-self.counts, axis=None, kind="stable")
        sums = np.cumsum(self.counts.ravel()[order])
        inside = np.zeros(self.counts.size, np.int64)
        if sums.size and sums[-1]:
            inside[order[: int(np.searchsorted(sums, share * sums[-1], side="right")) + 1]] = 1
        return inside.reshape(self.counts.shape)


def status_map(scores: Sequence[float], logs: Sequence[float], bins: int = BINS) -> StatusCounts:
    """The map of pages with the given P(c|u) by the judge and ln(1 + in-links), one of each per
    page.

    Raises ValueError if the two differ in length.
    """
    if len(scores) != len(logs):
        raise ValueError(f"{len(scores)} scores for {len(logs)} counts")
    highest = max(max(logs, default=0.0), 1.0)
    counts, topicality, status = np.histogram2d(
        np.asarray(scores, np.float64),
        np.asarray(logs, np.float64),
        bins,
        ((0.0, 1.0), (0.0, highest)),
    )
    return StatusCounts(topicality, status, counts.astype(np.int64))
