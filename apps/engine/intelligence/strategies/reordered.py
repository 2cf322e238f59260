"""The base class of strategies that rank the whole frontier every N pages (HCLA's BSFS-N)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.link_graph import LinkGraph
from apps.engine.intelligence.strategies.base import Strategy, WaitingUrls
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit


class Reordered(Strategy):
    """A strategy that ranks all waiting URLs at once.

    Between two reorders, new links wait behind the ranked ones in order of discovery, so the crawl
    is breadth-first before the first one (HCLA §5.1). A reorder divides the scores by their
    maximum; they stay unchanged until the next. **Erratum** (HCLA Fig. 3, line 9): "enqueue v to
    AF" reads v to CF, and u to AF; as printed the frontier never grows.

    Parameters:
        reorders_every: pages between two reorders; small values follow the link graph closely.
        first_reorder: pages before the first reorder; 0 means the same as reorders_every.
    """

    scores = "urls"

    def __init__(self, *, reorders_every: int = 50, first_reorder: int = 0) -> None:
        self.reorders_every = reorders_every
        self.first_reorder = first_reorder

    def fit(self, topic: TopicModel) -> Self:
        self.graph_ = LinkGraph()
        self.ranked_ = UrlColumn()
        return self

    def learn(self, visit: Visit) -> None:
        self.graph_.add(visit.url_number, visit.link_numbers)

    def score_links(self, visit: Visit) -> Floats:
        return self.ranked_[visit.link_numbers]

    def rescore(self, frontier: WaitingUrls) -> Floats:
        scores = self.rank(frontier)
        highest = float(scores.max(initial=0.0))
        scores = scores / highest if highest > 0 else np.zeros(len(scores))
        self.ranked_ = UrlColumn()
        self.ranked_.set(frontier.numbers, scores)
        return scores

    def rank(self, frontier: WaitingUrls) -> Floats:
        """A non-negative score for each of `frontier.numbers`."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        graph = {f"graph_{name}": array for name, array in self.graph_.state().items()}
        return {"ranked": self.ranked_.array(), **graph}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.ranked_.restore(state["ranked"])
        arrays = {name: state[f"graph_{name}"] for name in ("sources", "ends", "targets")}
        self.graph_.restore(arrays)
