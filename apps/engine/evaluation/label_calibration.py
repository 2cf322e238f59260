"""Corrects the judges' chances by a person's labels: their bias, and its drift over the crawl.

Judges that were trained on a topic's examples take many pages near it for relevant, the more of
them the farther a crawl goes. With few labels a logistic regression of two numbers can correct
both: the log-odds of a page that the judges give the chance p, fetched by request t, become
ln(p/(1 − p)) + a + b·ln(t/t̄), with the prior a ~ N(0, 4²), b ~ N(0, 2²).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import log_odds, logistic
from apps.engine.model import Floats, Longs

FEWEST_LABELS = 5
SPREADS = np.array([4.0, 2.0])
SUREST = 0.997
STEPS = 50
LONGEST_STEP = 2.0
CARRIED = 0.25
"""The share of the correction's own variance that counts. Most of it concerns fetched and
future pages alike, and cancels in their share. Chosen, as the spreads, on eight topics of
wikispeedia and eight of a made web of many hosts."""


def calibrate(
    chances: Floats,
    times: Longs,
    labelled: Longs,
    truth: NDArray[np.bool_],
    late: NDArray[np.bool_],
) -> tuple[Floats, float]:
    """The corrected chances of pages fetched by the requests `times`, of which those at the
    indices `labelled` have the labels `truth`; and the variance of their sum over the `late`
    pages."""
    offset = log_odds(np.clip(chances, 1 - SUREST, SUREST))
    rows = np.column_stack((np.ones(len(times)), np.log(times / times.mean())))
    weights, curvature = _fitted(rows[labelled], offset[labelled], truth)
    corrected = logistic(offset + rows @ weights)
    spread = corrected * (1 - corrected)
    unlabelled = late.copy()
    unlabelled[labelled] = False
    slope = rows[unlabelled].T @ spread[unlabelled]
    of_fit = float(slope @ np.linalg.solve(curvature, slope))
    return corrected, float(spread[unlabelled].sum()) + CARRIED * of_fit


def _fitted(
    rows: NDArray[np.float64], offset: Floats, truth: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.float64]]:
    """The most probable two numbers and the curvature there, by damped Newton steps."""
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        predicted = logistic(offset + rows @ weights)
        slope = rows.T @ (predicted - truth) + weights / SPREADS**2
        curvature = (rows * (predicted * (1 - predicted))[:, None]).T @ rows + np.diag(SPREADS**-2)
        step = np.linalg.solve(curvature, slope)
        weights -= step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-12))
    return weights, curvature
