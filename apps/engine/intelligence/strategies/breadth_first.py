"""Breadth-first: fetches links in order of discovery."""

from __future__ import annotations

from typing import Self

import numpy as np

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit


class BreadthFirst(Strategy):
    """Gives every link the same priority, so that the one discovered first is fetched first.

    A crawler that ignores the topic (BRFS in HCLA §5.1; SLC §5.3).
    """

    id = "breadth_first"
    title = "Breadth-first"
    paper = "HCLA"
    section = "HCLA §3.2, SLC §5.3"
    advice = "What a crawl finds without any guidance; needs nothing but seeds."
    scores = "urls"
    formula = "1; in order of discovery"

    def fit(self, topic: TopicModel) -> Self:
        return self

    def score_links(self, visit: Visit) -> Floats:
        return np.ones(len(visit.links))
