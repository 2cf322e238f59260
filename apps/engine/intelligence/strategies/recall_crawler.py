"""Recall crawler: another strategy, restricted to the pages of an earlier crawl."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import BadParameter, NeedsMissing
from apps.engine.intelligence.strategies.base import Moved, Scores, Strategy, WaitingUrls
from apps.engine.intelligence.strategies.experts import Experts
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.guides import GUIDES
from apps.engine.intelligence.strategies.link_learner import LinkLearner
from apps.engine.intelligence.strategies.parameters import ChoiceOf
from apps.engine.intelligence.strategies.relearns import Relearns, relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Spans, Visit

EVERY: tuple[type[Strategy], ...] = (*GUIDES, Experts)
Guide = Annotated[str, ChoiceOf(lambda: (cls.id for cls in EVERY))]


class RecallCrawler(Explains, Relearns):
    """Gives a link its guide's score if an earlier crawl fetched its target, and rejects it
    otherwise.

    AFC §3.6: both crawls end with the same pages and the same loss; the question is how long the
    guide keeps the loss low. A guide that learns from links does so offline, on the earlier crawl,
    unless its parameters specify otherwise.

    Parameters:
        guide: the strategy that ranks the links; in the paper the apprentice.
        guide_parameters: the guide's parameters as name=value, separated by spaces, such as dmax=3
            offsets=false; others have their defaults.
    """

    id = "recall_crawler"
    title = "Recall crawler"
    paper = "AFC"
    section = "AFC §3.6"
    advice = "To compare two crawls over the same pages; it finds nothing new."
    needs = frozenset({Need.EXAMPLES, Need.CRAWL})

    def __init__(self, *, guide: Guide = "apprentice", guide_parameters: str = "") -> None:
        self.guide = guide
        self.guide_parameters = guide_parameters

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        made = super().build(values)
        made.guiding()
        return made

    def guiding(self) -> Strategy:
        """The guide, not fitted. Raises BadParameter if its parameters are invalid."""
        guide = next(cls for cls in EVERY if cls.id == self.guide)
        values = {"mode": "offline"} if issubclass(guide, LinkLearner) else {}
        try:
            return guide.build(values | _pairs(self.guide_parameters))
        except BadParameter as error:
            raise BadParameter(error.detail, parameter="guide_parameters") from None

    def needed(self) -> frozenset[Need]:
        return self.guiding().needed() | {Need.CRAWL}

    def used(self) -> frozenset[Need]:
        return self.guiding().used()

    def fit(self, topic: TopicModel) -> Self:
        earlier = topic.topic.earlier
        self.allowed_ = topic.topic.allowed_urls or frozenset(page.url for page in earlier)
        if not self.allowed_:
            raise NeedsMissing(Need.CRAWL, "needs the pages of an earlier crawl")
        guide = self.guide_ = self.guiding().fit(topic)
        self.formula, self.scores = guide.formula, guide.scores
        self.reorders_every, self.first_reorder = guide.reorders_every, guide.first_reorder
        if (learner := relearning(guide)) is not None:
            self.learns_from_pages = learner.learns_from_pages
            self.scores_move = learner.scores_move
        return self

    def judge(self, visit: Visit) -> Judgement:
        return self.guide_.judge(visit)

    def score_links(self, visit: Visit) -> Scores:
        scores = np.asarray(self.guide_.score_links(visit), np.float64)
        allowed = [url in self.allowed_ for url in visit.links.urls]
        return [
            None if math.isnan(score) or not is_allowed else score
            for score, is_allowed in zip(scores.tolist(), allowed, strict=True)
        ]

    def learn(self, visit: Visit) -> None:
        self.guide_.learn(visit)

    def reorder_due(self, pages: int) -> bool:
        return self.guide_.reorder_due(pages)

    def rescore(self, frontier: WaitingUrls) -> Floats | Moved | None:
        return self.guide_.rescore(frontier)

    def telemetry(self) -> dict[str, float]:
        return self.guide_.telemetry()

    def report(self) -> dict[str, Floats]:
        return self.guide_.report()

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        if isinstance(self.guide_, Explains):
            self.guide_.restore_telemetry(telemetry)

    def reads_examples(self) -> bool:
        return relearning(self.guiding()) is not None

    def relearn(self, visit: Visit) -> Visit:
        learner = relearning(self.guide_)
        return learner.relearn(visit) if learner else visit

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return self.guide_.explain(visit, link) if isinstance(self.guide_, Explains) else {}

    def context(self, visit: Visit) -> Spans | None:
        return self.guide_.context(visit) if isinstance(self.guide_, Explains) else None

    def state(self) -> dict[str, Any]:
        return self.guide_.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.guide_.restore(state)


def _pairs(text: str) -> dict[str, str]:
    """Parses `name=value` pairs separated by spaces. Raises BadParameter."""
    values = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadParameter(f"guide_parameters: write {word} as name=value")
        values[name] = value
    return values
