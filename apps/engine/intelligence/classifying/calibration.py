"""Platt scaling: maps margins to probabilities by a sigmoid fitted to held-out margins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Floats

PAPER_SLOPE = 1.0


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """P = 1/(1 + exp(−(slope·margin + intercept))); strictly increasing in the margin."""

    slope: float
    intercept: float

    def __call__(self, margins: Floats) -> Floats:
        return logistic(self.log_odds(margins))

    def log_odds(self, margins: Floats) -> Floats:
        """ln(P/(1 − P)) of each margin."""
        return self.slope * margins + self.intercept


def logistic(values: Floats) -> Floats:
    """1/(1 + e^−x), in [0, 1], without overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values), dtype=np.float64)


def log_odds(chances: Floats) -> Floats:
    """ln(p/(1 − p)); infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(chances) - np.log1p(-chances), dtype=np.float64)


def fit_sigmoid(
    margins: Floats, relevant: NDArray[np.bool_], weights: Floats | None = None
) -> Sigmoid:
    """Fits Platt's sigmoid by maximum likelihood of his smoothed targets.

    **Choice**: if the margins do not separate the classes, the fitted slope could be zero or
    negative and reverse the order of the frontier; then the slope is 1 (SL §4.1) and only the
    intercept is fitted.
    """
    weights = np.ones(len(margins)) if weights is None else weights
    above, below = float(weights[relevant].sum()), float(weights[~relevant].sum())
    targets = np.where(relevant, (above + 1) / (above + 2), 1 / (below + 2))
    scale = float(np.abs(margins).max(initial=0.0)) or 1.0
    slope, intercept = _most_likely(margins / scale, targets, weights, None)
    if 0 < slope / scale < math.inf:
        return Sigmoid(slope / scale, intercept)
    return Sigmoid(*_most_likely(margins, targets, weights, PAPER_SLOPE))


def _most_likely(
    margins: Floats, targets: Floats, weights: Floats, slope: float | None
) -> tuple[float, float]:
    """The slope (unless given) and intercept that minimise the weighted cross-entropy."""
    from scipy.optimize import minimize

    def loss(parameters: Floats) -> tuple[float, Floats]:
        steepness = parameters[1] if slope is None else slope
        values = steepness * margins + parameters[0]
        cost = weights @ (np.logaddexp(0, values) - targets * values)
        error = weights * (logistic(values) - targets)
        return float(cost), np.array([error.sum(), error @ margins])[: len(parameters)]

    start = np.zeros(2 if slope is None else 1)
    solution = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-8}).x
    return (float(solution[1]) if slope is None else slope), float(solution[0])
