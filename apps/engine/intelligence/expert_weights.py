"""The weights of experts, learned from the rewards of links that each of them ranked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from apps.engine.model import Floats

BIAS = 0.1
"""What the chance of a choice is raised by, so that no rare choice outweighs many (Exp3-IX)."""
SHARE = 0.001
"""The share of all weights that is dealt out evenly after each reward (fixed share)."""


class ExpertWeights:
    """Weights of experts that sum to 1, equal at first.

    An expert's wish for a link is in [0, 1]; links are chosen by their chance, the weighted sum of
    the wishes. A reward r multiplies each weight by exp(η·wish·(r − mean)/(chance + .1)), where
    mean is that of the rewards before: exponential weights with importance-weighted rewards (Exp4
    of Auer, Cesa-Bianchi, Freund & Schapire 2002, §7; the bias as in Neu 2015, Exp3-IX). Then a
    thousandth of all weight is dealt out evenly, so that an expert that was bad can become the best
    (Herbster & Warmuth 1998, fixed share).
    """

    def __init__(self, experts: int, rate: float) -> None:
        self._rate = rate
        self.now: Floats = np.full(experts, 1 / experts)
        self._sum, self._rewards = 0.0, 0

    def chances(self, wishes: Floats) -> Floats:
        """The weighted sum for each link; `wishes` are experts × links."""
        # Not `now @ wishes`: the last bit of BLAS's sums depends on the number of links.
        summed: Floats = (self.now[:, None] * wishes).sum(axis=0)
        return summed

    def reward(self, wishes: Floats, reward: float) -> None:
        """Credits the experts with the reward of a link, by their wishes for it."""
        mean = self._sum / self._rewards if self._rewards else reward
        self._sum += reward
        self._rewards += 1
        chance = float((self.now * wishes).sum())
        grown = self.now * np.exp(self._rate * wishes * (reward - mean) / (chance + BIAS))
        self.now = (1 - SHARE) * grown / grown.sum() + SHARE / len(grown)

    def state(self) -> dict[str, Any]:
        return {"now": self.now.copy(), "sum": self._sum, "rewards": self._rewards}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.now = np.array(state["now"])
        self._sum, self._rewards = float(state["sum"]), int(state["rewards"])
