from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.intelligence.strategies.hits import authorities


def test_the_authority_that_better_hubs_link_to_wins():
    # 0 → 2, 0 → 3, 1 → 3; 2 and 3 wait. Aᵀ·A over (2, 3) is [[1, 1], [1, 2]]: its first
    # eigenvector is (1, φ) with φ = (1 + √5)/2, of unit length (.526, .851).
    web = CrawlGraph(2, 2, np.array([0, 0, 1]), np.array([2, 3, 3]))
    scores = authorities(web, 50)
    golden = (1 + 5**0.5) / 2
    assert scores[:2].tolist() == [0.0, 0.0]
    assert scores[3] / scores[2] == pytest.approx(golden)
    assert float(np.linalg.norm(scores)) == pytest.approx(1.0)


def test_many_iterations_stay_finite():
    # Without normalisation 10 steps on five nodes reach 1.6·10⁹.
    source, target = np.array([(u, v) for u in range(5) for v in range(5) if u != v]).T
    assert np.isfinite(authorities(CrawlGraph(5, 0, source, target), 200)).all()


def test_a_web_without_links_has_no_authority():
    none = np.empty(0, np.int64)
    assert authorities(CrawlGraph(2, 1, none, none), 5).tolist() == [0.0, 0.0, 0.0]
