from __future__ import annotations

import numpy as np
import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.mean_curves import BARS, TABLE_ROWS, course_figure, mean_curves
from apps.figures.axis import Axis
from tests.experiments.made_outcomes import made

VALUES = {
    (0, 0): {"target_recall": [0.1, 0.2]},
    (1, 0): {"target_recall": [0.3, 0.6]},
    (0, 1): {"target_recall": [0.0, np.nan]},
    (1, 1): {"target_recall": [0.1, 0.1]},
}
TWO = asked_of(made(values=VALUES, every=5, budget=10, at=10))


def test_means_and_standard_errors_by_hand() -> None:
    first, second = mean_curves(TWO, "target_recall")
    assert [*first.x] == list(range(1, 11))
    at_5, at_10 = 4, 9
    # Of .1 and .3: the mean .2, the deviation .1414, the error .1; of .2 and .6: .4 and .2.
    assert (first.y[at_5], first.errors[at_5]) == pytest.approx((0.2, 0.1))
    assert (first.y[at_10], first.errors[at_10]) == pytest.approx((0.4, 0.2))
    # One topic is unknown at the end: the mean of the other alone has no error.
    assert (second.y[at_10], second.errors[at_10]) == (0.1, None)
    assert first.y[0] is None


def test_error_bars_of_several_crawlers_stand_beside_each_other() -> None:
    samples = {key: {"diversity": np.arange(100.0)} for key in VALUES}
    asked = asked_of(made(values=samples, every=1))
    first, second = mean_curves(asked, "diversity")
    assert max(first.bars) == 99 and not {*first.bars} & {*second.bars}
    assert BARS <= len(first.bars) <= BARS + 1


def test_a_crawler_in_grey_has_no_error_bars_and_lies_below() -> None:
    samples = {(topic, crawler): {"diversity": [1.0]} for topic in range(2) for crawler in range(3)}
    three = made(("full_page", "breadth_first", "best_first"), values=samples, every=1)
    curves = mean_curves(asked_of(three, drawn=(2,)), "diversity")
    assert [curve.label for curve in curves] == ["Breadth-first", "Full page", "Best-first"]
    assert not curves[0].bars and not curves[0].mark and curves[1].mark == "circle-open"


def test_it_is_read_aloud_with_its_last_values_and_listed_at_some_of_its_points() -> None:
    figure = course_figure(TWO, "target_recall", "Recall", Axis("recall", "share"), "Nothing")
    assert figure.reading == (
        "Recall, mean of 2 topics ± standard error, after 10 pages: "
        "Full page 40\u202f% ± 20\u202f%, Breadth-first 10\u202f%."
    )
    samples = {key: {"diversity": np.arange(100.0)} for key in VALUES}
    long = course_figure(
        asked_of(made(values=samples, every=1)),
        "diversity",
        "Sites",
        Axis("sites", "count"),
        "Nothing",
    )
    assert len(long.as_table().rows) == TABLE_ROWS and len(long.as_data().rows) == 200
    assert long.as_table().rows[-1][0] == "100"


def test_only_the_crawlers_wanted_are_drawn() -> None:
    assert [curve.label for curve in mean_curves(TWO, "target_recall", (1,))] == ["Breadth-first"]
    assert not course_figure(TWO, "alpha", "α", Axis("α", "score"), "No α").has_values
