"""Entries are counted by an index that has them in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.collection.facets import facets
from apps.collection.models import Entry, EntryMark
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.selectors import find
from apps.collection.shared_pages.entry_counts import COLUMNS, count_entries
from apps.collection.shared_pages.same_page import count_shown
from apps.crawls.models import Crawl
from tests.collection_fixtures import store
from tests.query_plans import steps_of

NO_TOPIC = 0
MARKS = EntryMark._meta.db_table


@pytest.fixture
def pages(crawl: Crawl, other_crawl: Crawl) -> tuple[Crawl, Crawl]:
    """Both crawls have fetched /2 and /3."""
    for each, numbers in ((crawl, range(4)), (other_crawl, range(2, 5))):
        store(
            each,
            *({"url": f"http://a.test/{n}", "target": n == 3, "relevant": n > 2} for n in numbers),
        )
    return crawl, other_crawl


def test_each_entry_is_in_one_cell(
    pages: tuple[Crawl, Crawl], searched_by: Callable[[User], SearchedCrawls], owner: User
) -> None:
    crawls = searched_by(owner).crawl_ids
    slowly = Counter(Entry.objects.filter(crawl__in=crawls).values_list(*COLUMNS))
    topic = pages[0].topic_id
    (cells,) = count_entries({topic: crawls}).values()
    assert {tuple(cell)[:-1]: cell.entries for cell in cells} == slowly
    assert all(cell.target in (True, False) for cell in cells)


def test_the_pages_of_all_topics_count_once(
    pages: tuple[Crawl, Crawl], searched_by: Callable[[User], SearchedCrawls], owner: User
) -> None:
    crawls = searched_by(owner).crawl_ids
    assert count_shown({pages[0].topic_id: crawls, NO_TOPIC: ()}) == {
        pages[0].topic_id: 5,
        NO_TOPIC: 0,
    }


def test_counting_several_crawls_reads_indexes_only(
    pages: tuple[Crawl, Crawl], searched_by: Callable[[User], SearchedCrawls], owner: User
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads a small table whole")
    search = CollectionSearch().within(searched_by(owner))
    assert facets(search).pages == 5
    crawls = {pages[0].topic_id: search.context.crawl_ids}
    for counts in (lambda: facets(search), lambda: count_entries(crawls)):
        EntryMark.objects.all().delete()  # nothing is counted before
        plans = [plan for plan in steps_of(counts) if not any(MARKS in step for step in plan)]
        assert plans
        for plan in plans:
            read = [step for step in plan if "crawl_id=?" in step]
            assert read and all("COVERING INDEX" in step for step in read)


def test_the_list_does_not_read_the_pages_of_other_crawls(
    pages: tuple[Crawl, Crawl], searched_by: Callable[[User], SearchedCrawls], owner: User
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite chose the index of near-duplicates")
    search = CollectionSearch().within(searched_by(owner))
    for plan in steps_of(lambda: find(search)):
        assert not any("collected_by_fold (fold=?)" in step for step in plan)
