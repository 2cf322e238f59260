"""Status learner: the learner with the status of a link's parents as one more part."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.intelligence.adaptive_alpha import AdaptiveAlpha, DeltaIs
from apps.engine.intelligence.classifying.calibration import log_odds, logistic
from apps.engine.intelligence.columns import Column
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.adaptive_utility import (
    ALPHA_CURVES,
    Alpha0,
    Delta,
    Memory,
    Reach,
    Step,
)
from apps.engine.intelligence.strategies.base import Frontier, Moved
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.learner import EVIDENCE, Learner, bounded, distinct
from apps.engine.intelligence.strategies.parameters import Range
from apps.engine.intelligence.strategies.terms import Term
from apps.engine.intelligence.strategies.utility import status
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit

PASSED_ON = 0.5
"""The share of its parents' status that a page has; chosen on three topics of the demo web and of
an encyclopaedia."""
LEAST_MOVE = 0.05
"""So far α moves before all waiting links are ranked with it."""


class StatusLearner(Learner):
    """Gives a link σ(α·(start + Σ weight·part) + (1 − α)·status), where α follows the crawl.

    The parts are the learner's. The status of a link is half the mean over all its known parents of
    the log-odds of their status by the M5' model (SL §4.2), plus ln(1 + parents): important pages
    link to important ones, and pages that many link to are important. As in adaptive utility (SL
    eq. 3), α falls, and status counts for more, while the last pages are as much on the topic as δ
    wants. **Choice**: the two sides are added as log-odds, so that each part can be read off; all
    waiting links are ranked with the same α, again whenever it has moved by .05. **Choice**: δ is
    .9 and Δ .05, not .7 and .01: α is to rise before a small topic is used up.

    Parameters:
        delta: the wanted topicality, as a share of the reachable one; the higher, the less status
            counts.
        delta_is: share makes δ a share of the reachable topicality; level is the paper's, in which
            δ is the mean topicality itself.
        reach: the consecutive found pages whose highest mean topicality counts as reachable.
        memory: the last pages whose mean topicality is compared with delta.
        step: how fast alpha changes.
        alpha0: alpha before the first page.
    """

    formula = "σ(α·(start + Σ weight·part) + (1 − α)·status)"
    id = "status_learner"
    title = "Status learner"
    advice = "For pages that are on the topic and important, on any web with in-link counts."
    needs = frozenset({Need.EXAMPLES, Need.INLINKS})
    adjustable = frozenset({"delta"})
    curves = ALPHA_CURVES
    sums_to = "a priority"
    legend = MappingProxyType({**EVIDENCE, "status": Term(
        "Status", "the status of the pages that link to it, and how many they are")})

    def __init__(
        self,
        *,
        delta: Delta = 0.9,
        delta_is: DeltaIs = "share",
        reach: Reach = 100,
        memory: Memory = 25,
        step: Step = 0.05,
        alpha0: Alpha0 = 0.5,
        window: Annotated[int, Range(0, 400)] = 40,
        hold: Annotated[float, Range(0.1, 1000)] = 15.0,
        reorders_every: Annotated[int, Range(1, 100_000)] = 10,
        background: bool = True,
    ) -> None:
        super().__init__(
            window=window, hold=hold, reorders_every=reorders_every, background=background
        )
        self.delta = delta
        self.delta_is: DeltaIs = delta_is
        self.reach = reach
        self.memory = memory
        self.step = step
        self.alpha0 = alpha0

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.status_judge_ = topic.status_judge()
        self.alpha_ = AdaptiveAlpha(
            self.alpha0, self.step, self.memory, self.reach, self.delta_is)
        self.ranked_with_ = self.alpha0
        self.of_parents_ = Column()
        self._status_chosen_by = 0.0
        return self

    def judge(self, visit: Visit) -> Judgement:
        said = self.status_judge_(visit)
        return Judgement(super().judge(visit).topicality, said.status, said.status_log)

    def learn(self, visit: Visit) -> None:
        self._status_chosen_by = float(self._status(np.array([visit.url_number]))[0])
        super().learn(visit)
        self.alpha_.learn(topicality(visit), self.delta, found=visit.parent >= 0)

    def _add_links(self, visit: Visit) -> None:
        super()._add_links(visit)
        self._add_status(visit)

    def forget_pages(self) -> None:
        super().forget_pages()
        self.of_parents_ = Column()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        super().relearn_page(visit, read)
        self._add_status(visit)

    def _add_status(self, visit: Visit) -> None:
        urls = visit.link_numbers[distinct(visit)]
        self.of_parents_.set(urls, self.of_parents_[urls] + _odds_of(visit))

    def rescore(self, frontier: Frontier) -> Floats | Moved:
        """As the learner, and all waiting URLs if α has moved."""
        ranked = super().rescore(frontier)
        if abs(self.alpha_.now - self.ranked_with_) < LEAST_MOVE:
            return ranked
        self.ranked_with_ = self.alpha_.now
        return self._chances(frontier.numbers, self.known_.parts(frontier.numbers))

    def score_links(self, visit: Visit) -> Floats:
        return logistic(self._mixed(self._parts(visit), self._status_of_links(visit)))

    def _chances(self, urls: Longs, parts: NDArray[np.float64]) -> Floats:
        return logistic(self._mixed(parts, self._status(urls)))

    def _mixed(self, parts: NDArray[np.float64], status: Floats) -> Floats:
        alpha = self.ranked_with_
        return alpha * self._odds(parts) + (1 - alpha) * status

    def _status(self, urls: Longs, more: float = 0.0, links: int = 0) -> Floats:
        """The status of URLs; `more` is that of further parents, `links` are their number."""
        parents = self.known_.texts.links(urls) + links
        mean = (self.of_parents_[urls] + more) / np.maximum(parents, 1.0)
        return PASSED_ON * mean + np.log1p(parents)

    def _status_of_links(self, visit: Visit) -> Floats:
        """That of the page's links, whether the page has been learned from or not."""
        if self.known_.siblings.knows(visit.url_number):
            return self._status(visit.link_numbers)
        return self._status(visit.link_numbers, _odds_of(visit), 1)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """What each part adds to the log-odds, status last."""
        of_link = float(self._status_of_links(visit)[link])
        return {**super().explain(visit, link), "status": (1 - self.ranked_with_) * of_link}

    def telemetry(self) -> dict[str, float]:
        """As the learner's, with α, δ and the topicality it wants."""
        added = (1 - self.ranked_with_) * self._status_chosen_by
        return {**super().telemetry(), "status": added, **self.alpha_.telemetry(self.delta)}

    def _terms(self, parts: Floats) -> dict[str, float]:
        return {part: self.ranked_with_ * term for part, term in super()._terms(parts).items()}

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        self.alpha_.now = self.ranked_with_ = telemetry["alpha"]

    def state(self) -> dict[str, Any]:
        own = {**self.alpha_.state(), "delta": self.delta, "ranked_with": self.ranked_with_,
               "of_parents": self.of_parents_.array()}
        return {**super().state(), **joined({"status": own})}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        own = part_of(state, "status")
        self.alpha_.restore(own)
        self.delta, self.ranked_with_ = float(own["delta"]), float(own["ranked_with"])
        self.of_parents_.restore(own["of_parents"])


def _odds_of(visit: Visit) -> float:
    """The log-odds of the page's own status."""
    return float(bounded(log_odds(np.array(status(visit)))))
