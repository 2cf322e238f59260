"""Hosts whose pages have words in common, against means and cosines computed one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.collection.models import Entry, PageVector
from apps.collection.withholding import hide_pages
from apps.crawls.models import Page
from apps.hosts.alike import alike_hosts
from apps.hosts.models import HostGrouping, HostSummary
from apps.hosts.tasks import count_here
from apps.topics.models import Topic
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.near_pages import make_vectors, page_of
from tests.people import Program, person

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HOSTS = [f"{group}{number}.test" for group in ("bread", "sea", "clocks") for number in (1, 2)]


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    """Six hosts, of which two each are about the same."""
    topic = made_topic(person("ada"))
    crawl = made_crawl(topic)
    pages = [
        {"url": f"http://{host}/{page}", "html": page_of(host[:-6], 10 * int(host[-6]) + page)}
        for host in HOSTS
        for page in range(4)
    ]
    store(crawl, *pages)
    make_vectors(crawl)
    count_here(topic)
    return topic


def hosts_of(topic: Topic) -> list[HostSummary]:
    return list(HostSummary.objects.filter(topic=topic, unit=HostGrouping.HOST).order_by("name"))


def slow_pairs(hosts: list[HostSummary]) -> dict[tuple[str, str], int]:
    """Every pair of hosts with a similarity above 0: there are no more than six hosts."""
    means = {}
    for host in hosts:
        pages = Entry.objects.filter(host=host.name).values_list("page_id", flat=True)
        rows = PageVector.objects.filter(page_id__in=list(pages)).values_list("vector", flat=True)
        vectors = [np.frombuffer(bytes(row), "<f2").astype(np.float64) for row in rows]
        if vectors:
            means[host.name] = sum(vectors) / np.linalg.norm(sum(vectors))
    cosines = {
        (one, other): round(100 * float(means[one] @ means[other]))
        for one in means
        for other in means
        if one < other
    }
    return {pair: percent for pair, percent in cosines.items() if percent > 0}


def named_pairs(topic: Topic) -> dict[tuple[str, str], int]:
    hosts = hosts_of(topic)
    return {(hosts[a].name, hosts[b].name): percent for a, b, percent in alike_hosts(topic, hosts)}


def test_hosts_about_the_same_are_the_most_alike(topic: Topic) -> None:
    pairs = named_pairs(topic)
    assert pairs == slow_pairs(hosts_of(topic))
    assert list(pairs.values()) == sorted(pairs.values(), reverse=True)
    assert {*list(pairs)[:3]} == {
        ("bread1.test", "bread2.test"),
        ("clocks1.test", "clocks2.test"),
        ("sea1.test", "sea2.test"),
    }


def test_pages_that_are_hidden_do_not_count(topic: Topic) -> None:
    crawl = topic.crawls.get()
    keys = Page.objects.filter(host="sea1.test").values_list("pk", flat=True)
    hide_pages(crawl, list(keys))
    pairs = named_pairs(topic)
    assert pairs == slow_pairs(hosts_of(topic))
    assert not any("sea1.test" in pair for pair in pairs)


def test_nothing_is_compared_without_vectors(topic: Topic) -> None:
    topic.text_vectors.delete()
    assert alike_hosts(topic, hosts_of(topic)) == ()


def test_programs_get_the_pairs_of_linked_hosts(topic: Topic) -> None:
    answer = Program(topic.owner).get(f"topics/{topic.pk}/hosts/alike").json()
    assert answer["items"] == []  # no host links to another
    assert Program(person("eve")).get(f"topics/{topic.pk}/hosts/alike").status_code == 404
