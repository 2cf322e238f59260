from __future__ import annotations

import numpy as np
import pytest

from apps.engine.evaluation.status_map import status_map


def test_pages_fall_into_the_cell_of_their_score_and_status():
    grid = status_map([0.1, 0.1, 0.9], [0.0, 0.5, 4.0], bins=2)
    assert grid.counts.tolist() == [[2, 0], [0, 1]]
    assert grid.status.tolist() == [0, 2, 4]


def test_the_densest_cells_hold_more_than_the_share():
    scores = [0.15] * 6 + [0.65] * 3 + [0.9]
    grid = status_map(scores, [0.0] * 10, bins=10)
    assert np.flatnonzero(grid.densest(0.5)[:, 0]).tolist() == [1]
    assert np.flatnonzero(grid.densest(0.6)[:, 0]).tolist() == [1, 6]
    assert grid.densest(0.9).sum() == 3


def test_an_empty_crawl_has_an_empty_map():
    grid = status_map([], [])
    assert grid.counts.sum() == grid.densest().sum() == 0


def test_a_score_without_a_count_is_refused():
    with pytest.raises(ValueError, match="1 scores for 0 counts"):
        status_map([0.5], [])
