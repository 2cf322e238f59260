"""Mean courses over topics, as scipy has them."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from scipy.stats import sem

from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.trajectories import trajectories
from tests.experiments.made_outcomes import made


def test_a_trajectory_is_the_mean_of_the_topics_that_have_a_value():
    rows = [[nan, 0.2, 0.3], [nan, nan, 0.5], [nan, 0.6, 0.4]]
    results = made(
        ("full_page",),
        "abc",
        {(t, 0): {"target_recall": row} for t, row in enumerate(rows)},
        every=10,
    )
    (course,) = trajectories(results, TargetRecall)
    at = [results.grid.tolist().index(pages) for pages in (10, 20, 30)]
    assert course.topics[at].tolist() == [0, 2, 3]
    assert isnan(course.mean[at[0]])
    assert course.mean[at[1:]].tolist() == pytest.approx([0.4, 0.4])
    expected = [sem(np.array(values)) for values in ([0.2, 0.6], [0.3, 0.5, 0.4])]
    assert course.error[at[1:]].tolist() == pytest.approx(expected)


def test_one_topic_has_no_error_and_none_no_mean():
    results = made(("full_page", "hits"), ("a",), {(0, 0): {"target_recall": [0.5]}})
    one, none = trajectories(results, TargetRecall)
    assert one.mean[-1] == 0.5
    assert np.isnan(one.error).all()
    assert np.isnan(none.mean).all()
    assert not none.topics.any()
