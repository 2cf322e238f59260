"""Collections in numbers, counted for all rows of a list at once."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.sharing import share
from apps.collection.overview import collections
from apps.crawls.models import Crawl, HostRecord
from apps.topics.models import Topic
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person


@pytest.fixture
def owner(db, data_dir) -> User:
    return person("ada")


def collect(owner: User, name: str, *crawls: tuple[str, ...]) -> Topic:
    """A topic with a crawl for each of these lists of hosts, a page each."""
    topic = made_topic(owner, name)
    for hosts in crawls:
        crawl: Crawl = made_crawl(topic)
        store(crawl, *({"url": f"http://{host}/"} for host in hosts))
        HostRecord.objects.bulk_create(
            HostRecord(crawl=crawl, host=host, pages=1) for host in (*hosts, "waiting.test")
        )
        HostRecord.objects.filter(host="waiting.test").update(pages=0)
    return topic


def test_hosts_with_pages_are_counted_once_for_a_topic(owner: User) -> None:
    one = collect(owner, "one", ("a.test", "b.test"), ("b.test", "c.test"))
    two = collect(owner, "two", ("a.test",))
    none = made_topic(owner, "none")
    read = collections(owner, [two.pk, one.pk, none.pk])
    assert [(each.topic, each.hosts, each.pages) for each in read] == [
        (two, 1, 1),
        (one, 3, 3),
        (none, 0, 0),
    ]


def test_shared_crawls_of_a_hidden_topic_are_counted_one_by_one(owner: User) -> None:
    topic = collect(owner, "one", ("a.test", "b.test"), ("b.test",), ("c.test",))
    reader = person("eve")
    for crawl in topic.crawls.order_by("pk")[:2]:
        share(crawl, "eve")
    read = collections(reader, [topic.pk])
    assert [(each.readable, each.hosts, each.pages) for each in read] == [
        (False, 2, 2),
        (False, 1, 1),
    ]


def test_more_topics_take_no_more_queries(owner: User) -> None:
    asked = []
    keys: list[int] = []
    for name in ("one", "two", "three"):
        keys.append(collect(owner, name, ("a.test",), ("b.test",)).pk)
        with CaptureQueriesContext(connection) as queries:
            collections(owner, keys)
        asked.append(len(queries))
    assert asked[0] == asked[1] == asked[2]
