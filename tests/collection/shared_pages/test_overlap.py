"""Who fetched what."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User

from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.shared_pages.overlap import overlap
from apps.crawls.models import Crawl
from tests.collection_fixtures import store

JUDGED = {"relevant": True, "votes": 3, "votes_of": 3}
REFUSED = {"relevant": False, "votes": 0, "votes_of": 3}


def test_each_page_counts_once_together_and_once_a_crawl(
    searched_by: Callable[[User], SearchedCrawls], owner: User, crawl: Crawl, other_crawl: Crawl
) -> None:
    # The older crawl calls /b relevant, the newer one not; /c has no verdict at all.
    store(
        crawl,
        {"url": "http://a.test/a", **JUDGED},
        {"url": "http://a.test/b", **JUDGED},
        {"url": "http://a.test/c", "relevant": None},
    )
    store(
        other_crawl,
        {"url": "http://a.test/b", **REFUSED},
        {"url": "http://a.test/d", **JUDGED, "target": True},
    )
    searched = searched_by(owner)
    shared = overlap(searched.topic, searched.crawl_ids, searched.sets)
    old, new = crawl.pk, other_crawl.pk
    assert list(shared.sets) == [(old, new), (old,), (new,)]
    assert {by: (t.pages, t.judged, t.relevant) for by, t in shared.sets.items()} == {
        (old, new): (1, 1, 0),
        (old,): (2, 1, 1),
        (new,): (1, 1, 1),
    }
    assert {pk: (t.pages, t.relevant) for pk, t in shared.crawls.items()} == {
        old: (3, 2),
        new: (2, 1),
    }
    assert shared.only == {old: 2, new: 1}
    assert (shared.together.pages, shared.together.targets) == (4, 1)
    assert shared.together.harvest == 2 / 3
