from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.evaluation.precision_recall import at_levels, f1, precision_recall_curve

# Relevant at t = 1, 4 and 5 of 6 pages; 4 relevant pages there are.
CRAWL = [True, False, False, True, True, False]


def test_the_curve_follows_every_page():
    curve = precision_recall_curve(CRAWL, 4)
    assert curve.precision.tolist() == [1, 1 / 2, 1 / 3, 2 / 4, 3 / 5, 3 / 6]
    assert curve.recall.tolist() == [1 / 4, 1 / 4, 1 / 4, 2 / 4, 3 / 4, 3 / 4]


def test_a_level_takes_the_precision_of_its_moment_and_the_best_from_there_on():
    tenth, half, all_ = at_levels(CRAWL, 4)
    assert (tenth.precision, tenth.interpolated, tenth.reached) == (1, 1, True)
    assert (half.precision, half.interpolated, half.reached) == (2 / 4, 3 / 5, True)
    assert (all_.precision, all_.interpolated, all_.reached) == (3 / 6, 3 / 6, False)


def test_f1_is_that_of_the_level():
    levels = at_levels(CRAWL, 4)
    assert [level.f1 for level in levels] == pytest.approx([0.2 / 1.1, 0.5, 1 / 1.5])
    assert f1(0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("precision", "recall", "printed"),
    [
        (0.32, 0.5, 0.39),
        (0.15, 1.0, 0.26),
        (0.37, 0.5, 0.43),
        (0.21, 1.0, 0.35),
        (0.88, 0.1, 0.18),
        (0.72, 0.5, 0.59),
        (0.54, 1.0, 0.70),
    ],
)
def test_f1_follows_from_the_precisions_that_the_paper_prints(precision, recall, printed):
    assert f1(precision, recall) == pytest.approx(printed, abs=0.006)


def test_a_tenth_of_thirty_is_three_and_not_four():
    crawl = [True] * 3 + [False] * 7
    assert at_levels(crawl, 30, (0.1,))[0].precision == 1.0


def test_nothing_to_recall_is_refused():
    with pytest.raises(ValueError, match="at least one relevant"):
        at_levels([True], 0)
    with pytest.raises(ValueError, match="without pages"):
        at_levels([], 3)


@given(
    st.lists(st.booleans(), min_size=1, max_size=40),
    st.integers(0, 10),
    st.sampled_from([0.1, 0.25, 0.5, 0.9, 1.0]),
)
def test_it_agrees_with_counting_by_hand(relevant, missed, level):
    total = sum(relevant) + missed
    if total == 0:
        return
    point = at_levels(relevant, total, (level,))[0]
    precisions = [sum(relevant[: t + 1]) / (t + 1) for t in range(len(relevant))]
    reached = [t for t in range(len(relevant)) if sum(relevant[: t + 1]) >= level * total - 1e-9]
    reached = [t for t in reached if sum(relevant[: t + 1]) >= 1]
    at = reached[0] if reached else len(relevant) - 1
    assert point.reached == bool(reached)
    assert point.precision == pytest.approx(precisions[at])
    assert point.interpolated == pytest.approx(max(precisions[at:]))
    assert np.isfinite(point.f1)
