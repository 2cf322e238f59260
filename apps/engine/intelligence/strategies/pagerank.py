"""PageRank: ranks URLs by the ranks of the pages that link to them."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph, crawl_graph
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.reordered import Reordered
from apps.engine.model import Floats, Visit


def pagerank(web: CrawlGraph, damping: float, iterations: int) -> Floats:
    """PageRank of every node of a web; it sums to 1.

    The iteration starts from a uniform rank. A node without out-links jumps to all other
    nodes (HCLA §5.1). **Erratum** (HCLA eq. 11): as printed the ranks sum to the number of nodes;
    (1 − d) must be divided by it, and the jump has probability 1 − d.
    """
    n = web.nodes
    links = np.bincount(web.source, minlength=n)
    share = 1.0 / np.maximum(links, 1)
    dangling = links == 0
    rank = np.full(n, 1.0 / max(n, 1))
    for _ in range(iterations):
        passed = np.bincount(web.target, (rank * share)[web.source], n)
        loose = rank * dangling
        jumped = (loose.sum() - loose) / max(n - 1, 1)
        rank = (1 - damping) / n + damping * (passed + jumped)
    return rank


class Pagerank(Reordered, Explains):
    """Gives a URL its PageRank over the fetched pages and the frontier (HCLA §5.1, PR).

    **Choice**: only links to fetched pages and waiting URLs count. **Erratum** (eq. 11): as printed
    the ranks sum to the number of nodes; (1 − d) is divided by it.

    Parameters:
        damping: the probability of following a link rather than jumping to a random node.
        iterations: steps of the iteration; the ranking is stable after about 10.
    """

    formula = "PageRank of v, over the largest"
    id = "pagerank"
    title = "PageRank"
    paper = "HCLA"
    section = "HCLA §2.2.1, §5.1"
    advice = "For pages that important pages link to, whatever their topic."

    def __init__(
        self,
        *,
        damping: Annotated[float, NumberRange(0, 1), Symbol("d")] = 0.8,
        iterations: Annotated[int, NumberRange(1, 200)] = 10,
        reorders_every: Annotated[int, NumberRange(1, 100_000), Symbol("N")] = 50,
        first_reorder: Annotated[int, NumberRange(0, 100_000)] = 0,
    ) -> None:
        super().__init__(reorders_every=reorders_every, first_reorder=first_reorder)
        self.damping = damping
        self.iterations = iterations

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"d": self.damping}

    def rank(self, frontier: WaitingUrls) -> Floats:
        web = crawl_graph(self.graph_, frontier.numbers)
        return web.frontier(pagerank(web, self.damping, self.iterations))
