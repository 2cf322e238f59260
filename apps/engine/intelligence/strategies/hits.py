"""HITS: ranks URLs by the hub scores of the pages that link to them."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph, crawl_graph
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.model import Floats, Longs


def authorities(web: CrawlGraph, iterations: int) -> Floats:
    """The authority score of every node of a web (HCLA eq. 12–13), of unit length.

    **Erratum**: without normalisation the scores diverge; both vectors are scaled to unit length
    at every step.
    """
    authority = np.ones(web.nodes)
    for _ in range(iterations):
        hub = _propagate(web.source, authority[web.target], web.nodes)
        authority = _propagate(web.target, hub[web.source], web.nodes)
    return authority


def _propagate(ends: Longs, values: Floats, nodes: int) -> Floats:
    """The sum of `values` over the links at each node, scaled to unit length."""
    sums: Floats = np.bincount(ends, values, nodes).astype(np.float64)
    length = float(np.linalg.norm(sums))
    return sums / length if length > 0 else sums


class Hits(Reordered):
    """Gives a URL its authority score over the fetched pages and the frontier (HCLA §2.2.2).

    An addition: HCLA describes HITS but did not run it (§4: it "cannot be applied" without a root
    set). Here the whole crawl graph is the root set. **Erratum** (eq. 12–13): without scaling the
    scores diverge; both vectors have unit length at every step.

    Parameters:
        iterations: steps of the iteration, each a new hub and a new authority score.
    """

    formula = "authority of v, over the largest"
    id = "hits"
    title = "HITS"
    paper = "HCLA"
    section = "HCLA §2.2.2"
    advice = "For authorities that many lists of links agree on; drifts to the densest region."

    def __init__(
        self,
        *,
        iterations: Annotated[int, NumberRange(1, 200)] = 20,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)
        self.iterations = iterations

    def rank(self, frontier: WaitingUrls) -> Floats:
        web = crawl_graph(self.graph_, frontier.numbers)
        return web.frontier(authorities(web, self.iterations))
