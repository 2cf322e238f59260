"""The web a crawl knows of: the fetched pages A, the waiting URLs F, and the links among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.intelligence.link_graph import LinkGraph
from apps.engine.model import Floats, Longs


@dataclass(frozen=True, slots=True)
class KnownWeb:
    """Nodes 0 … fetched − 1 are the fetched pages in order, the others the waiting URLs in order.

    `source` and `target` are the nodes of each link; links to URLs that are neither fetched nor
    waiting (failed, left out) are no part of it.
    """

    fetched: int
    waiting: int
    source: Longs
    target: Longs

    @property
    def nodes(self) -> int:
        return self.fetched + self.waiting

    def frontier(self, values: Floats) -> Floats:
        """The part of one value a node that belongs to the waiting URLs."""
        return values[self.fetched :]


def known_web(graph: LinkGraph, waiting: Longs) -> KnownWeb:
    """The web over the pages of `graph` and the URL numbers `waiting`."""
    pages = graph.sources()
    highest = max(graph.nodes, int(waiting.max(initial=-1)) + 1)
    node = np.full(highest, -1, np.int64)
    node[waiting] = np.arange(len(waiting)) + len(pages)
    node[pages] = np.arange(len(pages))
    source, target = graph.edges()
    ends = node[target]
    kept = ends >= 0
    return KnownWeb(len(pages), len(waiting), node[source[kept]], ends[kept])
