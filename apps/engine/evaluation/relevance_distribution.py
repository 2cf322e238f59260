"""Relevance distribution: sure pages, hopeless ones, and those in between (AFC §3.3, Fig. 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.model import Floats, Longs

BINS = 10


def relevance_distribution(
    probabilities: Sequence[float] | Floats, bins: int = BINS
) -> tuple[Floats, Longs]:
    """The edges (bins + 1, from 0 to 1) and how many pages have a P(c|u) in each interval.

    An interval holds its lower edge; the last one holds 1 too. **Erratum** (AFC §3.3, Fig. 5): its
    Fig. 4 has 15,710 to 37,000 pages a topic and .31 to .91 good ones, not 15,000 to 25,000 and
    .25 to .6. Raises ValueError for a value
    that is not a probability.
    """
    values = np.asarray(probabilities, np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("probabilities lie between 0 and 1")
    # Not NumPy's own edges: its seventh tenth is a little more than 0.7.
    edges = np.arange(bins + 1) / bins
    return edges, np.histogram(values, edges)[0].astype(np.int64)
