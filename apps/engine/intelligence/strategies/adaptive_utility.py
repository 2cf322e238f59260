"""Adaptive utility: status counts as long as the crawl stays on its topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

import numpy as np

from apps.engine.curve_spec import CurveSpec
from apps.engine.intelligence.columns import Column
from apps.engine.intelligence.strategies.base import Frontier
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting, topicality
from apps.engine.intelligence.strategies.parameters import Range, Symbol
from apps.engine.intelligence.strategies.utility import (
    PUBLISHED_THETA,
    Form,
    ThetaOver,
    Utility,
    status,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit

DeltaIs = Literal["share", "level"]


class AdaptiveUtility(Utility):
    """Gives every link of a page its utility τ^α·σ^(1−α), where α follows the crawl (SL §6).

    After each page α ← clip(α + Δ·(w − mean τ of the last M pages), 0, 1) (SL eq. 3), where w, the
    target topicality, is δ times the reachable topicality. **Choice**: the latter is the highest
    mean τ of `reach` consecutive found pages. As published w is δ itself; with a calibrated τ the
    mean seldom reaches δ = .7, and α then stays at 1. **Choice**: a link's priority is computed
    with the α after its page's own step; every `reorders_every` pages all waiting links are
    re-ranked with the current α, from the stored τ and σ of their pages.

    Parameters:
        delta: the target topicality; the higher, the less status counts.
        delta_is: share makes δ a share of the reachable topicality; level is the paper's, in which
            δ is the mean topicality itself.
        reach: the consecutive found pages whose highest mean topicality counts as reachable.
        memory: the last pages whose mean topicality is compared with delta.
        step: how fast alpha changes.
        alpha0: alpha before the first page.
        reorders_every: pages between two rankings of the waiting links; 0 never re-ranks them.
    """

    id = "adaptive_utility"
    title = "Adaptive utility"
    paper = "SL"
    section = "SL §6"
    adjustable = frozenset({"delta"})
    scores_move = True
    curves = MappingProxyType({
        "alpha": CurveSpec("alpha", "α", "alpha"),
        "wanted": CurveSpec("alpha", "τ wanted by δ", "harvest", "dashed", steps=True),
    })
    advice = "For pages that are on the topic and important, where in-link counts are at hand."

    def __init__(
        self,
        *,
        delta: Annotated[float, Range(0, 1), Symbol("δ")] = 0.7,
        delta_is: DeltaIs = "share",
        reach: Annotated[int, Range(1, 10_000)] = 100,
        memory: Annotated[int, Range(1, 10_000), Symbol("M")] = 25,
        step: Annotated[float, Range(0, 1), Symbol("Δ")] = 0.01,
        alpha0: Annotated[float, Range(0, 1), Symbol("α₀")] = 0.5,
        reorders_every: Annotated[int, Range(0, 100_000)] = 100,
        form: Form = "cobb_douglas",
        topicality: Literal["calibrated", "sigmoid"] = "calibrated",
        theta_over: ThetaOver = "examples",
        theta: Annotated[float, Range(0, 30), Symbol("θ")] = PUBLISHED_THETA,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(
            alpha=alpha0, form=form, topicality=topicality, theta_over=theta_over, theta=theta,
            classifier=classifier, weighting=weighting, idf=idf,
        )
        self.delta = delta
        self.delta_is: DeltaIs = delta_is
        self.reach = reach
        self.memory = memory
        self.step = step
        self.alpha0 = alpha0
        self.reorders_every = reorders_every

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.alpha_ = self.alpha0
        self.last_: deque[float] = deque(maxlen=self.memory)
        self.found_: deque[float] = deque(maxlen=self.reach)
        self.reached_ = 0.0
        self.tau_, self.sigma_ = Column(), Column()
        return self

    def learn(self, visit: Visit) -> None:
        self._keep(visit)
        self.last_.append(topicality(visit))
        if visit.parent >= 0:
            self._find(topicality(visit))
        moved = self.alpha_ + self.step * (self.wanted() - self.mean_tau())
        self.alpha_ = min(max(moved, 0.0), 1.0)

    def _find(self, tau: float) -> None:
        self.found_.append(tau)
        if len(self.found_) == self.reach:
            self.reached_ = max(self.reached_, float(np.mean(self.found_)))

    def relearn(self, visit: Visit) -> Visit:
        self._keep(visit)
        return visit

    def _keep(self, visit: Visit) -> None:
        self.tau_.set(visit.url_number, topicality(visit))
        self.sigma_.set(visit.url_number, status(visit))

    def mean_tau(self) -> float:
        """The mean topicality of the last M pages, or of all if there are fewer."""
        return float(np.mean(self.last_))

    def wanted(self) -> float:
        """The target mean topicality; α rises below it and falls above it."""
        return self.delta * (1.0 if self.delta_is == "level" else self.reachable())

    def reachable(self) -> float:
        """The highest mean τ of `reach` consecutive found pages, without seeds.

        With fewer pages it is their mean, and 1 before the first.
        """
        if self.reached_ or not self.found_:
            return self.reached_ or 1.0
        return float(np.mean(self.found_))

    def weight(self) -> float:
        return self.alpha_

    def rescore(self, frontier: Frontier) -> Floats:
        _, pages = frontier.edges()
        return frontier.combine(self.worth(self.tau_[pages], self.sigma_[pages]))

    def telemetry(self) -> dict[str, float]:
        known = {"mean_tau": self.mean_tau()} if self.last_ else {}
        return {"alpha": self.alpha_, "delta": self.delta, "wanted": self.wanted(), **known}

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        self.alpha_ = telemetry["alpha"]

    def state(self) -> dict[str, Any]:
        return {
            "alpha": self.alpha_,
            "delta": self.delta,
            "last": np.array(self.last_),
            "found": np.array(self.found_),
            "reached": self.reached_,
            "tau": self.tau_.array(),
            "sigma": self.sigma_.array(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.alpha_ = float(state["alpha"])
        self.delta = float(state["delta"])
        self.last_ = deque(state["last"].tolist(), maxlen=self.memory)
        self.found_ = deque(state["found"].tolist(), maxlen=self.reach)
        self.reached_ = float(state["reached"])
        self.tau_.restore(state["tau"])
        self.sigma_.restore(state["sigma"])
