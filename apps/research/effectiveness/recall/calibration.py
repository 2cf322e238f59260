"""How much wider the intervals of estimated recall must be to hold the truth on webs that nobody
has looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from apps.engine.evaluation.estimated_recall import INTERVAL, RecallEstimate
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.saved_result import DIGITS

FACTORS: Sequence[float] = np.geomspace(1, 10_000, 185).tolist()
"""Steps of a twentieth."""


def holds(estimate: RecallEstimate, truth: float) -> bool:
    """Whether the interval has the true share in it."""
    low, _, high = (round(end, DIGITS) for end in estimate.recall())
    return low <= round(truth, DIGITS) <= high


def factor_needed(estimate: RecallEstimate, truth: float) -> float:
    """The factor (`RecallEstimate.wider`) by which the interval must be widened to contain the
    truth; infinite if no widening makes it."""
    return next((each for each in FACTORS if holds(estimate.wider(each), truth)), math.inf)


def factor_of(results: Sequence[RecallResult], way: str) -> float:
    """The factor with which intervals hold the truth in nine of ten cases of these webs, each of
    which counts the same (conformal calibration of an interval; Romano, Patterson & Candès 2019).
    """
    needed = [
        (
            factor_needed(moment.estimates[way].estimate(), moment.fetched / topic.reachable),
            1 / len(cases),
        )
        for result in results
        for cases in [result.cases()]
        for topic, moment in cases
    ]
    needed.sort()
    shares = np.cumsum([share for _, share in needed]) / len(results)
    return needed[int(np.searchsorted(shares, INTERVAL - 1e-9))][0]
