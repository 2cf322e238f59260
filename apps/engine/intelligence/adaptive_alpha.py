"""α, the weight of topicality against status, which follows the pages of a crawl (SL §6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

DeltaIs = Literal["share", "level"]
LEAST_MATCHING = 0.1
"""A crawl that matches another never forgets its topic, so that labels always count."""


class AdaptiveAlpha:
    """After each page α ← clip(α + step·(w − mean τ of the last `memory` pages), 0, 1) (SL eq. 3).

    w, the target topicality, is δ itself as published (`level`), or δ times the reachable
    topicality (`share`). `now` is the current α.
    """

    def __init__(
        self, start: float, step: float, memory: int, reach: int, delta_is: DeltaIs
    ) -> None:
        self.now = start
        self._step = step
        self._delta_is = delta_is
        self._reach = reach
        self._last: deque[float] = deque(maxlen=memory)
        self._followed: deque[float] = deque(maxlen=reach)
        self._reached = 0.0

    def learn(self, tau: float, delta: float, *, followed: bool) -> None:
        """Moves α by a page's τ; only pages of `followed` links show the topicality that can be
        reached."""
        self._last.append(tau)
        if followed:
            self._followed.append(tau)
            if len(self._followed) == self._reach:
                self._reached = max(self._reached, float(np.mean(self._followed)))
        moved = self.now + self._step * (self.target_topicality(delta) - self.mean_tau())
        self.now = min(max(moved, 0.0), 1.0)

    def mean_tau(self) -> float:
        """The mean topicality of the last pages."""
        return float(np.mean(self._last))

    def target_topicality(self, delta: float) -> float:
        """The target mean topicality; α rises below it and falls above it."""
        return delta * (1.0 if self._delta_is == "level" else self.reachable())

    def reachable(self) -> float:
        """The highest mean τ of `reach` consecutive followed pages, without seeds.

        With fewer pages it is their mean, and 1 before the first.
        """
        if self._reached or not self._followed:
            return self._reached or 1.0
        return float(np.mean(self._followed))

    def telemetry(self, delta: float) -> dict[str, float]:
        """α, δ, the mean τ it wants, and the mean τ of the last pages after the first."""
        mean = {"mean_tau": self.mean_tau()} if self._last else {}
        return {"alpha": self.now, "delta": delta, "wanted": self.target_topicality(delta), **mean}

    def state(self) -> dict[str, Any]:
        return {
            "alpha": self.now,
            "last": np.array(self._last),
            "found": np.array(self._followed),
            "reached": self._reached,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.now = float(state["alpha"])
        self._last = deque(state["last"].tolist(), maxlen=self._last.maxlen)
        self._followed = deque(state["found"].tolist(), maxlen=self._reach)
        self._reached = float(state["reached"])


class MatchingAlpha(AdaptiveAlpha):
    """α of a crawl that should be as topical as another crawler would be over the same links.

    The reachable topicality is the mean chance of what the other would have chosen (`expect`), at
    the last `memory` followed pages. Where no good links are left it falls as well, so that α does
    not rise for nothing. α stays until the first chance; seeds do not move it,
    and nothing moves it below .1.
    """

    def __init__(self, start: float, step: float, memory: int) -> None:
        super().__init__(start, step, memory, reach=1, delta_is="share")
        self._chance: float | None = None
        self._chances: deque[float] = deque(maxlen=memory)

    def expect(self, chance: float) -> None:
        """Notes the chance that the other's next choice has, until the next call."""
        self._chance = chance

    def learn(self, tau: float, delta: float, *, followed: bool) -> None:
        if followed and self._chance is not None:
            self._chances.append(self._chance)
            super().learn(tau, delta, followed=followed)
            self.now = max(self.now, LEAST_MATCHING)

    def reachable(self) -> float:
        """The mean chance of the other's choices; 1 before the first."""
        return float(np.mean(self._chances)) if self._chances else 1.0

    def state(self) -> dict[str, Any]:
        return {**super().state(), "chance": self._chance, "chances": np.array(self._chances)}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self._chance = state["chance"]
        self._chances = deque(state["chances"].tolist(), maxlen=self._chances.maxlen)
