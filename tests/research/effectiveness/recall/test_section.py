"""The section on estimated recall: known answers."""

from __future__ import annotations

import math

import pytest

from apps.engine.evaluation.estimated_recall import (
    WIDER_BY_JUDGES,
    WIDER_BY_LABELS,
    RecallEstimate,
)
from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.recall.calibration import factor_needed, factor_of
from apps.research.effectiveness.recall.result import Moment, Reading, ReadTopic, RecallResult
from apps.research.effectiveness.recall.study import BY_JUDGES, BY_LABELS, BY_TRUTH
from tests.research.effectiveness.made_results import PLAN, result
from tests.research.effectiveness.test_document import row
from tests.running_site import ROOT

WEBS = [result("dune", 0.45, 0.46), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.45)]


def reading(**values) -> Reading:
    return Reading(fetched=10.0, **values)


def made(web: str, most: int) -> RecallResult:
    """Four topics of 20 pages, half of which are found. By the labels all intervals hold that, by
    the judges those of the first topic only, by both those of a web of which ten may be left at
    the `most`, or more."""
    topics = []
    for number in range(4):
        # The intervals of the share: .4 to .8, .1 to .625 or .4, and .5 or .625 to .91.
        estimates = {
            BY_TRUTH: reading(low=3, left=8, high=15, soon=4.0),
            BY_JUDGES: reading(low=6 if number == 0 else 15, left=23, high=90, soon=30.0),
            BY_LABELS: reading(low=1, left=6, high=most, soon=6.0),
        }
        moments = tuple(
            Moment(at=at, fetched=10, added=added, estimates=estimates)
            for at, added in ((100, 4), (500, None))
        )
        topics.append(ReadTopic(topic=str(number), reachable=20, moments=moments))
    return RecallResult(web=web, command="", pages=1550, topics=tuple(topics))


def test_it_counts_the_intervals_that_hold_the_truth() -> None:
    text = write_document(PLAN, WEBS, recalls=[made("dune", 10), made("heath", 6)])
    assert row(text, BY_TRUTH)[1:] == [
        "100 % (0.37)",
        "100 % (0.37)",
        "100 % (0.37)",
        "+6 points",
        "16",
    ]
    assert row(text, BY_JUDGES)[1:] == [
        "25 % (0.36)",
        "25 % (0.36)",
        "25 % (0.36)",
        "−20 points",
        "16",
    ]
    assert row(text, BY_LABELS)[1:4] == ["100 % (0.41)", "0 % (0.28)", "50 % (0.35)"]
    assert row(text, BY_LABELS, 2)[1:] == ["50 % (0.35)", "50 % (0.35)"]
    assert row(text, BY_TRUTH, 2)[1:] == ["4.0", "4.0", "4.0", "4.0", "100 %", "8"]
    assert row(text, BY_JUDGES, 3)[1:] == ["30.0", "4.0", "30.0", "4.0", "0 %", "8"]
    assert (
        "holds the truth by the web's labels in 100 %, by the judges in 25 %, by the judges, 30"
        " labels in 50 % of the cases before it is widened; the goal is 85 %."
    ) in text


def test_each_web_has_the_factor_that_the_others_ask_for() -> None:
    webs = [made("dune", 10), made("heath", 6)]
    text = write_document(PLAN, WEBS, recalls=webs)
    # Ten pages are left; the judges say fifteen at the least of three topics.
    assert factor_of(webs, BY_JUDGES) == pytest.approx(15 / 11, rel=0.06)
    assert row(text, BY_JUDGES, 1)[1:] == [
        "100 % (0.48), × 1.4",
        "100 % (0.48), × 1.4",
        "100 % (0.48)",
    ]
    assert row(text, BY_LABELS, 1)[1:] == [
        "100 % (0.62), × 1.6",
        "0 % (0.28), × 1.0",
        "50 % (0.45)",
    ]


def test_what_no_factor_makes_right_asks_for_an_infinite_one() -> None:
    assert factor_needed(RecallEstimate(10.0, 5, 8, 12, 0.0), 0.0) == math.inf
    assert factor_needed(RecallEstimate(10.0, 5, 8, 12, 0.0), 0.5) == 1.0
    assert factor_needed(RecallEstimate(10.0, 5, 8, 12, 0.0), 1.0) == pytest.approx(5, rel=0.06)


def test_the_product_widens_by_what_the_saved_results_ask_for() -> None:
    results = RecallResult.read_all(ROOT / "docs" / "effectiveness")
    assert factor_of(results, BY_JUDGES) == pytest.approx(WIDER_BY_JUDGES, rel=0.1)
    assert factor_of(results, BY_LABELS) == pytest.approx(WIDER_BY_LABELS, rel=0.1)


def test_topics_of_which_nothing_can_be_reached_are_left_out() -> None:
    nothing = ReadTopic(topic="x", reachable=0, moments=())
    text = write_document(PLAN, WEBS, recalls=[made("dune", 10).with_topic(nothing)])
    assert row(text, BY_TRUTH)[-1] == "8"


def test_without_results_there_is_no_section() -> None:
    assert "## Estimated recall" not in write_document(PLAN, WEBS)
