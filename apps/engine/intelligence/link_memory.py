"""Links of fetched pages, remembered until their targets are fetched and teach what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.columns import Column
from apps.engine.intelligence.link_graph import LinkGraph
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import CrawledPage, Floats, Judgement, Longs, Visit

Cut = Literal["median", "half"]
Critic = Callable[[Visit], Judgement]
LEAST_SHARE = 0.1


class LinkMemory:
    """The links (u, v) of a crawl, numbered as `graph.edges()` numbers them, and every page's τ."""

    def __init__(self) -> None:
        self.graph = LinkGraph()
        self.tau = Column(np.nan)

    def remember(self, visit: Visit) -> None:
        """Takes a page with its τ and its links."""
        self.graph.add(visit.url_number, visit.link_numbers)
        self.judge(visit)

    def judge(self, visit: Visit) -> None:
        """Takes the τ of a page, which the links to it are labelled by.

        A page that shows its words to scripts alone labels none: its τ says nothing of it.
        """
        tau = None if visit.document.needs_javascript else visit.topicality
        self.tau.set(visit.url_number, np.nan if tau is None else tau)

    def targets(self) -> Floats:
        """τ of each link's target; NaN where it has not been fetched."""
        return self.tau[self.graph.edges()[1]]

    def state(self) -> dict[str, Any]:
        graph = {f"graph_{name}": array for name, array in self.graph.state().items()}
        return {"tau": self.tau.array(), **graph}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.tau.restore(state["tau"])
        arrays = {name: state[f"graph_{name}"] for name in ("sources", "ends", "targets")}
        self.graph.restore(arrays)


def threshold(taus: Floats, cut: Cut) -> float:
    """The τ from which on a page is HIGH: the median of these, or 0.5.

    **Choice**: 0.5 too where ties leave less than a tenth of the links HIGH or LOW.
    """
    known = taus[~np.isnan(taus)]
    if cut == "half" or not known.size:
        return 0.5
    median = float(np.median(known))
    high = float((known >= median).mean())
    return median if LEAST_SHARE <= high <= 1 - LEAST_SHARE else 0.5


def is_high(taus: Floats, at_least: float) -> NDArray[np.bool_]:
    """Which pages are HIGH; an unknown one is not."""
    high: NDArray[np.bool_] = taus >= at_least
    return high


def earlier_visits(topic: TopicModel, critic: Critic) -> Iterator[Visit]:
    """The pages of the topic's earlier crawl, once each, as a strategy would have seen them: with
    the critic's τ.
    """
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
