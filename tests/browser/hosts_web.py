"""A topic of the running site whose crawl has met many hosts that link to each other."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from tests.running_site import RunningSite

NEIGHBOURHOODS = 9
TOPLEVEL = ("de", "example", "test", "org")
FILL = """
from django.contrib.auth.models import User
from apps.hosts.tasks import count_here
from apps.topics.models import Topic
from tests.browser.hosts_web import graph_of
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl
name = "Heat pumps in {hosts} hosts"
topic = Topic.objects.filter(name=name).first()
if topic is None:
    topic = made_topic(User.objects.earliest("pk"), name)
    # Its examples have no pages, and other topics would draw negatives from them.
    topic.examples.all().delete()
    graph, relevant = graph_of({hosts}, {links})
    linked_crawl(topic, graph, relevant)
    count_here(topic)
print(topic.pk)
"""


def topic_of_hosts(site: RunningSite, hosts: int, links: int) -> int:
    """A topic that has met so many hosts, with about so many links between them; its number."""
    done = site.manage("shell", "-c", FILL.format(hosts=hosts, links=links))
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout.splitlines()[-1]))


def graph_of(hosts: int, links: int) -> tuple[dict[str, list[str]], list[str]]:
    """The links of each address and the relevant addresses of a web of neighbourhoods, in which
    few hosts are linked from many: one to three pages a host, and more that nobody fetched."""
    draw = random.Random(32)
    names = [_name(number) for number in range(hosts)]
    graph: dict[str, list[str]] = {
        f"http://{name}/{page}": [f"http://{name}/{page + 1}"]
        for name in names
        for page in range(1 + sum(draw.random() < 0.4 for _ in range(2)))
    }
    sources = list(graph)
    ends = [(draw.choice(sources), _linked(draw, names)) for _ in range(links)]
    for source, target in ends:
        near = _near(draw, names, source, target)
        graph[source].append(f"http://{near}/0")
    relevant = [url for url in graph if draw.random() < _chance(url)]
    return {source: list(dict.fromkeys(targets)) for source, targets in graph.items()}, relevant


def _name(number: int) -> str:
    return f"host-{number}-{number % NEIGHBOURHOODS}.{TOPLEVEL[number % len(TOPLEVEL)]}"


def _linked(draw: random.Random, names: Sequence[str]) -> str:
    """A host, the first ones far more often."""
    return names[int(len(names) * draw.random() ** 2.5)]


def _near(draw: random.Random, names: Sequence[str], source: str, target: str) -> str:
    """Four links of five stay in the neighbourhood of their source."""
    if draw.random() < 0.2:
        return target
    own = int(source.split("/")[2].split("-")[2][0])
    number = int(target.split("-")[1])
    return names[min(len(names) - 1, number - number % NEIGHBOURHOODS + own)]


def _chance(url: str) -> float:
    """How likely a page is relevant, by its host's neighbourhood."""
    return int(url.split("/")[2].split("-")[2][0]) / NEIGHBOURHOODS
