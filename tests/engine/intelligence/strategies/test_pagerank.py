from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.intelligence.strategies.pagerank import Pagerank, pagerank
from tests.engine.intelligence.strategies.toy import Waiting, visit_of


def web(fetched, waiting, links):
    source, target = np.array(links, np.int64).reshape(-1, 2).T
    return CrawlGraph(fetched, waiting, source, target)


def test_one_step_by_hand():
    # Nodes 0, 1 fetched, 2 waiting; 0 → 1, 0 → 2, 1 → 2; 2 dangles. d = 0.8, n = 3, start 1/3.
    # 0: .2/3 + .8·(1/3)/2 (2 jumps to the 2 others) = .0667 + .1333 = .2
    # 1: .2/3 + .8·(1/3/2 + 1/3/2) = .0667 + .2667 = .3333
    # 2: .2/3 + .8·(1/3/2 + 1/3) = .0667 + .4 = .4667. Sum 1.
    ranks = pagerank(web(2, 1, [(0, 1), (0, 2), (1, 2)]), 0.8, 1)
    assert ranks.tolist() == pytest.approx([0.2, 1 / 3, 0.2 + 4 / 15])


def test_ranks_sum_to_1_where_the_printed_formula_sums_to_n():
    # Five nodes; as printed the ranks would sum to 5.
    ranks = pagerank(web(3, 2, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)]), 0.8, 50)
    assert ranks.sum() == pytest.approx(1.0)


def slow(web_, damping, iterations):
    n = web_.nodes
    out = [
        [int(t) for s, t in zip(web_.source, web_.target, strict=True) if s == u] for u in range(n)
    ]
    rank = [1 / n] * n
    for _ in range(iterations):
        new = [(1 - damping) / n] * n
        for u in range(n):
            ends = out[u] or [v for v in range(n) if v != u]
            for v in ends:
                new[v] += damping * rank[u] / len(ends)
        rank = new
    return rank


def test_it_equals_the_random_surfer_walked_link_by_link():
    random = np.random.default_rng(3)
    for _ in range(10):
        pairs = {(int(u), int(v)) for u, v in random.integers(0, (6, 10), (20, 2)) if u != v}
        toy = web(6, 4, sorted(pairs))
        assert pagerank(toy, 0.8, 10).tolist() == pytest.approx(slow(toy, 0.8, 10))


def test_failed_urls_are_no_part_of_the_web(topic):
    # Page 0 links to 5, 6 and 7; 7 neither waits nor was fetched, so 5 and 6 share all of it.
    strategy = Pagerank(iterations=1).fit(topic)
    page = "<a href=/5>x</a><a href=/6>x</a><a href=/7>x</a>"
    strategy.learn(visit_of(page, topic, number=0, links=[5, 6, 7]))
    ranks = strategy.rank(Waiting([5, 6]))
    # .2/3 + .8·(1/3/2 + 1/3/2) = 1/3 each: half of 0's rank and half of the other's jump.
    assert ranks.tolist() == pytest.approx([1 / 3, 1 / 3])
