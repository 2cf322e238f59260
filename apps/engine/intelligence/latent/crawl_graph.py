"""The graph of a crawl: the fetched pages A, the waiting URLs F, and the links among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.intelligence.link_graph import LinkGraph
from apps.engine.model import Floats, Longs


@dataclass(frozen=True, slots=True)
class CrawlGraph:
    """Nodes 0 … fetched − 1 are the fetched pages, the others the waiting URLs, both in order.

    `source` and `target` are the nodes of each link. Links to other URLs (failed, excluded) are
    left out.
    """

    fetched: int
    waiting: int
    source: Longs
    target: Longs

    @property
    def nodes(self) -> int:
        return self.fetched + self.waiting

    def frontier(self, values: Floats) -> Floats:
        """The values of the waiting URLs, from one value per node."""
        return values[self.fetched :]


@dataclass(frozen=True, slots=True)
class Folded:
    """A web in which waiting URLs with the same links are merged into one node.

    `group` has each waiting URL's index among the waiting nodes of `web`, `copies` the number of
    URLs of each of these nodes.
    """

    web: CrawlGraph
    group: Longs
    copies: Longs


def crawl_graph(graph: LinkGraph, waiting: Longs, pages: Longs | None = None) -> CrawlGraph:
    """The web of the pages of `graph` and the URL numbers `waiting`.

    `pages` are the indices of the fetched pages to include, ascending; None includes all.
    """
    fetched = graph.sources() if pages is None else graph.sources()[pages]
    highest = max(graph.nodes, int(waiting.max(initial=-1)) + 1)
    node = np.full(highest, -1, np.int64)
    node[waiting] = np.arange(len(waiting)) + len(fetched)
    node[fetched] = np.arange(len(fetched))
    source, target = (node[ends] for ends in graph.edges())
    inside = (source >= 0) & (target >= 0)
    return CrawlGraph(len(fetched), len(waiting), source[inside], target[inside])


def without_folding(web: CrawlGraph) -> Folded:
    """The web with one node per waiting URL."""
    return Folded(web, np.arange(web.waiting), np.ones(web.waiting, np.int64))


def fold(web: CrawlGraph) -> Folded:
    """Merges the waiting URLs that only one and the same page links to, and those without links."""
    waits = web.target >= web.fetched
    source, column = web.source[waits], web.target[waits] - web.fetched
    links = np.bincount(column, minlength=web.waiting)
    likeness = web.fetched + np.arange(web.waiting)
    single = links[column] == 1
    likeness[column[single]] = source[single]
    likeness[links == 0] = -1
    _, first, group, copies = np.unique(
        likeness, return_index=True, return_inverse=True, return_counts=True
    )
    first_copy = first[group[column]] == column
    target = web.fetched + group[column[first_copy]]
    within = ~waits
    return Folded(
        CrawlGraph(
            web.fetched,
            len(first),
            np.concatenate([web.source[within], source[first_copy]]),
            np.concatenate([web.target[within], target]),
        ),
        group,
        copies,
    )
