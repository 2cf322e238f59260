"""Recall crawler: another strategy, kept to the pages that another crawl fetched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

import numpy as np

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.apprentice import Apprentice
from apps.engine.intelligence.strategies.base import Frontier, Scores, Strategy
from apps.engine.intelligence.strategies.best_first import BestFirst
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.tag_tree_combo import TagTreeCombo
from apps.engine.intelligence.strategies.text_window_combo import TextWindowCombo
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Need, Spans, Visit

Guide = Literal["apprentice", "full_page", "best_first", "text_window_combo", "tag_tree_combo"]
GUIDES: dict[Guide, Callable[[], Strategy]] = {
    "apprentice": lambda: Apprentice(mode="offline"),
    "full_page": FullPage,
    "best_first": BestFirst,
    "text_window_combo": TextWindowCombo,
    "tag_tree_combo": TagTreeCombo,
}


class RecallCrawler(Strategy):
    """Gives a link what its guide gives it, if another crawl fetched its target; else nothing.

    AFC §3.6: both crawls end with the same pages and the same loss; the question is how long the
    guide keeps the loss down. The apprentice is trained off line, on that other crawl.

    Parameters:
        guide: the strategy that ranks the links; it has its default parameters.
    """

    id = "recall_crawler"
    title = "Recall crawler"
    paper = "AFC"
    section = "AFC §3.6"
    advice = "To compare two crawls over the same pages; it finds nothing new."
    needs = frozenset({Need.EXAMPLES, Need.CRAWL})

    def __init__(self, guide: Guide = "apprentice") -> None:
        self.guide: Guide = guide

    def fit(self, topic: TopicModel) -> Self:
        earlier = topic.topic.earlier
        self.allowed_ = topic.topic.allowed_urls or frozenset(page.url for page in earlier)
        if not self.allowed_:
            raise NeedsMissing(Need.CRAWL, "needs the pages of an earlier crawl")
        self.guide_ = GUIDES[self.guide]().fit(topic)
        self.formula = self.guide_.formula
        return self

    def judge(self, visit: Visit) -> Judgement:
        return self.guide_.judge(visit)

    def score_links(self, visit: Visit) -> Scores:
        scores = np.asarray(self.guide_.score_links(visit), np.float64).tolist()
        pairs = zip(visit.links.urls, scores, strict=True)
        return [score if url in self.allowed_ else None for url, score in pairs]

    def learn(self, visit: Visit) -> None:
        self.guide_.learn(visit)

    def relearn(self, visit: Visit) -> Visit:
        return self.guide_.relearn(visit)

    def rescore(self, frontier: Frontier) -> Floats | None:
        return self.guide_.rescore(frontier)

    def reorder_due(self, pages: int) -> bool:
        return self.guide_.reorder_due(pages)

    def readings(self) -> dict[str, float]:
        return self.guide_.readings()

    def explain_link(self, visit: Visit, link: int) -> dict[str, float]:
        return self.guide_.explain_link(visit, link)

    def context(self, visit: Visit) -> Spans | None:
        return self.guide_.context(visit)

    def explain(self, visit: Visit) -> dict[str, float]:
        return self.guide_.explain(visit)

    def state(self) -> dict[str, Any]:
        return self.guide_.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.guide_.restore(state)
