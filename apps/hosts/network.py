"""The hosts of a topic that link to each other, as a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Sum

from apps.crawls.models import Crawl
from apps.hosts.models import HostGrouping, HostLink, HostSummary
from apps.hosts.tallies import host_of
from apps.topics.models import Topic

MOST_NODES, MOST_EDGES = 1_500, 20_000
CHUNK = 500
_POSITION = """
UPDATE hosts_hostsummary SET x = %s, y = %s
WHERE id = %s AND topic_id = %s AND unit = %s AND x IS NULL
"""


@dataclass(frozen=True, slots=True)
class HostNetwork:
    """`nodes` are hosts, the most linked first, of which `edges` name two by their positions and
    the number of links from the first to the second, or how alike they are in percent
    (`hosts.alike`); `of` counts all hosts of the topic."""

    nodes: tuple[HostSummary, ...]
    edges: tuple[tuple[int, int, int], ...]
    of: int


def host_network(
    topic: Topic, most_nodes: int | None = MOST_NODES, most_edges: int | None = MOST_EDGES
) -> HostNetwork:
    """The most linked hosts that link to another one or are linked by one, and the links with the
    most pages behind them; all of them without limits."""
    rows = HostSummary.objects.filter(topic=topic, unit=HostGrouping.HOST)
    ordered = rows.order_by("-linked_from", "-relevant", "-pages", "pk")
    hosts = list(ordered.select_related("make_up")[:most_nodes])
    links = host_links(topic, hosts)
    chosen = sorted(links.items(), key=lambda link: (-link[1], link[0]))[:most_edges]
    linked = {end for ends, _ in chosen for end in ends}
    nodes = tuple(host for host in hosts if host.pk in linked)
    position = {host.pk: index for index, host in enumerate(nodes)}
    edges = ((position[one], position[other], number) for (one, other), number in chosen)
    return HostNetwork(nodes, tuple(edges), rows.count())


def host_links(topic: Topic, hosts: Sequence[HostSummary]) -> Counter[tuple[int, int]]:
    """The number of links from one of the hosts to another, by their keys; links of a page that two
    crawls have fetched count for each."""
    keys = _keys_of_parts(topic, hosts)
    crawls = list(Crawl.objects.filter(topic=topic).values_list("pk", flat=True))
    links: Counter[tuple[int, int]] = Counter()
    for start in range(0, len(keys), CHUNK):
        some = list(keys)[start : start + CHUNK]
        rows = HostLink.objects.filter(crawl__in=crawls, source__in=some).order_by()
        summed = rows.values_list("source", "target").annotate(all=Sum("links"))
        for source, target, number in summed.iterator(10_000):
            ends = keys[source], keys.get(target)
            if ends[1] is not None and ends[0] != ends[1]:
                links[ends[0], ends[1]] += number
    return links


def keep_positions(topic: Topic, positions: Mapping[int, tuple[float, float]]) -> None:
    """Stores the positions of hosts, by their keys, that have none."""
    rows = [(x, y, key, topic.pk, HostGrouping.HOST.value) for key, (x, y) in positions.items()]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(_POSITION, rows)


def _keys_of_parts(topic: Topic, hosts: Sequence[HostSummary]) -> dict[int, int]:
    """The key of the host of each end of a link: a host, or the part of it that belongs to one
    user."""
    by_name = {host.name: host.pk for host in hosts}
    users = HostSummary.objects.filter(
        topic=topic, unit=HostGrouping.USER, name__contains="/"
    ).values_list("pk", "name")
    parts = {pk: by_name[host] for pk, name in users if (host := host_of(name)) in by_name}
    return {host.pk: host.pk for host in hosts} | parts
