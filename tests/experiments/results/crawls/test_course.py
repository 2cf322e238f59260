"""Final, best, area and the common moment, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from apps.experiments.results.crawls.course import (
    Best,
    CurveAxis,
    MeasureCurve,
    common_pages,
    course,
)
from tests.crawl_rows import made_crawl, made_topic, sampled
from tests.people import person


def curve(*points: tuple[float, float]) -> MeasureCurve:
    return MeasureCurve(*np.array(points, np.float64).T)


RISING = curve((10, 0.5), (20, 0.7), (40, 0.3))


def test_the_area_is_that_of_the_trapezia_over_the_distance():
    # 10–20: 0.6 × 10 = 6; 20–40: 0.5 × 20 = 10; together 16 over 30.
    assert RISING.area(10, 40) == pytest.approx(16 / 30)


def test_the_area_of_a_part_begins_and_ends_on_the_curve():
    # At 15 it is 0.6, at 30 it is 0.5: (0.65 × 5 + 0.6 × 10) / 15.
    assert RISING.area(15, 30) == pytest.approx(9.25 / 15)


@pytest.mark.parametrize("span", [(0, 40), (10, 50), (20, 20)])
def test_there_is_no_area_where_the_curve_does_not_reach(span):
    assert RISING.area(*span) is None


def test_the_best_value_is_the_first_of_the_highest_or_the_least_of_a_loss():
    assert RISING.best() == Best(0.7, 20)
    assert RISING.best(less_is_better=True) == Best(0.3, 40)
    assert RISING.best(after=30) == Best(0.3, 40)
    assert RISING.best(after=50) is None
    assert curve((10, 0.7), (20, 0.7)).best() == Best(0.7, 10)


def test_a_thinned_curve_keeps_its_ends_and_its_extremes():
    x = np.arange(5_000.0)
    y = np.sin(x / 50)
    y[1_234] = 9.0
    thin = MeasureCurve(x, y).thinned(200)
    assert len(thin.x) <= 200 and (thin.x[0], thin.x[-1]) == (0, 4_999)
    assert 9.0 in thin.y


@pytest.fixture
def crawl(db):
    return made_crawl(made_topic(person("ada")))


def test_a_course_has_the_samples_and_where_the_crawl_stands(crawl):
    sampled(crawl, {10: 0.5, 20: None, 25: 0.4})
    traced = course(crawl)
    assert traced.pages.tolist() == [10, 20, 25]
    assert traced.curve("harvest_rate").x.tolist() == [10, 25]
    assert traced.curve("harvest_rate", CurveAxis.MINUTES).x.tolist() == [10 / 60, 25 / 60]
    assert traced.at(25, "harvest_rate") == 0.4
    assert traced.at(20, "harvest_rate") is traced.at(15, "harvest_rate") is None
    assert traced.curve("target_recall") is None


def test_a_course_has_no_vague_estimate_of_recall(crawl):
    bounds = {"estimated_recall_low": [0.4, 0.05], "estimated_recall_high": [0.6, 0.9]}
    sampled(crawl, {10: 0.5, 20: 0.5}, estimated_recall=0.5, relevant_soon=9.0, **bounds)
    assert course(crawl).at(10, "estimated_recall") == 0.5
    assert course(crawl).at(20, "estimated_recall") is None
    assert course(crawl).at(20, "estimated_recall_low") == 0.05


def test_a_course_is_read_anew_when_the_crawl_has_gone_on(crawl):
    assert len(course(crawl).pages) == 0
    sampled(crawl, {10: 0.5})
    assert course(crawl).at(10, "harvest_rate") == 0.5


def test_the_common_number_of_pages_is_the_largest_that_all_have_a_sample_at(crawl):
    sampled(crawl, {10: 0.5, 20: 0.5, 30: 0.5})
    other = sampled(made_crawl(crawl.topic), {10: 0.5, 20: 0.5, 25: 0.5})
    third = sampled(made_crawl(crawl.topic), {7: 0.5})
    assert common_pages([course(crawl), course(other)]) == 20
    assert common_pages([course(crawl), course(third)]) is None
