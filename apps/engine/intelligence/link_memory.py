"""Stores the links of fetched pages; the pages they lead to label them for learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.link_graph import LinkGraph
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit
from apps.engine.topics import CrawledPage

Cut = Literal["median", "half"]
Critic = Callable[[Visit], Judgement]
LEAST_SHARE = 0.1


class LinkMemory:
    """The links (u, v) of a crawl, in the order of `graph.edges()`, and the τ of every page."""

    def __init__(self) -> None:
        self.graph = LinkGraph()
        self.tau = UrlColumn(np.nan)

    def remember(self, visit: Visit) -> None:
        """Adds a page with its τ and its links."""
        self.graph.add(visit.url_number, visit.link_numbers)
        self.judge(visit)

    def judge(self, visit: Visit) -> None:
        """Stores the τ of a page, which labels the links to it.

        A page that needs scripts to show its text labels no links, since its τ is meaningless.
        """
        tau = visit.topicality if visit.document.can_be_judged else None
        self.tau.set(visit.url_number, np.nan if tau is None else tau)

    def targets(self) -> Floats:
        """The τ of each link's target; NaN if it has not been fetched."""
        return self.tau[self.graph.edges()[1]]

    def state(self) -> dict[str, Any]:
        graph = {f"graph_{name}": array for name, array in self.graph.state().items()}
        return {"tau": self.tau.array(), **graph}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.tau.restore(state["tau"])
        arrays = {name: state[f"graph_{name}"] for name in ("sources", "ends", "targets")}
        self.graph.restore(arrays)


def threshold(taus: Floats, cut: Cut) -> float:
    """The least τ of a HIGH page: the median of `taus`, or 0.5.

    **Choice**: also 0.5 if, due to ties, less than a tenth of the links would be HIGH or LOW.
    """
    defined = taus[~np.isnan(taus)]
    if cut == "half" or not defined.size:
        return 0.5
    median = float(np.median(defined))
    high = float((defined >= median).mean())
    return median if LEAST_SHARE <= high <= 1 - LEAST_SHARE else 0.5


def is_high(taus: Floats, at_least: float) -> NDArray[np.bool_]:
    """Whether each page is HIGH; NaN is not."""
    high: NDArray[np.bool_] = taus >= at_least
    return high


def earlier_visits(topic: TopicModel, critic: Critic) -> Iterator[Visit]:
    """The distinct pages of the topic's earlier crawl, as visits with the critic's τ."""
    numbers: dict[str, int] = {}
    seen: set[str] = set()
    for page in topic.topic.earlier:
        if page.url not in seen:
            seen.add(page.url)
            visit = _visit(topic, page, len(seen), numbers)
            yield replace(visit, topicality=critic(visit).topicality)


def _visit(topic: TopicModel, page: CrawledPage, seq: int, numbers: dict[str, int]) -> Visit:
    links: Longs = np.array(
        [numbers.setdefault(url, len(numbers)) for url in page.document.links.urls], np.int64
    )
    return Visit(
        number=seq,
        url=page.url,
        url_number=numbers.setdefault(page.url, len(numbers)),
        parent=-1,
        depth=0,
        document=page.document,
        tokens=topic.vocabulary.encode(page.document.words),
        link_numbers=links,
    )
