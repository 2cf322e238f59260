"""Adaptive utility: status counts as long as the crawl stays on its topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np

from apps.engine.intelligence.columns import Column
from apps.engine.intelligence.strategies.base import Frontier, Range, Symbol
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting, topicality
from apps.engine.intelligence.strategies.utility import Form, Utility, status
from apps.engine.intelligence.topic_model import ThetaOver, TopicModel
from apps.engine.model import Floats, Visit


class AdaptiveUtility(Utility):
    """Gives every link of a page its utility τ^α·σ^(1−α), where α follows the crawl (SL §6).

    After each page α ← clip(α + Δ·(δ − mean τ of the last M pages), 0, 1) (SL eq. 3).
    **Choice**: a link's priority is computed with the α of the moment it is found, after the
    page's own step; every `reorders_every` pages all waiting links are ranked anew at the α then
    in force, from the τ and σ kept of their pages.

    Parameters:
        delta: the mean topicality wanted; the higher, the less status counts.
        memory: the last pages whose mean topicality is held against delta.
        step: how fast alpha moves.
        alpha0: alpha before the first page.
        reorders_every: pages between two rankings of the waiting links; 0 never ranks them anew.
    """

    id = "adaptive_utility"
    title = "Adaptive utility"
    paper = "SL"
    section = "SL §6"
    scores_move = True
    advice = "For pages that are on the topic and important, where in-link counts are at hand."

    def __init__(
        self,
        delta: Annotated[float, Range(0, 1), Symbol("δ")] = 0.7,
        memory: Annotated[int, Range(1, 10_000), Symbol("M")] = 25,
        step: Annotated[float, Range(0, 1), Symbol("Δ")] = 0.01,
        alpha0: Annotated[float, Range(0, 1), Symbol("α₀")] = 0.5,
        reorders_every: Annotated[int, Range(0, 100_000)] = 100,
        form: Form = "cobb_douglas",
        topicality: Literal["calibrated", "sigmoid"] = "calibrated",
        theta_over: ThetaOver = "examples",
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(alpha0, form, topicality, theta_over, classifier, weighting, idf)
        self.delta = delta
        self.memory = memory
        self.step = step
        self.alpha0 = alpha0
        self.reorders_every = reorders_every

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.alpha_ = self.alpha0
        self.last_: deque[float] = deque(maxlen=self.memory)
        self.tau_, self.sigma_ = Column(), Column()
        return self

    def learn(self, visit: Visit) -> None:
        self._keep(visit)
        self.last_.append(topicality(visit))
        moved = self.alpha_ + self.step * (self.delta - self.mean_tau())
        self.alpha_ = min(max(moved, 0.0), 1.0)

    def relearn(self, visit: Visit) -> Visit:
        self._keep(visit)
        return visit

    def _keep(self, visit: Visit) -> None:
        self.tau_.set(visit.url_number, topicality(visit))
        self.sigma_.set(visit.url_number, status(visit))

    def mean_tau(self) -> float:
        """The mean topicality of the last M pages (of all, while there are fewer)."""
        return float(np.mean(self.last_))

    def weight(self) -> float:
        return self.alpha_

    def rescore(self, frontier: Frontier) -> Floats:
        _, pages = frontier.edges()
        return frontier.combine(self.worth(self.tau_[pages], self.sigma_[pages]))

    def change(self, name: str, value: float) -> None:
        if name != "delta":
            super().change(name, value)
        parameter = next(p for p in self.parameters() if p.name == "delta")
        self.delta = parameter.read(value)

    def readings(self) -> dict[str, float]:
        known = {"mean_tau": self.mean_tau()} if self.last_ else {}
        return {"alpha": self.alpha_, "delta": self.delta, **known}

    def recall(self, readings: Mapping[str, float]) -> None:
        self.alpha_ = readings["alpha"]

    def state(self) -> dict[str, Any]:
        return {
            "alpha": self.alpha_,
            "delta": self.delta,
            "last": np.array(self.last_),
            "tau": self.tau_.array(),
            "sigma": self.sigma_.array(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.alpha_ = float(state["alpha"])
        self.delta = float(state["delta"])
        self.last_ = deque(state["last"].tolist(), maxlen=self.memory)
        self.tau_.restore(state["tau"])
        self.sigma_.restore(state["sigma"])
