"""A crawler that sees the labels: the upper bound for judging one link ahead."""

from __future__ import annotations

from collections.abc import Set
from typing import Self

import numpy as np

from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit


class Oracle(Strategy):
    """Gives a link 1 if its page is relevant, else 0: an upper bound, never offered for crawls."""

    id = "oracle"
    title = "Oracle (sees labels one link ahead)"
    paper = ""
    section = ""
    advice = "An upper bound for the other figures."
    scores = "urls"

    def __init__(self, relevant: Set[str] = frozenset()) -> None:
        self.relevant = relevant

    def fit(self, topic: TopicModel) -> Self:
        return self

    def score_links(self, visit: Visit) -> Floats:
        return np.array([float(url in self.relevant) for url in visit.links.urls])
