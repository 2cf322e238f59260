"""Estimated recall against other ways to compute it, and on crawls whose truth is known."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import nbinom

from apps.engine.evaluation import estimated_recall as module
from apps.engine.evaluation.estimated_recall import (
    WIDER_BY_JUDGES,
    WIDER_BY_LABELS,
    EstimatedRecall,
    RecallEstimate,
    estimate,
)
from apps.engine.model import Verdict
from tests.engine.evaluation.judged import judged

YES, NO = Verdict(3, 3, 0.9), Verdict(0, 3, 0.1)


@pytest.fixture
def steady(monkeypatch) -> None:
    """A rate that does not fall, and URLs that lead to no others."""
    monkeypatch.setattr(module, "FALLS", np.zeros(1))
    monkeypatch.setattr(module, "GROWTHS", (0.0,))


def test_a_steady_rate_goes_on_over_the_waiting_urls(steady) -> None:
    # 5 relevant pages in the second half of 100 requests: a rate of 5.5 in 50, over 50 URLs.
    estimated = estimate(np.array([3, 9, 55, 60, 70, 81, 99]), 100, 50, new=2.0)
    assert estimated.fetched == 7
    assert estimated.soon == pytest.approx(5.5)
    expected = nbinom.ppf((0.05, 0.5, 0.95), 5.5, 0.5)
    assert (estimated.low, estimated.left, estimated.high) == tuple(expected)
    assert estimated.recall() == pytest.approx([7 / (7 + left) for left in expected[::-1]])


def test_urls_that_lead_to_more_are_counted_with_them(steady, monkeypatch) -> None:
    monkeypatch.setattr(module, "GROWTHS", (3.0,))
    times = np.array([55, 60, 70, 81, 99])
    estimated = estimate(times, 100, 50, new=2.0)
    grown = estimate(times, 100, 350, new=0.0)
    assert (estimated.low, estimated.left, estimated.high) == (grown.low, grown.left, grown.high)


def test_clumps_widen_the_interval(steady) -> None:
    even = estimate(np.arange(51, 100, 3), 100, 50, new=0.0)
    clumped = estimate(np.array([*range(51, 60), *range(92, 100)]), 100, 50, new=0.0)
    assert even.left == pytest.approx(clumped.left, abs=4)
    assert clumped.high - clumped.low > 1.5 * (even.high - even.low)


def test_nothing_waits_and_nothing_was_found() -> None:
    done = estimate(np.array([1, 2, 80]), 100, 0, new=0.0)
    assert (done.low, done.left, done.high, done.soon) == (0, 0, 0, 0)
    assert done.recall() == (1, 1, 1)
    nothing = estimate(np.array([], np.int64), 100, 1000, new=0.0)
    assert nothing.low == 0 and nothing.high > 0
    assert nothing.recall()[0] == 0 < nothing.recall()[1] <= nothing.recall()[2] == 1


@pytest.mark.parametrize("fall", [-0.5, -1.0, -1.5])
def test_nine_in_ten_intervals_hold_the_truth_where_the_rate_falls_like_this(fall, monkeypatch):
    monkeypatch.setattr(module, "GROWTHS", (0.0,))
    rng, held = np.random.default_rng(5), []
    order = np.arange(1, 4001)
    chance = np.minimum(0.9, 120 * order**fall / (order**fall).sum())
    for _ in range(200):
        relevant = np.flatnonzero(rng.random(len(order)) < chance) + 1
        seen = relevant[relevant <= 800]
        estimated = estimate(seen, 800, len(order) - 800, new=0.0)
        held.append(estimated.low <= len(relevant) - len(seen) <= estimated.high)
    assert np.mean(held) >= 0.85


def after_pages(
    pages: int,
    *,
    seeds: int = 10,
    verdict: Verdict | None = YES,
    every: int = 5,
    waiting: int = 200,
    by_guide: bool = False,
) -> EstimatedRecall:
    measure = EstimatedRecall()
    measure.by_guide = by_guide
    for request in range(1, pages + 1):
        relevant = request > seeds and request % every == 0
        measure.update(
            judged(
                seq=request,
                requests=request,
                waiting=waiting,
                seed=request <= seeds,
                verdict=verdict and (verdict if relevant else NO),
                label=relevant,
            )
        )
    return measure


def test_nothing_is_reported_of_a_crawl_that_has_hardly_begun() -> None:
    early = after_pages(59)
    assert early.value() is None and early.numbers() == (None, None, None)
    low, high, soon = after_pages(60).numbers()
    assert 0 < low < after_pages(60).value() < high <= 1 and soon > 0


def test_where_judges_may_err_fewer_and_more_pages_may_be_left() -> None:
    narrow = RecallEstimate(10.0, 5, 8, 12, 3.0)
    wide = narrow.wider(2.5)
    assert (wide.low, wide.left, wide.high, wide.soon) == (2, 8, 30, 3.0)
    assert wide.recall() == pytest.approx((10 / 40, 10 / 18, 10 / 12))
    assert narrow.wider(1.0) == narrow


def test_the_interval_is_widened_for_judges_less_with_labels_and_not_without_judges() -> None:
    judged_crawl, labelled, plain = (
        after_pages(300),
        after_pages(300),
        after_pages(300, verdict=None),
    )
    for page in range(280, 285):
        labelled.count_label(page, False)
    labelled.renew()
    for measure, factor in (
        (judged_crawl, WIDER_BY_JUDGES),
        (labelled, WIDER_BY_LABELS),
        (plain, 1.0),
    ):
        measure.renew()
        low, _, high = measure.estimated().wider(factor).recall()
        assert measure.numbers()[:2] == (low, high)


def test_seeds_are_no_finds_and_verdicts_come_before_labels() -> None:
    assert times(after_pages(100)) == [request - 10 for request in range(15, 101, 5)]
    assert times(after_pages(100, verdict=None)) == times(after_pages(100))
    assert times(after_pages(100, verdict=NO)) == []


def times(measure: EstimatedRecall) -> list[int]:
    """The requests, beside the seeds, that gave a page which may be relevant."""
    return measure._pages(0.0)[0].tolist()


def test_a_few_labels_take_the_place_of_verdicts_and_can_be_taken_back() -> None:
    measure = after_pages(100)
    before = times(measure)
    for page, relevant in ((20, False), (25, False), (31, True), (7, True)):
        measure.count_label(page, relevant)
    # Page 7 is a seed; 10 pages are.
    assert times(measure) == sorted({*before, 21} - {10, 15})
    assert measure._pages(0.0)[4].tolist() == [1.0] * (len(before) - 1)
    value = measure.value()
    measure.renew()
    assert measure.value() != value
    for page in (20, 25, 31, 7):
        measure.count_label(page, None)
    assert times(measure) == before


def test_from_five_labels_on_they_correct_what_the_judges_say_of_all_pages() -> None:
    yes = after_pages(300)
    late = range(280, 301, 5)
    for page in late:
        yes.count_label(page, False)
    corrected = dict(zip(times(yes), yes._pages(0.0)[4].tolist(), strict=True))
    assert not {page - 10 for page in late} & corrected.keys()
    early, later = (corrected[page - 10] for page in (50, 250))
    assert later < early < 0.9 and later < 0.3
    assert yes._pages(0.0)[5] > 0
    yes.renew()
    assert yes.numbers()[2] < after_pages(300).numbers()[2] / 2


def test_a_label_that_came_before_its_page_counts_like_one_that_came_after() -> None:
    first, after = EstimatedRecall(), after_pages(100)
    first.count_label(20, False)
    for request in range(1, 101):
        first.update(
            judged(
                seq=request,
                requests=request,
                waiting=200,
                seed=request <= 10,
                verdict=YES if request > 10 and request % 5 == 0 else NO,
            )
        )
    after.count_label(20, False)
    for each in (first, after):
        each.renew()
    assert times(first) == times(after)


def test_chances_count_as_parts_of_pages(steady) -> None:
    halves = estimate(np.array([55, 60, 70, 81]), 100, 50, 0.0, np.full(4, 0.5))
    whole = estimate(np.array([55, 81]), 100, 50, 0.0)
    assert (halves.fetched, halves.low, halves.left, halves.high) == (
        whole.fetched,
        whole.low,
        whole.left,
        whole.high,
    )
    doubtful = estimate(np.array([55, 81]), 100, 50, 0.0, doubt=8.0)
    assert doubtful.high > whole.high and doubtful.low <= whole.low


def test_a_restored_measure_goes_on_alike() -> None:
    whole, begun = after_pages(300), after_pages(120)
    for each in (whole, begun):
        each.count_label(30, False)
    again = EstimatedRecall()
    again.restore(
        json.loads(json.dumps(begun.state(), default=np.ndarray.tolist))
        | {name: begun.state()[name] for name in ("_times", "_chances", "_relevant")}
    )
    assert again.numbers() == begun.numbers()
    for request in range(121, 301):
        again.update(
            judged(
                seq=request, requests=request, waiting=200, verdict=YES if request % 5 == 0 else NO
            )
        )
    for each in (again, whole):
        each.renew()
    assert times(again) == times(whole) and 20 not in times(again)


def test_without_a_relevant_page_nothing_is_estimated() -> None:
    measure = after_pages(300, verdict=NO)
    assert measure.value() is None and measure.numbers() == (None, None, None)
    measure.count_label(100, True)
    measure.renew()
    assert measure.value() is not None
    measure.count_label(100, False)
    measure.renew()
    assert measure.value() is None


def test_the_guides_own_verdicts_estimate_nothing_before_ten_labels() -> None:
    measure = after_pages(300, by_guide=True)
    for page in range(100, 109):
        measure.count_label(page, False)
    measure.renew()
    assert measure.value() is None
    measure.count_label(109, False)
    measure.renew()
    assert measure.value() is not None
