"""Adaptive utility: status counts as long as the crawl stays on its topic."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from apps.engine.curve_spec import CurveSpec
from apps.engine.intelligence.adaptive_alpha import AdaptiveAlpha, DeltaIs
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting, topicality
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.utility import (
    PUBLISHED_THETA,
    Form,
    ThetaOver,
    Utility,
    status,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit

Delta = Annotated[float, NumberRange(0, 1), Symbol("δ")]
Reach = Annotated[int, NumberRange(1, 10_000)]
Memory = Annotated[int, NumberRange(1, 10_000), Symbol("M")]
Step = Annotated[float, NumberRange(0, 1), Symbol("Δ")]
Alpha0 = Annotated[float, NumberRange(0, 1), Symbol("α₀")]
ALPHA_CURVES = MappingProxyType(
    {
        "alpha": CurveSpec("alpha", "α", "alpha"),
        "wanted": CurveSpec("alpha", "τ wanted by δ", "harvest", "dashed", steps=True),
    }
)


class AdaptiveUtility(Utility):
    """Gives every link of a page its utility τ^α·σ^(1−α), where α follows the crawl (SL §6).

    After each page α ← clip(α + Δ·(w − mean τ of the last M pages), 0, 1) (SL eq. 3), where w, the
    target topicality, is δ times the reachable topicality. **Choice**: the latter is the highest
    mean τ of `reach` consecutive pages reached over links. As published w is δ itself; with a
    calibrated τ the mean seldom reaches δ = .7, and α then stays at 1. **Choice**: a link's
    priority is computed with the α after its page's own step; every `reorders_every` pages all
    waiting links are re-ranked with the current α, from the stored τ and σ of their pages.

    Parameters:
        delta: the target topicality; the higher, the less status counts.
        delta_is: share makes δ a share of the reachable topicality; level is the paper's, in which
            δ is the mean topicality itself.
        reach: the consecutive pages reached over links whose highest mean topicality counts as
            reachable.
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
    curves = ALPHA_CURVES
    advice = "For pages that are on the topic and important, where in-link counts are at hand."

    def __init__(
        self,
        *,
        delta: Delta = 0.7,
        delta_is: DeltaIs = "share",
        reach: Reach = 100,
        memory: Memory = 25,
        step: Step = 0.01,
        alpha0: Alpha0 = 0.5,
        reorders_every: Annotated[int, NumberRange(0, 100_000)] = 100,
        form: Form = "cobb_douglas",
        topicality: Literal["calibrated", "sigmoid"] = "calibrated",
        theta_over: ThetaOver = "examples",
        theta: Annotated[float, NumberRange(0, 30), Symbol("θ")] = PUBLISHED_THETA,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(
            alpha=alpha0,
            form=form,
            topicality=topicality,
            theta_over=theta_over,
            theta=theta,
            classifier=classifier,
            weighting=weighting,
            idf=idf,
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
        self.alpha_ = AdaptiveAlpha(self.alpha0, self.step, self.memory, self.reach, self.delta_is)
        self.tau_, self.sigma_ = UrlColumn(), UrlColumn()
        return self

    def learn(self, visit: Visit) -> None:
        self._keep(visit)
        self.alpha_.learn(topicality(visit), self.delta, followed=visit.parent >= 0)

    def relearn(self, visit: Visit) -> Visit:
        self._keep(visit)
        return visit

    def _keep(self, visit: Visit) -> None:
        self.tau_.set(visit.url_number, topicality(visit))
        self.sigma_.set(visit.url_number, status(visit))

    def weight(self) -> float:
        return self.alpha_.now

    def rescore(self, frontier: WaitingUrls) -> Floats:
        _, pages = frontier.edges()
        return frontier.combine(self.worth(self.tau_[pages], self.sigma_[pages]))

    def telemetry(self) -> dict[str, float]:
        return self.alpha_.telemetry(self.delta)

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        self.alpha_.now = telemetry["alpha"]

    def state(self) -> dict[str, Any]:
        return {
            **self.alpha_.state(),
            "delta": self.delta,
            "tau": self.tau_.array(),
            "sigma": self.sigma_.array(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.alpha_.restore(state)
        self.delta = float(state["delta"])
        self.tau_.restore(state["tau"])
        self.sigma_.restore(state["sigma"])
