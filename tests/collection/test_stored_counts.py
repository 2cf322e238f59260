"""Counts are stored until the entries of their topic change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from apps.collection.indexing.index import order_pages, sweep
from apps.collection.indexing.marks import mark_anew
from apps.collection.models import Entry, EntryMark
from apps.collection.search import search_topic
from apps.collection.selectors import look
from apps.collection.stored_counts import drop_counts, stored_count, stored_counts
from apps.collection.withholding import hide_pages, show_pages
from apps.crawls.models import Crawl, Page
from tests.collection_fixtures import store

PAGES = 3


@pytest.fixture
def pages(crawl: Crawl) -> list[Page]:
    store(crawl, *({"url": f"http://a.test/{n}", "relevant": n > 0} for n in range(PAGES)))
    return list(Page.objects.filter(crawl=crawl))


class Counting:
    """A count that notes how often it is made."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return self.times


def shown(owner: User, crawl: Crawl, query: str = "") -> int:
    return look(search_topic(owner, crawl.topic_id, QueryDict(query))).facets.pages


def test_it_counts_once_until_the_entries_change(crawl: Crawl) -> None:
    drop_counts([crawl.topic_id])
    count = Counting()
    assert [stored_count(crawl.topic_id, "pages", count) for _ in range(3)] == [1, 1, 1]
    assert stored_count(crawl.topic_id, "labels", count) == 2
    drop_counts([crawl.topic_id])
    assert stored_count(crawl.topic_id, "pages", count) == 3


def test_it_stores_nothing_of_a_topic_without_a_mark(crawl: Crawl) -> None:
    EntryMark.objects.all().delete()
    count = Counting()
    assert [stored_count(crawl.topic_id, "pages", count) for _ in range(2)] == [1, 2]


def test_it_counts_only_the_topics_that_have_changed(crawl: Crawl) -> None:
    asked: list[int] = []

    def count(topics: list[int]) -> dict[int, int]:
        asked.extend(topics)
        return dict.fromkeys(topics, 5)

    questions = {crawl.topic_id: "pages", crawl.topic_id + 1: "pages"}
    drop_counts(questions)
    assert stored_counts(questions, count) == dict.fromkeys(questions, 5)
    drop_counts([crawl.topic_id])
    assert stored_counts(questions, count) == dict.fromkeys(questions, 5)
    assert asked == [*questions, crawl.topic_id]


def test_a_change_while_it_counts_is_not_hidden_from_the_next_reader(crawl: Crawl) -> None:
    drop_counts([crawl.topic_id])

    def count() -> str:
        drop_counts([crawl.topic_id])
        return "before the change"

    stored_count(crawl.topic_id, "pages", count)
    assert stored_count(crawl.topic_id, "pages", lambda: "after it") == "after it"


def test_a_change_that_is_rolled_back_leaves_the_count(crawl: Crawl) -> None:
    drop_counts([crawl.topic_id])
    count = Counting()
    stored_count(crawl.topic_id, "pages", count)
    with transaction.atomic():
        drop_counts([crawl.topic_id])
        transaction.set_rollback(True)
    assert stored_count(crawl.topic_id, "pages", count) == 1


def test_the_list_is_read_once_and_anew_with_a_new_page(
    owner: User, crawl: Crawl, pages: list[Page]
) -> None:
    first = look(search_topic(owner, crawl.topic_id, QueryDict()))
    with CaptureQueriesContext(connection) as queries:
        assert look(search_topic(owner, crawl.topic_id, QueryDict())) == first
    assert not any("WITH candidates" in query["sql"] for query in queries)
    store(crawl, {"url": "http://a.test/new", "relevant": True})
    assert shown(owner, crawl) == PAGES + 1


def test_what_is_decided_by_other_rows_is_always_read_anew(
    owner: User, crawl: Crawl, pages: list[Page]
) -> None:
    for query in ("q=a.test", "state=new", "since=2020-01-01"):
        shown(owner, crawl, query)
        with CaptureQueriesContext(connection) as queries:
            shown(owner, crawl, query)
        assert any("candidates AS" in each["sql"] for each in queries), query


def changes(crawl: Crawl) -> dict[str, Callable[[], object]]:
    keys = list(Page.every.filter(crawl=crawl).values_list("pk", flat=True))
    return {
        "labels": lambda: mark_anew(crawl.topic),
        "its end": lambda: order_pages(crawl),
        "hidden": lambda: hide_pages(crawl, keys[:1]),
        "shown again": lambda: show_pages(crawl, keys[:1]),
    }


@pytest.mark.parametrize("change", ["labels", "its end", "hidden", "shown again"])
def test_each_change_of_entries_gives_the_topic_a_new_mark(
    crawl: Crawl, pages: list[Page], change: str
) -> None:
    Page.objects.filter(crawl=crawl).update(topicality_at_end=0.5)
    before = EntryMark.objects.get(topic=crawl.topic_id).mark
    changes(crawl)[change]()
    assert EntryMark.objects.get(topic=crawl.topic_id).mark != before


def test_near_duplicates_that_are_taken_apart_are_counted_anew(
    owner: User, crawl: Crawl, pages: list[Page]
) -> None:
    Entry.objects.filter(crawl=crawl).update(fold=pages[0].pk)
    drop_counts([crawl.topic_id])
    search = search_topic(owner, crawl.topic_id, QueryDict())
    assert look(search).hits.totals.shown == 1
    hide_pages(crawl, [pages[0].pk])
    sweep(anew=True)
    search = search_topic(owner, crawl.topic_id, QueryDict())
    assert look(search).hits.totals.shown == PAGES - 1
