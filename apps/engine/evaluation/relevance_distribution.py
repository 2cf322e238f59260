"""Relevance distribution: a histogram of the pages' probabilities (AFC §3.3, Fig. 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.model import Floats, Longs

BINS = 10


def relevance_distribution(
    probabilities: Sequence[float] | Floats, bins: int = BINS
) -> tuple[Floats, Longs]:
    """The edges (bins + 1, from 0 to 1), and the number of pages with P(c|u) in each interval.

    An interval includes its lower edge; the last one also includes 1. **Erratum** (AFC §3.3, Fig.
    5): Fig. 4 has 15,710 to 37,000 pages per topic and .31 to .91 good ones, not 15,000 to 25,000
    and .25 to .6. Raises ValueError for a value outside [0, 1].
    """
    values = np.asarray(probabilities, np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("probabilities lie between 0 and 1")
    # Not NumPy's edges: its 7/10 is slightly greater than 0.7.
    edges = np.arange(bins + 1) / bins
    return edges, np.histogram(values, edges)[0].astype(np.int64)
