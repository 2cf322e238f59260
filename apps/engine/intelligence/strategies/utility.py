"""Utility: scores links by the topicality and the status of their page."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.strategies.classified import (
    Classified,
    Classifier,
    Idf,
    Weighting,
    topicality,
)
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import Theta, TopicModel
from apps.engine.model import Floats, Judgement, Visit

Form = Literal["cobb_douglas", "linear"]
ThetaOver = Literal["examples", "crawl", "given"]
PUBLISHED_THETA = 2.82


def utility(form: Form, alpha: float, tau: Floats, sigma: Floats) -> Floats:
    """τ^α·σ^(1−α) (SL eq. 1) or α·τ + (1−α)·σ (SL eq. 2), in [0, 1]; 0^0 is 1."""
    if form == "linear":
        return alpha * tau + (1 - alpha) * sigma
    return np.power(tau, alpha) * np.power(sigma, 1 - alpha)


class Utility(Classified):
    """Gives every link of a page the utility τ^α·σ^(1−α) of the page (SL §4, eq. 1).

    τ is the page's topicality, σ its status by the M5' model of the topic's examples.
    **Choice**: τ is the calibrated P(c|u). The paper's sigmoid of the raw margin is an option: with
    normalised vectors and few examples it hardly exceeds 0.6 on the topic. **Choice**: without an
    exploratory crawl, σ is 0.5 at the median over the topic's own examples; the paper has one θ for
    all topics (SL note 7).

    Parameters:
        alpha: the weight of topicality; 1 ignores status, 0 ignores topicality.
        form: cobb_douglas multiplies the two (SL eq. 1), linear adds them (SL eq. 2).
        topicality: calibrated makes τ a probability; sigmoid is the paper's 1/(1 + e^−margin).
        theta_over: whether θ, at which σ is 0.5, is the median prediction over the examples, over
            the pages of an earlier crawl, or given as a number.
        theta: θ if it is given; SL uses 2.82 for all its topics.
    """

    id = "utility"
    title = "Utility"
    paper = "SL"
    section = "SL §4"
    advice = "To weigh topic against status by hand; adaptive utility finds the weight itself."
    needs = frozenset({Need.EXAMPLES, Need.INLINKS})

    def __init__(
        self,
        *,
        alpha: Annotated[float, NumberRange(0, 1), Symbol("α")] = 0.5,
        form: Form = "cobb_douglas",
        topicality: Literal["calibrated", "sigmoid"] = "calibrated",
        theta_over: ThetaOver = "examples",
        theta: Annotated[float, NumberRange(0, 30), Symbol("θ")] = PUBLISHED_THETA,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.alpha = alpha
        self.form: Form = form
        self.topicality = topicality
        self.theta_over: ThetaOver = theta_over
        self.theta = theta
        self.formula = "α·τ + (1 − α)·σ" if form == "linear" else "τ^α · σ^(1−α)"

    def needed(self) -> frozenset[Need]:
        needs = super().needed()
        return needs | {Need.CRAWL} if self.theta_over == "crawl" else needs

    def middle(self) -> Theta:
        """The θ at which σ is 0.5: the source of a median, or a number."""
        return self.theta if self.theta_over == "given" else self.theta_over

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.status_judge_ = topic.status_judge(self.middle())
        return self

    def judge(self, visit: Visit) -> Judgement:
        judgement = self.status_judge_(visit)
        return Judgement(self._tau(visit), judgement.status, judgement.status_log)

    def _tau(self, visit: Visit) -> float:
        if self.topicality == "sigmoid":
            return float(logistic(self.classifier_.margins(visit.page()))[0])
        return float(self.classifier_.probabilities(visit.page())[0])

    def score_links(self, visit: Visit) -> Floats:
        worth = self.worth(np.array([topicality(visit)]), np.array([status(visit)]))
        return np.repeat(worth, len(visit.links))

    def worth(self, tau: Floats, sigma: Floats) -> Floats:
        """The utility of pages with the current α."""
        return utility(self.form, self.weight(), tau, sigma)

    def weight(self) -> float:
        """The current α."""
        return self.alpha

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"τ": topicality(visit), "σ": status(visit), "α": self.weight()}


def status(visit: Visit) -> float:
    """The σ of a judged page."""
    if visit.status is None:
        raise ValueError(f"{visit.url} has not been judged")
    return visit.status
