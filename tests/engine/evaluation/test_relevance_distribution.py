from __future__ import annotations

import pytest

from apps.engine.evaluation.relevance_distribution import relevance_distribution


def test_an_interval_holds_its_lower_edge_and_the_last_one_holds_one():
    edges, counts = relevance_distribution([0.0, 0.24, 0.25, 0.5, 1.0, 0.99], bins=4)
    assert edges.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert counts.tolist() == [2, 1, 1, 2]


def test_what_is_no_probability_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        relevance_distribution([0.5, 1.2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        relevance_distribution([float("nan")])


def test_each_tenth_holds_its_lower_edge():
    _, counts = relevance_distribution([i / 10 for i in range(11)])
    assert counts.tolist() == [1] * 9 + [2]
