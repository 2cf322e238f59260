"""The weights of parts of evidence, learned on line from the crawler's own judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.model import Floats, Longs

LAST = 2_000
FEWEST = 30
STEPS = 4
START_HOLD = 0.1
FLAT = 1e-3


class LearnedWeights:
    """A logistic regression of judgements on parts, held near the shipped weights.

    Minimises the cross-entropy of the last 2,000 judgements plus Σ hold/2·(w − shipped)², with a
    hold of 0.1 for the intercept `start`. A weight never becomes negative: a part that misleads
    loses its weight, but does not count the other way round. Nothing is learned from fewer than 30
    judgements.
    """

    def __init__(self, shipped: Floats, start: float, hold: float) -> None:
        self._shipped = np.array([*shipped, start])
        self._hold = np.array([*[hold] * len(shipped), START_HOLD])
        self._now = self._shipped.copy()
        self._parts: NDArray[np.float64] = np.zeros((LAST, len(shipped)))
        self._judgements = np.zeros(LAST)
        self._pages: Longs = np.zeros(LAST, np.int64)
        self._seen = 0

    @property
    def parts(self) -> Floats:
        """The current weights, one per part."""
        return self._now[:-1]

    @property
    def start(self) -> float:
        """The log-odds of a link without any evidence."""
        return float(self._now[-1])

    @property
    def pages(self) -> Longs:
        """The pages that it learns from now, by number."""
        return self._pages[: min(self._seen, LAST)]

    def add(self, page: int, parts: Floats, judgement: float) -> None:
        """Adds a page, the parts by which it was chosen, and its judgement in [0, 1]."""
        slot = self._seen % LAST
        self._pages[slot], self._parts[slot], self._judgements[slot] = page, parts, judgement
        self._seen += 1

    def correct(self, page: int, judgement: float) -> None:
        """Replaces the judgement of a page, if it learns from it."""
        self._judgements[np.flatnonzero(self.pages == page)] = judgement

    def reread(self, pages: Longs, parts: NDArray[np.float64]) -> None:
        """Replaces the first parts of the distinct `pages` that it learns from."""
        _, slots, rows = np.intersect1d(self.pages, pages, return_indices=True)
        self._parts[slots, : parts.shape[1]] = parts[rows]

    def replace(self, part: int, values: Floats, judgements: Floats) -> None:
        """Replaces one part of all of `pages`, and their judgements."""
        count = len(self.pages)
        self._parts[:count, part] = values
        self._judgements[:count] = judgements

    def learn(self) -> None:
        """Takes a few Newton steps."""
        count = len(self.pages)
        if count < FEWEST:
            return
        rows = np.column_stack((self._parts[:count], np.ones(count)))
        weights = self._now.copy()
        for _ in range(STEPS):
            chances = logistic(rows @ weights)
            slope = rows.T @ (chances - self._judgements[:count])
            slope += self._hold * (weights - self._shipped)
            curvature = (rows * (chances * (1 - chances) + FLAT)[:, None]).T @ rows
            weights -= np.linalg.solve(curvature + np.diag(self._hold), slope)
        weights[:-1] = np.maximum(weights[:-1], 0.0)
        self._now = weights

    def state(self) -> dict[str, Any]:
        count = len(self.pages)
        return {
            "now": self._now.copy(),
            "seen": self._seen,
            "pages": self.pages.copy(),
            "parts": self._parts[:count].copy(),
            "judgements": self._judgements[:count].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._now, self._seen = np.array(state["now"]), int(state["seen"])
        count = len(state["judgements"])
        self._parts[:count], self._judgements[:count] = state["parts"], state["judgements"]
        self._pages[:count] = state["pages"]
