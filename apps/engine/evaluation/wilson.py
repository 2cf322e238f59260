"""Wilson's score interval of a share."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson_interval(hits: float, trials: float) -> tuple[float, float] | None:
    """Between which shares the true one lies, in 95 of 100 cases; None without trials."""
    if not trials:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, spread = min(1.0, hits / trials), z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
