"""Status learner: the learner with the status of a link's parents as one more part."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.intelligence.adaptive_alpha import MatchingAlpha
from apps.engine.intelligence.classifying.calibration import log_odds, logistic
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.evidence.link_knowledge import PARTS
from apps.engine.intelligence.evidence.text_reader import bounded, distinct_links
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.adaptive_utility import (
    ALPHA_CURVES,
    Alpha0,
    Delta,
    Memory,
    Step,
)
from apps.engine.intelligence.strategies.base import Moved, WaitingUrls
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.learner import Learner
from apps.engine.intelligence.strategies.parameters import NumberRange
from apps.engine.intelligence.strategies.terms import ScoreTerm
from apps.engine.intelligence.strategies.utility import status
from apps.engine.intelligence.strategies.weighted_evidence import EVIDENCE, leading
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit

PASSED_ON = 0.25
"""The share of its parents' status that a page has."""
FULL = 6.0
"""A status of 1: that of a page that 400 others link to, if they are neither important nor not."""
FIRST = 25
"""Full Page's choice is taken for one of so many links with the best parents."""
LEAST_PRIORITY = 1e-9
LEAST_MOVE = 0.02
"""So far α moves before all waiting links are ranked with it."""


class StatusLearner(Learner):
    """Gives a link α·chance + (1 − α)·status, where α keeps the crawl as topical as Full Page's.

    The chance is the learner's, σ(start + Σ weight·part). The status of a link is a quarter of the
    mean over all its parents of the log-odds of their status by the M5' model (SL §4.2), plus
    ln(1 + parents), as a share of 6: important pages link to important ones, and pages that many
    link to are important. As in adaptive utility (SL eq. 3), α falls, and status counts for more,
    while the last pages are as much on the topic as is wanted. **Choice**: wanted is δ times the
    chance, by the learner, of what Full Page would choose among the links that wait now: once a
    small topic is used up, Full Page has no relevant links either, and status counts. **Choice**:
    chances are added, not their log-odds: among links that are all unlikely status decides. All
    waiting links are ranked with the same α, again whenever it has moved by .02.

    Parameters:
        delta: the wanted topicality, as a share of that of Full Page; the higher, the less
            status counts.
        memory: the last pages whose mean topicality is compared with delta.
        step: how fast alpha changes.
        alpha0: alpha before the first page.
    """

    formula = "α·σ(start + Σ weight·part) + (1 − α)·status"
    id = "status_learner"
    title = "Status learner"
    advice = "For pages that are on the topic and important, on any web with in-link counts."
    needs = frozenset({Need.EXAMPLES, Need.INLINKS})
    adjustable = frozenset({"delta"})
    curves = ALPHA_CURVES
    sums_to = "a priority"
    legend = MappingProxyType(
        {
            **EVIDENCE,
            "status": ScoreTerm(
                "Status", "the status of the pages that link to it, and how many they are"
            ),
        }
    )

    def __init__(
        self,
        *,
        delta: Delta = 1.0,
        memory: Memory = 25,
        step: Step = 0.05,
        alpha0: Alpha0 = 0.5,
        window: Annotated[int, NumberRange(0, 400)] = 40,
        hold: Annotated[float, NumberRange(0.1, 1000)] = 15.0,
        reorders_every: Annotated[int, NumberRange(1, 100_000)] = 10,
        background: bool = True,
    ) -> None:
        super().__init__(
            window=window, hold=hold, reorders_every=reorders_every, background=background
        )
        self.delta = delta
        self.memory = memory
        self.step = step
        self.alpha0 = alpha0

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.status_judge_ = topic.status_judge()
        self.alpha_ = MatchingAlpha(self.alpha0, self.step, self.memory)
        self.ranked_with_ = self.alpha0
        self.of_parents_, self.best_parent_ = UrlColumn(), UrlColumn()
        self._status_chosen_by = 0.0
        return self

    def judge(self, visit: Visit) -> Judgement:
        judgement = self.status_judge_(visit)
        return Judgement(super().judge(visit).topicality, judgement.status, judgement.status_log)

    def learn(self, visit: Visit) -> None:
        page = np.array([visit.url_number])
        parts, of_status = self.knowledge_.parts(page), self._status(page)
        self._status_chosen_by = float(self._moved_by_status(parts, of_status)[0])
        super().learn(visit)
        self.alpha_.learn(topicality(visit), self.delta, followed=visit.parent >= 0)

    def _add_links(self, visit: Visit, is_page: bool = True) -> None:
        super()._add_links(visit, is_page)
        self._add_status(visit)

    def forget_pages(self) -> None:
        super().forget_pages()
        self.of_parents_, self.best_parent_ = UrlColumn(), UrlColumn()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        super().relearn_page(visit, read)
        self._add_status(visit)

    def _add_status(self, visit: Visit) -> None:
        urls = visit.link_numbers[distinct_links(visit)]
        self.of_parents_.set(urls, self.of_parents_[urls] + _odds_of(visit))
        self.best_parent_.set(urls, np.maximum(self.best_parent_[urls], topicality(visit)))

    def rescore(self, frontier: WaitingUrls) -> Floats | Moved:
        """As the learner does, but all waiting URLs if α has moved."""
        ranked = super().rescore(frontier)
        stays = abs(self.alpha_.now - self.ranked_with_) < LEAST_MOVE
        return ranked if stays or not isinstance(ranked, Moved) else self._rank_all(frontier)

    def _rank_all(self, frontier: WaitingUrls) -> Floats:
        self.ranked_with_ = self.alpha_.now
        urls = frontier.numbers
        parts = self.knowledge_.parts(urls)
        if len(urls):
            best = np.argsort(-self.best_parent_[urls], kind="stable")[:FIRST]
            self.alpha_.expect(float(logistic(self._odds(parts[best])).mean()))
        return self._chances(urls, parts)

    def score_links(self, visit: Visit) -> Floats:
        return self._mixed(self._parts(visit), self._status_of_links(visit))

    def _chances(self, urls: Longs, parts: NDArray[np.float64]) -> Floats:
        return self._mixed(parts, self._status(urls))

    def _mixed(self, parts: NDArray[np.float64], of_status: Floats) -> Floats:
        alpha = self.ranked_with_
        return alpha * logistic(self._odds(parts)) + (1 - alpha) * of_status

    def _moved_by_status(self, parts: NDArray[np.float64], of_status: Floats) -> Floats:
        """The change of the learner's log-odds by status."""
        mixed = np.clip(self._mixed(parts, of_status), LEAST_PRIORITY, 1 - LEAST_PRIORITY)
        return log_odds(mixed) - self._odds(parts)

    def _status(self, urls: Longs, more: float = 0.0, links: int = 0) -> Floats:
        """The status of URLs, in [0, 1]; `more` is that of further parents, `links` are their
        number."""
        parents = self.knowledge_.texts.links(urls) + links
        mean = (self.of_parents_[urls] + more) / np.maximum(parents, 1.0)
        return np.clip((PASSED_ON * mean + np.log1p(parents)) / FULL, 0.0, 1.0)

    def _status_of_links(self, visit: Visit) -> Floats:
        """The status of the page's links, whether the page has been learned from or not."""
        if self.knowledge_.siblings.knows(visit.url_number):
            return self._status(visit.link_numbers)
        return self._status(visit.link_numbers, _odds_of(visit), 1)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The terms of the log-odds, and the shift by status that follows."""
        parts, of_status = self._parts(visit), self._status_of_links(visit)
        moved = self._moved_by_status(parts[[link]], of_status[[link]])
        return {**self._terms(parts[link]), "status": float(moved[0])}

    def leading_terms(self, urls: Longs) -> list[str]:
        parts = self.knowledge_.parts(urls)
        moved = self._moved_by_status(parts, self._status(urls))
        return leading((*PARTS, "status"), np.column_stack((parts * self.weights_.parts, moved)))

    def telemetry(self) -> dict[str, float]:
        """The learner's telemetry, with α, δ and the target topicality."""
        of_alpha = self.alpha_.telemetry(self.delta)
        return {**super().telemetry(), "status": self._status_chosen_by, **of_alpha}

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        self.alpha_.now = self.ranked_with_ = telemetry["alpha"]

    def state(self) -> dict[str, Any]:
        status = {
            **self.alpha_.state(),
            "delta": self.delta,
            "ranked_with": self.ranked_with_,
            "of_parents": self.of_parents_.array(),
            "best_parent": self.best_parent_.array(),
        }
        return {**super().state(), **joined({"status": status})}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        status = part_of(state, "status")
        self.alpha_.restore(status)
        self.delta, self.ranked_with_ = float(status["delta"]), float(status["ranked_with"])
        self.of_parents_.restore(status["of_parents"])
        self.best_parent_.restore(status["best_parent"])


def _odds_of(visit: Visit) -> float:
    """The log-odds of the page's own status."""
    return float(bounded(log_odds(np.array(status(visit)))))
