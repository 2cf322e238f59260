"""Crawlers compared over topics: the same numbers as scipy gives for the same pairs."""

from __future__ import annotations

import pytest
from scipy.stats import ttest_rel, wilcoxon

from apps.experiments.results.crawls.comparison import compare
from apps.experiments.results.paired_tests import Method
from tests.crawl_rows import made_topic

BASE, BETTER, OTHER = [4, 6, 8, 10], [8, 11, 12, 14], [5, 5, 9, 9]


@pytest.fixture
def topics(topic):
    return [topic, *(made_topic(topic.owner, name) for name in ("Rye", "Birds", "Peat"))]


def pairs(ended, topics, **recalled):
    return [
        ended(n, strategy, on)
        for strategy, numbers in recalled.items()
        for n, on in zip(numbers, topics, strict=False)
    ]


def test_each_crawler_is_tested_against_the_first_over_the_topics_of_both(ended, topics):
    comparison = compare(pairs(ended, topics, full_page=BASE, tag_tree_combo=BETTER))
    (test,) = [t for t in comparison.tests if t.measure.id == "target_recall"]
    expected = ttest_rel([n / 20 for n in BETTER], [n / 20 for n in BASE])
    interval = expected.confidence_interval(0.95)
    assert (test.crawler, test.baseline, test.topics) == ("Tag tree combo", "Full page", 4)
    assert test.difference == pytest.approx(4.25 / 20)
    assert test.p == pytest.approx(expected.pvalue)
    assert test.interval == pytest.approx((interval.low, interval.high))
    signed_ranks = test.p_of(Method.WILCOXON).raw
    assert signed_ranks == pytest.approx(wilcoxon([4, 5, 4, 4]).pvalue)
    assert (test.better, test.worse) == (4, 0)
    assert test.effect == pytest.approx(4.25 / 0.5)
    sentence = comparison.verdict.sentence.replace("\u202f", " ")
    assert sentence.startswith(
        "Tag tree combo found 61 % more of the targets than Full page at 100 pages"
    )
    assert "p < 0.001 after Holm), better on 4 of 4 topics." in sentence
    assert "fewer than 6 topics" in comparison.verdict.cannot[0]


def test_p_is_corrected_for_all_crawlers_of_a_measure(ended, topics):
    comparison = compare(
        pairs(ended, topics[:2], full_page=[4, 6], tag_tree_combo=[8, 11], breadth_first=[5, 5])
    )
    first, second = sorted(
        (t for t in comparison.tests if t.measure.id == "target_recall"), key=lambda test: test.p
    )
    assert first.holm == pytest.approx(2 * first.p)
    assert second.holm == pytest.approx(max(first.holm, second.p))


def test_what_is_not_shown_is_not_called_equal_and_names_what_would_be_needed(ended, topics):
    comparison = compare(pairs(ended, topics, full_page=BASE, breadth_first=[7, 6, 9, 9]))
    (test,) = [t for t in comparison.tests if t.measure.id == "target_recall"]
    sentence = comparison.verdict.sentence
    assert not test.shown
    assert sentence.startswith("No difference between Breadth-first and Full page is shown")
    assert "which is not “equal”" in sentence
    assert f"about {test.needed} topics would be needed" in sentence


def test_topics_whose_crawls_are_not_alike_are_left_out(ended, topics):
    crawls = pairs(ended, topics[:3], full_page=BASE[:3], tag_tree_combo=BETTER[:3])
    crawls[-1].judged_by = "held_out_svm"
    tests = {test.measure.id: test for test in compare(crawls).tests}
    assert tests["target_recall"].topics == 3
    assert tests["harvest_rate"].topics == 2


def test_different_topics_without_pairs_are_shown_side_by_side(ended, topics):
    comparison = compare([ended(3, on=topics[0]), ended(4, "breadth_first", on=topics[1])])
    assert comparison.tests == ()
    assert "shown side by side, not tested" in comparison.verdict.sentence
