"""Values at a moment and as area: repetitions first, and over the same part of the crawl."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pytest

from apps.experiments.results.values import over_topics, table, values_at, values_of
from tests.experiments.made_outcomes import made

RECALL, HARVEST = "target_recall", "harvest_rate"
GRID = np.array([10, 20, 30, 40])


def test_repetitions_are_averaged_first_however_many_there_are():
    results = made(
        values={(0, 0): [{RECALL: [0.2] * 10}, {RECALL: [0.4] * 10}], (0, 1): {RECALL: [0.5] * 10}},
        repetitions=2,
    )
    assert table(results, RECALL, 100)[0].tolist() == pytest.approx([0.3, 0.5])
    assert table(results, RECALL, None)[0].tolist() == pytest.approx([0.3, 0.5])


def test_recall_holds_after_a_crawl_has_ended():
    results = made(values={(0, 0): {RECALL: [0.1, 0.2]}, (0, 1): {RECALL: [0.1] * 10}})
    values = values_of(results, RECALL, 100)
    assert (values.table[0, 0], values.earlier[0]) == (0.2, False)
    # Of 91 pages with a sample (from 10 on) the first ten have 0.1, the others 0.2.
    assert table(results, RECALL, None)[0, 0] == pytest.approx((10 * 0.1 + 81 * 0.2) / 91)


def test_a_rate_is_read_at_equal_pages_where_a_crawl_has_ended():
    falling = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]
    results = made(values={(0, 0): {HARVEST: [0.7, 0.6]}, (0, 1): {HARVEST: falling}})
    values = values_of(results, HARVEST, 100)
    assert values.table[0].tolist() == [0.6, 0.8]
    assert values.earlier.tolist() == [True, False]
    # Alone, each crawler stands at its own end.
    assert table(results, HARVEST, 100, [1])[0].tolist() == [0.0]
    assert not values_of(results, HARVEST, 100, [1]).earlier.any()
    assert table(results, HARVEST, 20)[0].tolist() == [0.6, 0.8]
    assert not values_of(results, HARVEST, 20).earlier.any()


def test_the_area_is_taken_where_all_crawlers_of_the_topic_have_a_value():
    curves = np.array(
        [
            [[nan, 0.2, 0.4, 0.6], [0.9, 0.1, 0.1, 0.1], [nan] * 4],
            [[0.1, 0.2, 0.3, 0.4], [nan, nan, 0.5, 0.7], [0.0, 0.0, 0.2, 0.2]],
            [[0.1, nan, nan, nan], [nan, 0.5, 0.5, 0.5], [1.0] * 4],
        ]
    )
    values = values_at(curves, GRID, None).table
    assert values[0, :2].tolist() == pytest.approx([0.4, 0.1])
    assert isnan(values[0, 2])
    assert values[1].tolist() == pytest.approx([0.35, 0.6, 0.2])
    assert np.isnan(values[2]).all()


def test_crawlers_that_share_no_page_have_no_value():
    curves = np.array([[[0.1, nan, nan, nan], [nan, 0.5, 0.5, 0.5]]])
    assert np.isnan(values_at(curves, GRID, 40).table).all()


def test_a_mean_over_topics_has_its_standard_error():
    means = over_topics(np.array([1.0, nan, 2.0, 3.0]))
    assert (means.n, means.mean) == (3, 2.0)
    assert means.error == pytest.approx(1 / sqrt(3))
    assert over_topics(np.array([nan])).mean is None
