"""A crawler that sees labels and in-links: how much status topicality leaves room for."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Self

import numpy as np

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit

HALF = 0.5


class StatusOracle(Strategy):
    """Takes relevant pages first and, of equals, those with the most in-links; it sees both one
    link ahead, and is never offered for crawls. `inlinks` are counts by URL."""

    id = "status_oracle"
    title = "Oracle (sees labels and in-links one link ahead)"
    paper = ""
    section = ""
    advice = "Shows what room there is."
    scores = "urls"

    def __init__(
        self, relevant: Set[str] = frozenset(), inlinks: Mapping[str, float] | None = None
    ) -> None:
        self.relevant = relevant
        self.inlinks = inlinks or {}

    def fit(self, topic: TopicModel) -> Self:
        self.most_ = np.log1p(max(self.inlinks.values(), default=0)) or 1.0
        return self

    def score_links(self, visit: Visit) -> Floats:
        urls = visit.links.urls
        relevant = np.array([url in self.relevant for url in urls], np.float64)
        counts = np.array([self.inlinks.get(url, 0) for url in urls], np.float64)
        scores: Floats = HALF * relevant + HALF * np.log1p(counts) / self.most_
        return scores
