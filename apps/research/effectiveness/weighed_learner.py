"""The learner with given weights, which reads each page of a topic once for all its crawls."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.strategies.learner import Learner
from apps.engine.model import Floats, Judgement, Longs, Visit
from apps.research.effectiveness.schema import LearnerWeights

Memory = dict[Hashable, Any]


class WeighedLearner(Learner):
    """The learner with its readings of pages cached in `memory`, which is shared by crawls of one
    topic."""

    id = "learner"

    def __init__(self, weighting: LearnerWeights, memory: Memory) -> None:
        super().__init__(hold=weighting.hold, background=weighting.background)
        self.shipped = weighting.all_weights()
        self._memory = memory

    def judge(self, visit: Visit) -> Judgement:
        key = self.background, "judged", visit.url
        if key not in self._memory:
            self._memory[key] = super().judge(visit)
        judgement: Judgement = self._memory[key]
        return judgement

    def _read(self, visit: Visit, new: Longs) -> tuple[NDArray[np.float64], Floats]:
        key = self.background, "read", visit.url
        if key not in self._memory:
            self._memory[key] = super()._read(visit, np.arange(len(visit.links)))
        texts, addresses = self._memory[key]
        return texts, addresses[new]
