from __future__ import annotations

import pytest

from apps.experiments.figures.accuracy_over_dmax import KINDS, OFFSETS, AccuracyOverDmax
from tests.experiments.figures.made_study import NOTHING, STUDY


def test_means_over_topics_at_each_dmax_by_hand() -> None:
    figure = AccuracyOverDmax().of_study(STUDY, OFFSETS)
    reports, plain = figure.traces
    # .6 and .8, growing by .01: mean .7 at 0 and .75 at 5, standard error .1.
    assert (reports.y[0], reports.y[5], reports.errors[5]) == pytest.approx((0.7, 0.75, 0.1))
    assert [*plain.y] == pytest.approx([0.7] * 9) and [*reports.x] == [*range(9)]
    assert "80 links of Full page, mean of 2 topics" in figure.reading
    assert [trace.label for trace in AccuracyOverDmax().of_study(STUDY, KINDS).traces] == [
        "HIGH links",
        "LOW links",
        "all",
    ]


def test_without_links_it_reports_that() -> None:
    figure = AccuracyOverDmax().of_study(NOTHING, KINDS)
    assert not figure.has_values and "Too few links" in figure.empty
