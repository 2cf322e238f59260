"""Pages alone and together, by hand, and the same in the collection that the links lead to."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import crawls_of_topic
from apps.collection.selectors import count
from apps.engine.evaluation.url_overlap import UrlOverlap
from apps.experiments.results.crawls.page_sets import page_sets
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl

# Pages 1 and 2 are fetched by both alike; A goes on with 3 and 4, B with 4 and 5; C has 4 alone.
FETCHED = ([1, 2, 3, 4], [1, 2, 4, 5], [4])


@pytest.fixture
def crawls(topic, data_dir):
    crawls = [made_crawl(topic, state="finished") for _ in FETCHED]
    for crawl, pages in zip(crawls, FETCHED, strict=True):
        store(crawl, *[{"url": f"http://a.test/{n}"} for n in pages])
        crawl.refresh_from_db()
    return crawls


def test_pages_alone_and_together_by_hand(crawls):
    a, b, c = (crawl.pk for crawl in crawls)
    sets = page_sets(crawls)
    assert (sets.different, sets.in_all, sets.unlisted) == (5, 1, 0)
    assert [sets.of(crawl) for crawl in (a, b, c)] == [4, 4, 1]
    assert [sets.alone(crawl) for crawl in (a, b, c)] == [1, 1, 0]
    assert sets.shared(a, b) == UrlOverlap(1, 3, 1)
    assert sets.shared(a, c) == UrlOverlap(3, 1, 0)
    assert not sets.same_pages


def test_the_first_page_that_differs_ends_what_is_alike(crawls):
    assert page_sets(crawls[:2]).alike_until == 2
    assert page_sets(crawls).alike_until == 0


def test_the_collection_counts_the_same_pages(crawls, topic):
    a, b, c = (crawl.pk for crawl in crawls)
    sets, searched = page_sets(crawls[:2]), crawls_of_topic(topic.owner, topic.pk)
    for query, pages in (
        (f"crawl={a}&crawl={b}&crawl_match=all", sets.in_all),
        (f"crawl={a}&not_fetched_by={b}", sets.alone(a)),
        (f"crawl={b}&not_fetched_by={a}", sets.alone(b)),
        (f"crawl={a}&crawl={b}&crawl={c}&crawl_match=all", page_sets(crawls).in_all),
    ):
        assert count(CollectionSearch.read(QueryDict(query)).within(searched)).pages == pages, query


def test_pages_not_yet_in_the_collection_forbid_to_call_them_the_same(topic, data_dir, monkeypatch):
    crawls = [made_crawl(topic, state="finished") for _ in range(2)]
    for crawl in crawls:
        store(crawl, {"url": "http://a.test/1"}, {"url": "http://a.test/2"}, index=False)
        crawl.refresh_from_db()
    monkeypatch.setattr("apps.collection.searched_crawls.LISTED_NOW", 2)
    first = page_sets(crawls)
    assert (first.unlisted, first.same_pages) == (2, False)
    second = page_sets(crawls)
    assert (second.unlisted, second.same_pages, second.same_order) == (0, True, True)
