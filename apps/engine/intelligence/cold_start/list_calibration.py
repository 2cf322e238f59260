"""Calibrates the probabilities that a list of pages shows by a person's labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import Sigmoid, logistic
from apps.engine.intelligence.cold_start.word_guide import OFFSET, SLOPE
from apps.engine.model import Floats

SLOPE_SPREAD, OFFSET_SPREAD = 0.5, 1.5
STEPS = 20
HALVINGS = 30


def calibrate(deviations: Floats, relevant: NDArray[np.bool_]) -> Sigmoid:
    """The most likely P = σ(slope·d + offset) of labelled pages, for a guide's scores d in standard
    deviations, with normal priors of 1.5 ± .5 and −2 ± 1.5.

    Without labels these are the guide's own odds. The scores should be of guides that have not
    learned from these labels. Newton's method, whose steps are halved until they lead upwards: the
    posterior has one maximum.
    """
    prior = np.array([SLOPE, OFFSET])
    precision = np.diag([SLOPE_SPREAD**-2, OFFSET_SPREAD**-2])
    rows = np.column_stack((deviations, np.ones(len(deviations))))

    def loss(at: Floats) -> float:
        odds, apart = rows @ at, at - prior
        return float(np.logaddexp(0, odds).sum() - odds @ relevant + apart @ precision @ apart / 2)

    fitted = prior.copy()
    for _ in range(STEPS):
        chances = logistic(rows @ fitted)
        slope = rows.T @ (chances - relevant) + precision @ (fitted - prior)
        curvature = (rows * (chances * (1 - chances))[:, None]).T @ rows + precision
        fitted = _lower(loss, fitted, np.linalg.solve(curvature, slope))
    return Sigmoid(float(fitted[0]), float(fitted[1]))


def _lower(loss: Callable[[Floats], float], at: Floats, step: Floats) -> Floats:
    """The point at the longest of the halved steps whose loss is less; `at` itself if none is."""
    points = (at - share * step for share in 0.5 ** np.arange(HALVINGS))
    return next((point for point in points if loss(point) < loss(at)), at)
