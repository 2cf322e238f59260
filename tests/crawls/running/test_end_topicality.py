"""Topicality of pages by all that a crawl knows at its end, in its pages and its collection."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http import QueryDict

from apps.accounts.services import ensure_owner
from apps.collection.indexing.index import list_pages
from apps.collection.models import BINS, Entry
from apps.collection.search import search_crawl_of_site
from apps.collection.selectors import find
from apps.crawls.lifecycle.lease import LostOwnershipError
from apps.crawls.models import Crawl, Page
from apps.crawls.running.end_topicality import write_end_topicality
from apps.topics.models import Topic
from tests.crawls.running.test_beginning_with_words import crawl, imported
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    return made_once("a sentence", lambda: imported(data_dir), ensure_owner())


def listed(done: Crawl) -> list[Page]:
    """The pages of the collection in its usual order."""
    search = search_crawl_of_site(done, QueryDict(""))
    rows = find(search, size=100).rows
    pages = Page.objects.in_bulk([hit.page for hit in rows])
    return [pages[hit.page] for hit in rows]


def test_the_list_of_a_crawl_by_words_is_in_the_order_of_its_last_guide(topic: Topic) -> None:
    done = crawl("learner")
    pages = [*done.pages_fetched.all()]
    assert all(page.topicality_at_end is not None for page in pages)
    assert any(page.topicality_at_end != page.topicality for page in pages)
    list_pages(done)
    last = [page.latest_topicality for page in listed(done)]
    assert last == sorted(last, reverse=True) and len(last) > 20
    at_fetch = [page.topicality for page in listed(done)]
    assert at_fetch != sorted(at_fetch, reverse=True)


def test_a_crawl_that_learns_nothing_from_its_pages_has_none(topic: Topic) -> None:
    done = crawl("breadth_first")
    assert {page.topicality_at_end for page in done.pages_fetched.all()} == {None}


def test_pages_that_are_listed_already_take_their_new_order(topic: Topic) -> None:
    done = crawl("breadth_first")
    list_pages(done)
    first = done.pages_fetched.get(seq=1)
    write_end_topicality(done, {first.number: 0.99})
    first.refresh_from_db()
    assert (first.topicality_at_end, first.latest_topicality) == (0.99, 0.99)
    entry = Entry.objects.get(page_id=first.pk)
    assert (entry.topicality, entry.tau_bin) == (0.99, BINS - 1)
    assert listed(done)[0] == first


def test_a_late_runner_writes_nothing(topic: Topic) -> None:
    done = crawl("breadth_first")
    late = Crawl.objects.get(pk=done.pk)
    Crawl.objects.filter(pk=done.pk).update(epoch=done.epoch + 1)
    number = done.pages_fetched.get(seq=1).number
    with pytest.raises(LostOwnershipError):
        write_end_topicality(late, {number: 0.99})
    assert done.pages_fetched.get(seq=1).topicality_at_end is None
