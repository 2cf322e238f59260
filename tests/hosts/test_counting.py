"""What is counted of hosts, against a slow count of the same rows."""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection

from apps.collection.models import Entry
from apps.crawls.models import Crawl, FrontierEntry, HostRecord, Outlinks, Page
from apps.crawls.packing import pack_numbers
from apps.hosts.models import HostSummary
from apps.hosts.network import host_network
from apps.hosts.tasks import count_here, refresh
from apps.topics.models import Topic
from tests.browser.hosts_web import graph_of
from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import made_topic
from tests.host_rows import GRAPH, linked_crawl
from tests.hosts import slow_counts


@pytest.fixture
def topic(owner) -> Topic:
    return made_topic(owner)


def counted(topic: Topic) -> dict[tuple[str, str], tuple[Any, ...]]:
    rows = HostSummary.objects.filter(topic=topic)
    columns = ("pages", "judged", "relevant", "linked_from", "waiting", "language", "first_seen")
    return {(r.unit, r.name): tuple(getattr(r, c) for c in columns) for r in rows}


def test_the_counts_are_those_of_a_slow_count(topic):
    linked_crawl(topic)
    linked_crawl(topic, {url: links for url, links in GRAPH.items() if "b.org" in url})
    count_here(topic)
    Entry.objects.filter(host="a.test").update(language="de")
    count_here(topic)
    assert counted(topic) == slow_counts.count(topic)
    assert counted(topic)["host", "a.test"][:6] == (2, 2, 2, 2, 1, "de")
    assert counted(topic)["domain", "*.b.org"][:5] == (2, 2, 0, 1, 1)
    assert counted(topic)["user", "u.test/~ann"][:5] == (1, 1, 1, 2, 2)
    assert counted(topic)["user", "*.ben.github.io"][3:5] == (1, 2)


PAGES_BY_HAND = """
SELECT host, COUNT(DISTINCT final_url),
       COUNT(DISTINCT CASE WHEN votes > 0 THEN final_url END)
FROM crawls_page WHERE crawl_id = %s GROUP BY host
"""
WAITING_BY_HAND = "SELECT url FROM crawls_frontierentry WHERE crawl_id = %s AND state = 'w'"


def test_the_counts_of_a_web_of_many_hosts_are_those_of_sql_and_of_the_web_itself(topic):
    graph, relevant = graph_of(hosts=150, links=1_500)
    crawl = linked_crawl(topic, graph, relevant)
    count_here(topic)
    with connection.cursor() as cursor:
        cursor.execute(PAGES_BY_HAND, [crawl.pk])
        by_hand = {host: numbers for host, *numbers in cursor.fetchall()}
        cursor.execute(WAITING_BY_HAND, [crawl.pk])
        waiting = Counter(urlsplit(url).netloc for (url,) in cursor.fetchall())
    ends = {(urlsplit(a).netloc, urlsplit(b).netloc) for a, others in graph.items() for b in others}
    linked_from = Counter(target for source, target in ends if source != target)
    rows = HostSummary.objects.filter(topic=topic, unit="host")
    assert rows.count() == 150 and sum(relevant for _, relevant in by_hand.values()) > 50
    for row in rows:
        assert [row.pages, row.relevant] == by_hand[row.name]
        assert (row.waiting, row.linked_from) == (waiting[row.name], linked_from[row.name])
    network = host_network(topic, None, None)
    names = [host.name for host in network.nodes]
    drawn = {(names[source], names[target]) for source, target, _ in network.edges}
    assert drawn == {(source, target) for source, target in ends if source != target}


def test_a_crawl_that_goes_on_is_counted_from_where_it_was(topic):
    crawl = linked_crawl(topic, dict(list(GRAPH.items())[:3]))
    count_here(topic)
    before = HostSummary.objects.get(topic=topic, unit="host", name="c.test").pk
    url = "http://c.test/1"
    number = FrontierEntry.objects.get(crawl=crawl, url=url).number
    FrontierEntry.objects.filter(crawl=crawl, url=url).update(state="f")
    extra = FrontierEntry.objects.filter(crawl=crawl).count()
    FrontierEntry.objects.create(
        crawl=crawl,
        number=extra,
        url="http://d.test/",
        parent=number,
        depth=1,
        priority=1,
        state="w",
    )
    page = Page.objects.get(crawl=crawl, seq=1)
    page.pk, page.seq, page.number, page.url, page.host = None, 4, number, url, "c.test"
    page.final_url = url
    page.save()
    Outlinks.objects.create(crawl=crawl, seq=4, targets=pack_numbers([extra, 0]))
    HostRecord.objects.filter(crawl=crawl, host="c.test").update(pages=1, waiting=1)
    HostRecord.objects.create(crawl=crawl, host="d.test", waiting=1)
    Crawl.objects.filter(pk=crawl.pk).update(pages=4, discovered=extra + 1, commits=99)
    count_here(topic)
    assert counted(topic) == slow_counts.count(topic)
    assert HostSummary.objects.get(topic=topic, unit="host", name="c.test").pk == before
    assert counted(topic)["host", "d.test"][3] == 1


def test_the_hosts_of_a_deleted_crawl_are_gone(topic):
    linked_crawl(topic)
    other = linked_crawl(topic, {"http://only.test/": ["http://only.test/2"]})
    refresh(topic)
    assert ("host", "only.test") in counted(topic)
    Crawl.objects.filter(pk=other.pk).delete()
    refresh(topic)
    assert ("host", "only.test") not in counted(topic)
    assert counted(topic) == slow_counts.count(topic)


def test_nothing_is_counted_again_while_nothing_changes(topic, django_assert_max_num_queries):
    linked_crawl(topic)
    job = refresh(topic)
    with django_assert_max_num_queries(4):
        assert refresh(topic).counted_at == job.counted_at
