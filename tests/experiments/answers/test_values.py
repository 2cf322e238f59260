"""Values at a moment and as area: repetitions first, over the same part of the crawl."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pytest

from apps.experiments.answers.values import area, over_topics, table
from tests.experiments.made_outcomes import made

RECALL = "target_recall"


def test_repetitions_are_averaged_first_however_many_there_are():
    found = made(values={(0, 0): [{RECALL: [0.2] * 10}, {RECALL: [0.4] * 10}],
                         (0, 1): {RECALL: [0.5] * 10}}, repetitions=2)  # fmt: skip
    assert table(found, RECALL, 100)[0].tolist() == pytest.approx([0.3, 0.5])
    assert table(found, RECALL, None)[0].tolist() == pytest.approx([0.3, 0.5])


def test_a_crawl_that_ended_before_keeps_its_last_value():
    found = made(values={(0, 0): {RECALL: [0.1, 0.2]}, (0, 1): {RECALL: [0.1] * 10}})
    assert table(found, RECALL, 100)[0, 0] == 0.2
    # Of 91 pages with a sample (from 10 on) the first ten have 0.1, the others 0.2.
    assert table(found, RECALL, None)[0, 0] == pytest.approx((10 * 0.1 + 81 * 0.2) / 91)


def test_the_area_is_taken_where_all_crawlers_of_the_topic_have_a_value():
    curves = np.array([
        [[nan, 0.2, 0.4, 0.6], [0.9, 0.1, 0.1, 0.1], [nan] * 4],
        [[0.1, 0.2, 0.3, 0.4], [nan, nan, 0.5, 0.7], [0.0, 0.0, 0.2, 0.2]],
        [[0.1, nan, nan, nan], [nan, 0.5, 0.5, 0.5], [1.0] * 4],
    ])  # fmt: skip
    found = area(curves)
    assert found[0, :2].tolist() == pytest.approx([0.4, 0.1])
    assert isnan(found[0, 2])
    assert found[1].tolist() == pytest.approx([0.35, 0.6, 0.2])
    assert np.isnan(found[2]).all()


def test_a_mean_over_topics_has_its_standard_error():
    found = over_topics(np.array([1.0, nan, 2.0, 3.0]))
    assert (found.n, found.mean) == (3, 2.0)
    assert found.error == pytest.approx(1 / sqrt(3))
    assert over_topics(np.array([nan])).mean is None
