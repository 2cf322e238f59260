"""In-links: adaptive utility with a page's status from its in-links so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.adaptive_alpha import DeltaIs
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.growing import Growing
from apps.engine.intelligence.strategies.adaptive_utility import (
    AdaptiveUtility,
    Alpha0,
    Delta,
    Memory,
    Reach,
    Step,
)
from apps.engine.intelligence.strategies.classified import Classifier, Idf, Weighting
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.utility import PUBLISHED_THETA, Form, ThetaOver
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Judgement, Visit


class InLinks(AdaptiveUtility):
    """Gives every link of a page its adaptive utility, with σ from its in-links so far (SL §7.2).

    σ = 1/(1 + e^−(ln(1 + n) − θ)), where n is the number of fetched pages that link to the page
    when it is fetched. With the model's θ (2.82 in SL) n = 0, 1, 2, 5 give σ = .06 .11 .15 .26.

    Parameters:
        theta_local: whether θ is the running median of ln(1 + n) over this crawl's pages instead of
            the published one of the status model.
    """

    id = "in_links"
    title = "In-links"
    paper = "SL"
    section = "SL §7.2"
    advice = "To see what the status model adds to counting in-links."
    needs = frozenset({Need.EXAMPLES, Need.INLINKS})

    def __init__(
        self,
        *,
        theta_local: bool = False,
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
            delta=delta,
            delta_is=delta_is,
            reach=reach,
            memory=memory,
            step=step,
            alpha0=alpha0,
            reorders_every=reorders_every,
            form=form,
            topicality=topicality,
            theta_over=theta_over,
            theta=theta,
            classifier=classifier,
            weighting=weighting,
            idf=idf,
        )
        self.theta_local = theta_local

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.theta_ = topic.status_model(self.middle()).theta_
        self.linked_ = UrlColumn()
        self.counts_ = Growing(np.int32)
        return self

    def judge(self, visit: Visit) -> Judgement:
        log = np.log1p(self.linked_.one(visit.url_number))
        sigma = float(logistic(np.array(log - self._theta(log))))
        return Judgement(self._tau(visit), sigma, self.status_judge_(visit).status_log)

    def learn(self, visit: Visit) -> None:
        super().learn(visit)
        self.counts_.extend(int(self.linked_.one(visit.url_number)))
        targets = np.unique(visit.link_numbers)
        self.linked_.set(targets, self.linked_[targets] + 1)

    def relearn(self, visit: Visit) -> Visit:
        """Keeps the σ of the time of fetching; later links do not change it."""
        return super().relearn(replace(visit, status=self.sigma_.one(visit.url_number)))

    def _theta(self, log: float) -> float:
        """θ; for the first page its own value."""
        if not self.theta_local:
            return self.theta_
        return float(np.median(np.log1p(self.counts_.array()))) if len(self.counts_) else log

    def state(self) -> dict[str, Any]:
        counts = {"linked": self.linked_.array(), "counts": self.counts_.array().copy()}
        return {**super().state(), **counts}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.linked_.restore(state["linked"])
        self.counts_.restore(state["counts"])
