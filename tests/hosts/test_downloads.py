"""Hosts as CSV and GEXF, and their network against a slow count of the links."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from apps.crawls.models import Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.hosts import services
from apps.hosts.downloads import cells, gexf
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.network import host_network
from apps.hosts.tasks import count_here
from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import made_topic
from tests.host_rows import GRAPH, linked_crawl

NAMESPACE = "{http://www.gexf.net/1.2draft}"


@pytest.fixture
def topic(owner):
    topic = made_topic(owner)
    linked_crawl(topic)
    linked_crawl(topic, dict(list(GRAPH.items())[:2]))
    count_here(topic)
    return topic


def slow_links(topic) -> Counter[tuple[str, str]]:
    links: Counter[tuple[str, str]] = Counter()
    for row in Outlinks.objects.filter(crawl__topic=topic):
        urls = dict(row.crawl.frontier.values_list("number", "url"))
        source = Page.objects.get(crawl=row.crawl, seq=row.seq).url.split("/")[2]
        for number in unpack_numbers(row.targets).tolist():
            target = urls[number].split("/")[2]
            if source != target:
                links[source, target] += 1
    return links


def test_the_network_has_the_links_of_a_slow_count(topic):
    network = host_network(topic)
    names = [host.name for host in network.nodes]
    links = {(names[one], names[other]): number for one, other, number in network.edges}
    assert links == slow_links(topic) and network.of == 7


def test_the_most_linked_hosts_are_taken_where_there_are_more(topic):
    network = host_network(topic, 3, 2)
    assert len(network.nodes) <= 3 and len(network.edges) == 2
    assert network.of == 7


def test_gexf_has_every_linked_host_and_link(topic):
    services.decide(topic, ["c.test"], "out", topic.owner)
    root = ElementTree.fromstring(b"".join(gexf(topic)))
    nodes = {n.get("id"): n for n in root.iter(f"{NAMESPACE}node")}
    edges = {
        (nodes[e.get("source")].get("label"), nodes[e.get("target")].get("label")): int(
            e.get("weight")
        )
        for e in root.iter(f"{NAMESPACE}edge")
    }
    assert edges == slow_links(topic)
    values = {
        node.get("label"): next(node.iter(f"{NAMESPACE}attvalue")).get("value")
        for node in nodes.values()
    }
    assert values["c.test"] == "out" and values["a.test"] == "undecided"


def test_rows_name_who_decided_and_when(topic):
    services.decide(topic, ["a.test"], "in", topic.owner)
    rows = {row["name"]: row for row in cells(topic, HostListing(topic, HostSearch()).matches)}
    assert (rows["a.test"]["decision"], rows["a.test"]["decided_by"]) == ("in", "ada")
    assert rows["b.org"]["decision"] == "undecided" and rows["b.org"]["decided_at"] == ""
