"""The plain sentence, for every way in which crawls can stand to each other."""

from __future__ import annotations

import pytest

from apps.experiments.results.crawls.comparison import CrawlComparison, compare
from apps.experiments.results.crawls.verdict import SINGLE
from tests.collection_fixtures import store
from tests.crawl_rows import grow, made_crawl, sampled

THIN = "\u202f"


def message(*crawls) -> str:
    return compare(crawls).verdict.sentence.replace(THIN, " ")


def test_the_better_of_two_by_its_share(ended):
    both = ended(13), ended(16, "tag_tree_combo")
    assert message(*both) == (
        "Tag tree combo found 23 % more targets than Full page at 100 pages (16 against 13 of 20)."
    )
    assert message(*reversed(both)) == (
        "Tag tree combo found 23 % more targets than Full page, the next best, at 100 pages "
        "(16 against 13 of 20)."
    )
    assert compare(both).verdict.cannot == (SINGLE,)


def test_the_others_stand_against_the_same_one(ended):
    comparison = compare(
        [
            ended(10),
            ended(12, "tag_tree_combo"),
            ended(5, "breadth_first"),
            ended(10, "fish_search"),
        ]
    )
    assert comparison.verdict.sentence.startswith("Tag tree combo found 20")
    assert comparison.verdict.more.replace(THIN, " ") == (
        "Against Full page: Breadth-first 50 % fewer, Fish-Search as many."
    )


def test_a_tie_is_reported_as_a_number_not_as_equality_of_crawlers(ended):
    assert message(ended(7), ended(7, "tag_tree_combo")) == (
        "Both crawls found the same number of targets at 100 pages: 7 of 20."
    )
    assert message(ended(4), ended(8, "tag_tree_combo"), ended(8, "breadth_first")) == (
        "Tag tree combo and Breadth-first found 100 % more targets than Full page at 100 pages "
        "(8 against 4 of 20)."
    )


def test_none_found_is_no_share(ended):
    assert message(ended(0), ended(3, "tag_tree_combo")) == (
        "Tag tree combo found 3 of 20 targets at 100 pages, Full page none."
    )


def test_without_targets_found_harvest_rates_are_compared(ended):
    for recalled in (0, None):
        assert message(ended(recalled), ended(recalled, "tag_tree_combo")) == (
            "Both crawls have the same harvest rate at 100 pages each: 40.0 %, by their judge."
        )


def test_rates_are_reported_as_rates_beside_the_next_best(topic):
    rates = {"full_page": 0.5, "breadth_first": 0.6, "fish_search": 0.4, "hits": 0.5}
    crawls = [
        sampled(made_crawl(topic, strategy=strategy), {20: rate})
        for strategy, rate in rates.items()
    ]
    verdict = compare(crawls).verdict
    assert verdict.sentence.replace(THIN, " ") == (
        "Harvest rate: Breadth-first is 10.0 points higher than Full page at 20 pages each "
        "(60.0 % against 50.0 %, by their judge)."
    )
    assert verdict.more == ("Against Full page: Fish-Search 10.0 points lower, HITS the same.")
    assert message(*crawls[1:]).startswith(
        "Harvest rate: Breadth-first is 10.0 points higher than HITS, the next best, at 20"
    )


def test_it_is_reported_at_the_largest_number_of_pages_that_all_have_reached(topic):
    short = sampled(made_crawl(topic, strategy="full_page"), {10: 0.5, 20: 0.5})
    long = sampled(made_crawl(topic, strategy="breadth_first"), {10: 0.9, 20: 0.6, 30: 0.1})
    assert message(short, long) == (
        "Harvest rate: Breadth-first is 10.0 points higher than Full page at 20 pages each "
        "(60.0 % against 50.0 %, by their judge)."
    )


def test_crawls_without_a_common_page_are_reported(topic, ended):
    comparison: CrawlComparison = compare([ended(3), made_crawl(topic)])
    assert comparison.common is None
    assert comparison.verdict.sentence == (
        "They cannot be compared yet: they share no number of pages."
    )


def test_without_any_measure_in_common_none_is_called_better(topic):
    crawls = [sampled(made_crawl(topic), {10: None}), sampled(made_crawl(topic), {10: 0.5})]
    assert message(*crawls).startswith("Shown side by side: which is better is open.")


@pytest.mark.parametrize(
    ("pages", "sentence"),
    [
        ([1, 2, 3], "Both crawls fetched exactly the same 3 pages, in the same order."),
        ([1, 3, 2], "Both crawls fetched exactly the same 3 pages, in another order."),
    ],
)
def test_crawls_that_fetched_the_same_pages_are_reported_to_have(topic, data_dir, pages, sentence):
    crawls = [made_crawl(topic, state="finished") for _ in range(2)]
    for crawl, order in zip(crawls, ([1, 2, 3], pages), strict=True):
        store(crawl, *[{"url": f"http://a.test/{n}", "title": "Page"} for n in order])
        crawl.refresh_from_db()
    assert message(*crawls) == sentence


def test_a_running_crawl_is_compared_as_far_as_it_is(topic):
    crawls = [grow(made_crawl(topic), 40), grow(made_crawl(topic, strategy="full_page"), 60)]
    comparison = compare(crawls)
    assert comparison.common == 40
    assert comparison.cautions[0] == (
        "Adaptive utility and Full page are not finished: shown as far as stored."
    )
