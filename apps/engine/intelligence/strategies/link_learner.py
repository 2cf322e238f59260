"""The base class of strategies that learn from links whose targets were fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.link_memory import LinkMemory
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.classified import (
    Classified,
    Classifier,
    Idf,
    Weighting,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit

Mode = Literal["online", "offline"]


class LinkLearner(Classified):
    """A strategy that learns from links (u, v) of fetched pages to predict the relevance of v.

    Online it trains after `first_reorder` pages and then every `reorders_every`, and re-scores the
    whole frontier each time. Offline it trains once, on an earlier crawl.

    Parameters:
        mode: online learns during the crawl; offline learns once, from an earlier crawl.
        first_reorder: pages before the first training; until then a simpler score is used.
        reorders_every: pages between two trainings.
    """

    learns_from_pages = True
    reads = "page"
    memory_: LinkMemory

    def __init__(
        self,
        *,
        mode: Mode,
        first_reorder: int,
        reorders_every: int,
        classifier: Classifier,
        weighting: Weighting,
        idf: Idf,
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.mode: Mode = mode
        self.first_reorder = first_reorder
        self.reorders_every = reorders_every

    def needed(self) -> frozenset[Need]:
        needs = super().needed()
        return needs | {Need.CRAWL} if self.mode == "offline" else needs

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        if self.mode == "offline" and not topic.topic.earlier:
            raise NeedsMissing(Need.CRAWL, "needs the pages of an earlier crawl")
        return self

    def reorder_due(self, pages: int) -> bool:
        return self.mode == "online" and super().reorder_due(pages)

    def relearn(self, visit: Visit) -> Visit:
        self.memory_.judge(visit)
        return visit

    def rescore(self, frontier: WaitingUrls) -> Floats | None:
        """Trains and scores all waiting URLs; None if there are no training links yet."""
        values = self.trained_scores()
        if values is None:
            return None
        row, page = frontier.edges()
        edge = self.memory_.graph.edge_indices(page, frontier.numbers[row])
        scores = np.zeros(len(edge))
        scores[edge >= 0] = values[edge[edge >= 0]]
        return frontier.combine(scores)

    def trained_scores(self) -> Floats | None:
        """Trains a model and scores each stored link in [0, 1]; None without training links."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        return self.memory_.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.memory_.restore(state)
